"""Calls: functions of the project, constructors, and what the tables say of libraries."""

from __future__ import annotations

from lint_epoch.facts import records as r
from lint_epoch.facts.text import text_of
from lint_epoch.project import walk
from lint_epoch.project.classes import DICT, ProjectClass
from lint_epoch.project.interpreter.core import DEEPEST_CALL, Core
from lint_epoch.project.model import method_of
from lint_epoch.project.passes import EpochSet
from lint_epoch.project.ranks import by_name
from lint_epoch.project.state import Frame
from lint_epoch.project.values import (
    BoundExternal,
    CallArguments,
    ClassValue,
    Const,
    Data,
    External,
    FunctionValue,
    GeneratorValue,
    Object,
    Partial,
    SuperValue,
    TupleValue,
    Unknown,
    Value,
    ValueSet,
    each,
    join,
    unknown,
)

#: Methods and functions that look at what they are given and keep nothing: giving them a loader says nothing.
HARMLESS = frozenset(
    {
        "print", "info", "debug", "warning", "warn", "error", "log", "format", "append", "extend", "add", "repr", "str",
        "id", "type", "vars", "dir", "hash", "write", "writelines", "put", "pprint", "critical", "exception",
    }
)  # fmt: skip

#: Functions whose name says that they give the number of a rank, whatever they do inside.
RANK_FUNCTIONS = frozenset({"get_rank", "get_local_rank", "get_global_rank", "get_dist_rank", "get_process_index"})
MAIN_FUNCTIONS = frozenset({"is_main_process", "is_master", "is_main", "is_rank_zero", "is_local_main_process"})


class Calls(Core):
    """The part of the interpreter that calls."""

    def _eval_Call(self, node: r.Call) -> ValueSet:
        if isinstance(node.func, r.Name):
            builtin = getattr(self, f"_builtin_{node.func.id}", None)
            if builtin is not None and not self.is_shadowed(node.func.id):
                return builtin(node)  # type: ignore[no-any-return]
        name = walk.last_name(node.func)
        if name in RANK_FUNCTIONS:
            return (Data(rank=True),)
        if name in MAIN_FUNCTIONS:
            return (Data(rank=True, main_only=True),)
        if isinstance(node.func, r.Attribute):
            return self._call_method(node, node.func)
        return self.call(self.evaluate(node.func), self.arguments(node), node)

    def is_shadowed(self, name: str) -> bool:
        """Whether a builtin's name is bound by the project."""
        frame: Frame | None = self.frame
        while frame is not None:
            if self.load(frame.uid, name) is not None:
                return True
            frame = frame.closure
        known = self.frame.module.globals
        return known is not None and name in known

    def arguments(self, node: r.Call) -> CallArguments:
        """Return a call's arguments, evaluated in order."""
        positional: list[ValueSet] = []
        keywords: dict[str, ValueSet] = {}
        is_open = False
        for argument in node.arguments:
            values = self.evaluate(argument.value)
            if argument.star == "**":
                is_open |= not self._spread(values, keywords)
            elif argument.star == "*":
                items = self.known_items(values)
                is_open |= items is None
                positional.extend(items or [])
            elif argument.keyword is not None:
                keywords[argument.keyword] = values
            else:
                positional.append(values)
        return CallArguments(tuple(positional), keywords, is_open)

    def _spread(self, values: ValueSet, keywords: dict[str, ValueSet]) -> bool:
        """Spread a dict, or several of which it is one, into keywords; return whether all of it was known."""
        if len(values) > 1:
            return self._spread_one_of(values, keywords)
        if len(values) != 1 or not isinstance(values[0], Object) or values[0].cls is not DICT:
            return False
        found = values[0]
        keys = self.get_attribute(found, "#keys")
        if keys is None:
            return self.get_attribute(found, "[]") is None
        # Keys that were added one by one after the display are cells of their own.
        names = {f"[{k.value!r}]": k.value for (k,) in keys[0].elements if isinstance(k, Const)}  # type: ignore[attr-defined]
        for (uid, cell), _ in self.cells.items() if self.cells is not None else ():
            if uid == found.uid and cell.startswith("['"):
                names.setdefault(cell, cell[2:-2])
        for cell, name in names.items():
            held = self.get_attribute(found, cell)
            if isinstance(name, str) and held is not None:
                keywords.setdefault(name, held)
        return True

    def _spread_one_of(self, values: ValueSet, keywords: dict[str, ValueSet]) -> bool:
        """Spread the dict that one of several is: a keyword that not all of them have may be missing."""
        spreads: list[dict[str, ValueSet]] = []
        for value in values:
            spread: dict[str, ValueSet] = {}
            if not self._spread((value,), spread):
                return False
            spreads.append(spread)
        for name in {name for spread in spreads for name in spread}:
            given = [spread.get(name, unknown(f"{name} may not be given")) for spread in spreads]
            keywords.setdefault(name, join(*given))
        return True

    # --- methods ---------------------------------------------------------------------------------------------------

    def _call_method(self, node: r.Call, func: r.Attribute) -> ValueSet:
        receivers = self.evaluate(func.value)
        if func.attr == "eval" and not node.arguments:
            self.frame.evaluation = True
        elif func.attr == "train" and not node.arguments and not any(self._is_of_project(v) for v in receivers):
            self.frame.evaluation = False
        arguments = self.arguments(node)
        if func.attr == "set_epoch" and any(isinstance(value, Unknown) for value in receivers):
            self.saw("unseen", "set_epoch", (), node)
            self._told_by_class(func.value, receivers, arguments, node)
        results: list[ValueSet] = []
        missing: list[Value] = []
        for receiver in receivers:
            member = self.attribute(receiver, func.attr, func)
            if member == ():
                missing.append(receiver)
                continue
            if isinstance(receiver, Const) and receiver.value is None:
                continue
            results.append(self._call_member(receiver, func, member, arguments, node))
        if missing:
            present = [value for value in receivers if value not in missing]
            self.missing_method(func, tuple(missing), tuple(present), node)
        return join(*results) if results else unknown(f"{text_of(func)} is not there")

    def _told_by_class(
        self, record: r.AnyExpression, receivers: ValueSet, arguments: CallArguments, node: r.Call
    ) -> None:
        """Write down an epoch that is set on something unseen of which a test around the call has asked the class."""
        text = text_of(record)
        for guard in self.guards:
            test = guard.test
            if not guard.branch or not isinstance(test, r.Call) or walk.last_name(test) != "isinstance":
                continue
            if len(test.arguments) != 2 or text_of(test.arguments[0].value) != text:
                continue
            for wanted in self.evaluate(test.arguments[1].value):
                if isinstance(wanted, ClassValue) and isinstance(wanted.cls, ProjectClass):
                    target = Object(wanted.cls, (wanted.cls.module, wanted.cls.record.at), assumed=True)
                    here = self.moment(node)
                    values = arguments.positional[0] if arguments.positional else ()
                    self.trace.epochs.append(EpochSet(target, values, here, self.origin or here, "call", None))

    def _call_member(
        self, receiver: Value, func: r.Attribute, member: ValueSet, arguments: CallArguments, node: r.Call
    ) -> ValueSet:
        if func.attr != "set_epoch" or not isinstance(receiver, Object):
            if isinstance(receiver, Unknown) and func.attr in HARMLESS:
                return (Data(),)
            if isinstance(receiver, Unknown) and func.attr == "prepare" and _is_accelerator(func.value):
                # A parameter or attribute of that name is accelerate's in all code that was read.
                known = Object(self.project.library_class("accelerate.Accelerator"), self.site(node), assumed=True)
                member = self.attribute(known, func.attr, func)
            return self.call(member, arguments, node)
        outer = self.origin
        here = self.moment(node)
        self.origin = outer or here
        values = arguments.positional[0] if arguments.positional else next(iter(arguments.keywords.values()), ())
        first = node.arguments[0].value if node.arguments else None
        try:
            if any(isinstance(value, Unknown) for value in member):
                self.saw("escape", text_of(func), (receiver, *self.held_by(receiver)), node)
                return unknown("set_epoch that cannot be seen")
            self.trace.epochs.append(EpochSet(receiver, values, here, self.origin, "call", first))
            own = [value for value in member if isinstance(value, BoundExternal) and value.receiver is receiver]
            return (Const(None),) if own else self.call(member, arguments, node)
        finally:
            self.origin = outer

    @staticmethod
    def _is_of_project(value: Value) -> bool:
        """Whether a value is an object with a ``train`` of its own: a trainer, not a model."""
        return (
            isinstance(value, Object)
            and isinstance(value.cls, ProjectClass)
            and value.cls.function("train") is not None
        )

    def held_by(self, value: Object) -> list[Value]:
        """Return the loaders and samplers that an object holds in its attributes."""
        found: list[Value] = []
        names = {name for (uid, name), _ in self.cells.items() if uid == value.uid} if self.cells is not None else set()
        for name in sorted(names | set(value.base)):
            found.extend(self.project.loaders_in(self.get_attribute(value, name) or (), self))
        return found

    def noticed_assignment(self, owner: Object, name: str, values: ValueSet, record: r.AnyExpression) -> None:
        """Write down an assignment to the field in which a sampler keeps its epoch, or the seed beside it."""
        if not self.project.keeps_epoch_in(owner, name):
            return
        if name == "seed" and all(isinstance(value, Const) for value in values):
            return
        here = self.moment(record)
        function = self.frame.function.name.rpartition(".")[2] if self.frame.function is not None else ""
        if function == "__init__":
            return
        inside = any(one.source is owner for one in self.passes)
        by_its_own = self.frame.self_value is owner and function != "set_epoch"
        how = "itself" if inside or by_its_own else "assignment"
        self.trace.epochs.append(EpochSet(owner, values, here, self.origin or here, how, None))  # type: ignore[arg-type]  # one of three

    # --- calls of values -------------------------------------------------------------------------------------------

    def call(self, function: ValueSet, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        """Return what a call can give; a call that never returns leaves no memory behind."""
        if len(function) == 1:
            return self.call_value(function[0], arguments, record)
        before, after = self.pin(), None
        results: list[ValueSet] = []
        for value in function:
            self.cells = before
            result = self.call_value(value, arguments, record)
            if self.cells is not None:
                results.append(result)
            after = self.merge(after, self.cells)
        self.cells = after if function else before
        self.unpin()
        if not function:
            return unknown("a call of nothing known")
        return join(*results) if results else unknown("a call that does not return")

    def call_value(self, function: Value, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        """Return what a call of one alternative can give."""
        if isinstance(function, FunctionValue):
            return self._call_function(function, arguments, record)
        if isinstance(function, ClassValue):
            return self.construct(function, arguments, record)
        if isinstance(function, External):
            return self.call_external(function, arguments, record)
        if isinstance(function, BoundExternal):
            return self.call_bound_external(function, arguments, record)
        if isinstance(function, Partial):
            merged = CallArguments(
                (*function.arguments.positional, *arguments.positional),
                {**function.arguments.keywords, **arguments.keywords},
                function.arguments.open or arguments.open,
            )
            return self.call_value(function.function, merged, record)
        if (called := method_of(function, "__call__")) is not None:
            return self._call_function(called, arguments, record)
        self.escape(text_of(record), arguments, record)
        if isinstance(function, Data):
            return (Data(),)
        reason = function.reason if isinstance(function, Unknown) else "not a known function"
        name = text_of(record.func) if isinstance(record, r.Call) else ""
        return unknown(f"{name}() cannot be resolved" if name else reason)

    def escape(self, name: str, arguments: CallArguments, record: r.AnyExpression) -> None:
        """Write down that loaders or samplers were given to something that cannot be seen."""
        if isinstance(record, r.Call) and walk.last_name(record) in HARMLESS:
            return
        found = [value for values in arguments.values() for value in self.project.loaders_in(values, self)]
        if found:
            self.saw("escape", name, tuple(found), record)

    def _call_function(self, function: FunctionValue, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        node = function.record
        if isinstance(node, r.FunctionDef) and node.is_generator:
            return (GeneratorValue(function, arguments, self.site(record)),)
        if self.depth >= DEEPEST_CALL or self._is_running(function):
            return unknown(f"{function.name}: calls too deep to follow")
        result = self._followed(function, arguments, record)
        if function.bound is not None and restores_epoch(function):
            self.saw("reposition", function.name, (function.bound,), record)
        return result

    def _followed(self, function: FunctionValue, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        """Run the body of a function, if it has to do with loaders, and return what that gives."""
        node = function.record
        if not self.project.is_worth_running(function, arguments, self):
            named = by_name(node.name) if isinstance(node, r.FunctionDef) else None
            self.escape(function.name, arguments, record)
            return (named,) if named is not None else unknown(f"{function.name}() was not followed")
        frame = self.enter(function, arguments, record)
        if isinstance(node, r.Lambda):
            values = self.evaluate(node.body)
            self.leave(frame)
            return values
        self.execute(node.body)
        return self.returned(frame)

    def _is_running(self, function: FunctionValue) -> bool:
        frame: Frame | None = self.frame
        while frame is not None:
            running = frame.function
            if running is not None and running.record is function.record and running.bound is function.bound:
                return True
            frame = frame.caller
        return False

    def enter(self, function: FunctionValue, arguments: CallArguments, record: r.AnyExpression) -> Frame:
        """Begin a call: a new frame with the parameters bound."""
        frame = Frame(
            function.module, function, self.frame, self.site(record), closure=function.closure, owner=function.owner
        )
        frame.alone = frame.call_site == self.alone
        bindings = self.bind(function, arguments)
        self.depth += 1
        self.frame = frame
        self.pin()
        if isinstance(function.bound, Object):
            frame.self_value = function.bound
        for name, values in bindings.items():
            self.store(frame.uid, name, values)
        return frame

    def leave(self, frame: Frame) -> None:
        """End a call."""
        assert frame.caller is not None
        if self._cells is not None and not frame.captured:
            # Nobody can read the call's variables any more, and every later merge would pay for them.
            self._cells = self._cells.without(frame.uid, self._pinned[-1])
        self.unpin()
        self.frame = frame.caller
        self.depth -= 1

    def returned(self, frame: Frame) -> ValueSet:
        """End a call after its body; return what it gives."""
        results: list[ValueSet] = []
        ended = self.cells is None and not frame.returns and not self.raised and frame.alone
        if ended and not _never_returns(frame.function):
            # Some test was judged wrongly, of a flag that another thread sets perhaps: the job goes on. A call whose
            # value is used is another matter: a factory that refuses is one that is not meant.
            self.cells = self._last
            results.append(unknown("a call that seems not to return"))
        elif self.cells is not None:
            results.append((Const(None),))
        for values, cells in frame.returns:
            results.append(values)
            self.cells = self.merge(self.cells, cells)
        self.leave(frame)
        return join(*results) if results else unknown("a call that does not return")

    def bind(self, function: FunctionValue, arguments: CallArguments) -> dict[str, ValueSet]:
        """Return the values of a function's parameters for a call."""
        positional = list(arguments.positional)
        if function.bound is not None:
            positional.insert(0, (function.bound,))
        keywords = dict(arguments.keywords)
        bound: dict[str, ValueSet] = {}
        for parameter in function.record.parameters:
            if parameter.kind == "positional" and positional:
                bound[parameter.name] = positional.pop(0)
            elif parameter.kind in ("positional", "keyword"):
                given = keywords.pop(parameter.name, None)
                bound[parameter.name] = given if given is not None else self._default(function, parameter, arguments)
            elif parameter.kind == "*":
                rest = (*positional, *((unknown("*args"),) if arguments.open else ()))
                bound[parameter.name] = (TupleValue(rest),) if not arguments.open else unknown("*args")
                positional = []
            else:
                bound[parameter.name] = self._keywords(keywords, arguments.open)
        return bound

    def _keywords(self, keywords: dict[str, ValueSet], is_open: bool) -> ValueSet:
        made = Object(DICT, (None, 0))
        for name, values in keywords.items():
            self.fill(made, f"[{name!r}]", values)
        if is_open:
            self.fill(made, "[]", unknown("**kwargs"))
            return (made,)
        self.fill(made, "#keys", (TupleValue(tuple((Const(name),) for name in keywords)),))
        if keywords:
            self.fill(made, "[]", join(*keywords.values()))
        return (made,)

    def _default(self, function: FunctionValue, parameter: r.Parameter, arguments: CallArguments) -> ValueSet:
        if parameter.default is None:
            return self.project.parameter(function, parameter, self)
        if isinstance(parameter.default, r.Constant):
            values: ValueSet = (Const(parameter.default.value),)
        elif isinstance(parameter.default, r.Name | r.Attribute | r.Call):
            values = self.project.in_module(function, parameter.default, self)
        else:
            values = (Data(),)
        if arguments.open:
            return join(values, unknown("unpacked arguments", parameter.name))
        named = by_name(parameter.name)
        return (named,) if named is not None and values == (Const(0),) else values

    # --- what the builtins need --------------------------------------------------------------------------------------

    def _builtin_super(self, node: r.Call) -> ValueSet:
        frame: Frame | None = self.frame
        while frame is not None and frame.owner is None:
            frame = frame.closure
        if frame is None or frame.owner is None or frame.self_value is None:
            return unknown("super() outside of a method")
        return (SuperValue(frame.owner, frame.self_value),)

    def _builtin_partial(self, node: r.Call) -> ValueSet:
        arguments = self.arguments(node)
        return self.partial(arguments)

    def partial(self, arguments: CallArguments) -> ValueSet:
        """Return ``functools.partial`` of the first argument."""
        if not arguments.positional:
            return unknown("partial of nothing")
        rest = CallArguments(arguments.positional[1:], arguments.keywords, arguments.open)
        return each(arguments.positional[0], lambda value: (Partial(value, rest),))


def _never_returns(function: FunctionValue | None) -> bool:
    """Whether a function plainly ends in an exception, in the end of the program, or in a loop without an end."""
    if function is None or not isinstance(function.record, r.FunctionDef):
        return False
    last = function.record.body[-1]
    if isinstance(last, r.ExpressionStatement):
        return walk.last_name(last.value) in ("exit", "_exit", "abort", "error")
    return isinstance(last, r.Raise) or (isinstance(last, r.While) and walk.is_constant_true(last.test))


def _is_accelerator(node: r.AnyExpression) -> bool:
    return walk.last_name(node).lstrip("_").lower() in ("accelerator", "acc")


def restores_epoch(function: FunctionValue) -> bool:
    """Whether a method is the ``load_state_dict`` of a class and binds what its ``set_epoch`` binds."""
    node, owner = function.record, function.owner
    if not isinstance(node, r.FunctionDef) or node.name != "load_state_dict" or owner is None:
        return False
    told = owner.function("set_epoch")
    return told is not None and not set(walk.self_attributes(told[1])).isdisjoint(walk.self_attributes(node))
