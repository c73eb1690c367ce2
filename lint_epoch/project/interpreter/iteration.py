"""Passes: what happens when something is iterated, down to the sampler."""

from __future__ import annotations

from lint_epoch.facts import records as r
from lint_epoch.facts.text import text_of
from lint_epoch.project.classes import DICT, LIST, LibraryClass, ProjectClass, class_has
from lint_epoch.project.interpreter.core import Core
from lint_epoch.project.memory import Cells
from lint_epoch.project.model import library_classes, method_of
from lint_epoch.project.passes import EpochSet, GuardSeen, Pass
from lint_epoch.project.state import Loop
from lint_epoch.project.values import (
    CallArguments,
    ComprehensionValue,
    Data,
    FunctionValue,
    GeneratorValue,
    IteratorValue,
    Object,
    TupleValue,
    Unknown,
    Value,
    ValueSet,
    View,
    join,
    unknown,
)

#: Passes inside passes: wrappers, loader, batch samplers, sampler. Real towers have six.
DEEPEST_PASS = 10


class Iteration(Core):
    """The part of the interpreter that iterates."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]  # a mixin passes on what it is given
        self.started: dict[int, tuple[ValueSet, tuple[Pass, ...]]] = {}
        self.pulled_views: dict[int, tuple[View, IteratorValue]] = {}
        self.attribute_tries: list[list[GuardSeen]] = []

    def iterate(self, values: ValueSet, record: r.AnyExpression) -> tuple[ValueSet, tuple[Pass, ...]]:
        """Start a pass over each value; return the items and the passes."""
        if len(values) == 1:
            return self._iterate_value(values[0], record)
        before, after = self.pin(), None
        elements: list[ValueSet] = []
        passes: list[Pass] = []
        for value in values:
            self.cells = before
            items, started = self._iterate_value(value, record)
            after = self.merge(after, self.cells)
            elements.append(items)
            passes.extend(started)
        self.cells = after
        self.unpin()
        return join(*elements) if elements else (), tuple(passes)

    def _iterate_value(self, value: Value, record: r.AnyExpression) -> tuple[ValueSet, tuple[Pass, ...]]:
        if isinstance(value, TupleValue):
            return (join(*value.elements) if value.elements else ()), ()
        if isinstance(value, Object):
            if value.cls is LIST:
                return self.get_attribute(value, "[]") or (), ()
            if value.cls is DICT:
                return self._keys(value), ()
            return self.start_pass(value, record)
        if isinstance(value, GeneratorValue):
            return self.start_generator(value, record)
        if isinstance(value, IteratorValue):
            self._pull(value, record)
            return value.elements, value.passes
        if isinstance(value, View):
            return self._iterate_view(value, record)
        if isinstance(value, ComprehensionValue):
            return value.elements, ()
        if isinstance(value, Unknown):
            self.trace.unknown_passes.append((value, self.moment(record), text_of(record)))
            return unknown(f"items of {text_of(record)}: {value.reason}"), ()
        return (Data(),), ()

    def _keys(self, value: Object) -> ValueSet:
        keys = self.get_attribute(value, "#keys")
        if keys is not None and isinstance(keys[0], TupleValue) and keys[0].elements:
            return join(*keys[0].elements)
        return (Data(),)

    def _pull(self, value: IteratorValue, record: r.AnyExpression) -> None:
        here = self.moment(record)
        for one in value.passes:
            one.pulled.append(here)

    def _iterate_view(self, value: View, record: r.AnyExpression) -> tuple[ValueSet, tuple[Pass, ...]]:
        items: list[ValueSet] = []
        passes: list[Pass] = []
        for source in value.sources:
            found, started = self.iterate(source, record)
            items.append(found)
            passes.extend(started)
        if value.kind == "zip":
            return (TupleValue(tuple(items)),), tuple(passes)
        if value.kind == "enumerate":
            return (TupleValue(((Data(),), items[0] if items else ())),), tuple(passes)
        if value.kind == "map":
            return (Data(),), tuple(passes)
        return (items[0] if items else (Data(),)), tuple(passes)

    # --- passes ----------------------------------------------------------------------------------------------------

    def start_pass(self, value: Object, record: r.AnyExpression) -> tuple[ValueSet, tuple[Pass, ...]]:
        """Start a pass over an object and run what its ``__iter__`` does."""
        if len(self.passes) >= DEEPEST_PASS or any(one.source is value for one in self.passes):
            return unknown("a pass inside itself"), ()
        if isinstance(value.cls, ProjectClass) and class_has(value.cls, "__iter__") is None and value.cls.is_open:
            self.trace.unknown_passes.append((value, self.moment(record), text_of(record)))
        one = Pass(value, self.moment(record), text_of(record))
        one.entry = self.fork() if not self.passes else None
        self.trace.passes.append(one)
        outer, self.passes = self.passes, (*self.passes, one)
        consuming, self.consuming = self.consuming, ()
        items = self._run_pass(value, one, record)
        self.passes = outer
        self.consuming = consuming
        return items, (one,)

    def _run_pass(self, value: Object, one: Pass, record: r.AnyExpression) -> ValueSet:
        cls = value.cls
        if isinstance(cls, LibraryClass):
            items, _ = self.library_pass(value, record)
            one.endless = any(base.entry.repeats for base in cls.ancestors())
            return items
        assert isinstance(cls, ProjectClass)
        method = method_of(value, "__iter__")
        if method is not None:
            if isinstance(method.record, r.FunctionDef) and method.record.is_generator:
                return self._run_generator(method, CallArguments(), one, record)
            return self._run_returned(value, self.call((method,), CallArguments(), record), one, record)
        if cls.function("__next__") is not None:
            return self._run_next(value, one, record)
        if cls.library_bases():
            items, _ = self.library_pass(value, record)
            return items
        if cls.function("__getitem__") is not None:
            return self._run_getitem(value, record)
        return unknown(f"items of {cls.name}")

    def _run_returned(self, value: Object, result: ValueSet, one: Pass, record: r.AnyExpression) -> ValueSet:
        """Go on with what an ``__iter__`` returned: itself, an iterator over something held, or a view."""
        items: list[ValueSet] = []
        for alternative in result:
            if isinstance(alternative, Object) and isinstance(alternative.cls, ProjectClass):
                if alternative.cls.function("__next__") is not None:
                    items.append(self._run_next(alternative, one, record))
                continue
            found, inner = self._iterate_value(alternative, record)
            one.endless = one.endless or (bool(inner) and all(other.endless for other in inner))
            items.append(found)
        return join(*items) if items else unknown(f"items of {value.cls.name}")

    def _run_next(self, value: Object, one: Pass, record: r.AnyExpression) -> ValueSet:
        """Take an object with ``__next__`` through two of its steps, as its consumer would."""
        method = method_of(value, "__next__")
        assert method is not None
        assert isinstance(method.record, r.FunctionDef)
        loop = Loop(method.record, self.frame, "next")
        loop.module = method.module
        ended = False
        handed_on = self.handed_on
        items: list[ValueSet] = []
        for turn in range(2):
            self.turns = (*self.turns, (loop, turn))
            self.raised.append([])
            items.append(self.call((method,), CallArguments(), record))
            raised = self.raised.pop()
            self.turns = self.turns[:-1]
            ended = ended or bool(raised)
            for cells in raised:
                self.cells = self.merge(self.cells, cells)
            if self.cells is None:
                break
        inner = [other for other in self.trace.passes if other.parent is one]
        one.endless = not ended and bool(inner) and any(other.moment.restarting for other in inner)
        if self.handed_on > handed_on:
            # It makes the next iterator and lets the consumer know that the pass is over.
            loop.kind = "each"
        return join(*items)

    def _run_getitem(self, value: Object, record: r.AnyExpression) -> ValueSet:
        method = method_of(value, "__getitem__")
        return self.call((method,), CallArguments(((Data(),),)), record) if method is not None else (Data(),)

    def start_generator(self, value: GeneratorValue, record: r.AnyExpression) -> tuple[ValueSet, tuple[Pass, ...]]:
        """Start a pass over the items of a generator and run its body, once."""
        known = self.started.get(value.uid)
        if known is not None:
            here = self.moment(record)
            for one in known[1]:
                one.pulled.append(here)
            return known
        if len(self.passes) >= DEEPEST_PASS or any(
            isinstance(one.source, GeneratorValue) and one.source.function.record is value.function.record
            for one in self.passes
        ):
            return unknown("a generator inside itself"), ()
        if not self.project.is_worth_running(value.function, value.arguments, self):
            self.escape(value.function.name, value.arguments, record)
            return unknown(f"items of {value.function.name}()"), ()
        one = Pass(value, self.moment(record), text_of(record))
        self.trace.passes.append(one)
        outer, self.passes = self.passes, (*self.passes, one)
        consuming, self.consuming = self.consuming, ()
        items = self._run_generator(value.function, value.arguments, one, record)
        self.passes = outer
        self.consuming = consuming
        self.started[value.uid] = (items, (one,))
        return items, (one,)

    def run_manager(self, value: GeneratorValue, record: r.AnyExpression) -> ValueSet:
        """Run the generator of a context manager, which is no pass; return what it yields."""
        if not self.project.is_worth_running(value.function, value.arguments, self):
            self.escape(value.function.name, value.arguments, record)
            return unknown(f"{value.function.name}() was not followed")
        one = Pass(value, self.moment(record), text_of(record))
        return self._run_generator(value.function, value.arguments, one, record)

    def _run_generator(
        self, function: FunctionValue, arguments: CallArguments, one: Pass, record: r.AnyExpression
    ) -> ValueSet:
        """Run a generator's body to its end; return all that it yields."""
        node = function.record
        if not isinstance(node, r.FunctionDef) or self.depth >= 24:
            return unknown(function.name)
        frame = self.enter(function, arguments, record)
        at_yield: list[Cells] = []
        self.yielded.append(at_yield)
        self.execute(node.body)
        self.yielded.pop()
        ends = self.cells is not None or bool(frame.returns)
        for _, cells in frame.returns:
            self.cells = self.merge(self.cells, cells)
        for cells in at_yield:
            # The consumer goes on after any item, so what held there holds after the pass has begun.
            self.cells = self.merge(self.cells, cells)
        one.endless = not ends and bool(frame.yields)
        self.leave(frame)
        return join(*frame.yields) if frame.yields else unknown(f"items of {function.name}()")

    def library_pass(self, value: Object, record: r.AnyExpression) -> tuple[ValueSet, tuple[Pass, ...]]:
        """Run the passes that a library's ``__iter__`` starts over what the object holds."""
        bases = library_classes(value)
        if any(base.entry.epoch == "advances itself" for base in bases):
            reached = next((base.entry.advances for base in bases if base.entry.advances), ())
            if not reached:
                return unknown("a batch"), ()
            self._advance(value, reached, record)
        holds = next((base.entry.holds for base in bases if base.entry.holds), ())
        found: list[Pass] = []
        for name in holds:
            for held in self.attribute(value, name, record):
                if isinstance(held, Object) and held.cls in (LIST, DICT):
                    items = self.get_attribute(held, "[]") or ()
                else:
                    items = (held,)
                for item in items:
                    if isinstance(item, Object) and item.cls not in (LIST, DICT):
                        found.extend(self._start_held(item, record))
                    elif isinstance(item, Unknown):
                        self.trace.unknown_passes.append((item, self.moment(record), text_of(record)))
        return unknown("a batch"), tuple(found)

    def pass_of_base(self, value: Object, record: r.AnyExpression) -> Value:
        """Return the iterator that a library's own ``__iter__`` makes for an object of a subclass."""
        if any(one.source is value for one in self.passes):
            items, passes = self.library_pass(value, record)
            return IteratorValue((value,), passes, items)
        one = Pass(value, self.moment(record), text_of(record))
        self.trace.passes.append(one)
        outer, self.passes = self.passes, (*self.passes, one)
        items, _ = self.library_pass(value, record)
        self.passes = outer
        return IteratorValue((value,), (one,), items)

    def _advance(self, value: Object, paths: tuple[str, ...], record: r.AnyExpression) -> None:
        """Set the epoch on what a framework's loader reaches when a pass starts."""
        here = self.moment(record)
        varies = frozenset(loop.uid for loop, _ in self.turns)
        for path in paths:
            for target in self.at_end_of(value, path, record):
                if isinstance(target, Object):
                    self.trace.epochs.append(EpochSet(target, (Data(varies),), here, here, "itself", None))

    def _start_held(self, value: Object, record: r.AnyExpression) -> tuple[Pass, ...]:
        entry = value.cls.entry if isinstance(value.cls, LibraryClass) else None
        if entry is not None and entry.kind == "dataset" and not entry.holds and not entry.epoch:
            return ()
        return self.start_pass(value, record)[1]

    def cycled(self, values: ValueSet, record: r.AnyExpression) -> ValueSet:
        """Return ``itertools.cycle`` over a value: the first pass, and the replays from memory."""
        loop = Loop(r.While(record.at, r.Constant(record.at, True), (), ()), self.frame, "cycle")
        loop.endless = True
        passes: list[Pass] = []
        items: ValueSet = ()
        for turn in range(2):
            self.turns = (*self.turns, (loop, turn))
            items, started = self.iterate(values, record)
            self.turns = self.turns[:-1]
            if turn == 0:
                passes.extend(started)
        for one in passes:
            one.endless = True
        return (IteratorValue(values, tuple(passes), items),)
