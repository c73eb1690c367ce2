"""What all parts of the interpreter share: memory, the present place, bounds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lint_epoch.facts import records as r
from lint_epoch.project.memory import Cells, merge
from lint_epoch.project.passes import CallSeen, Moment, Pass, Trace
from lint_epoch.project.state import Frame, Guard, Loop, Turns
from lint_epoch.project.values import Const, Object, Site, Value, ValueSet, each, join

if TYPE_CHECKING:
    from lint_epoch.project.classes import LibraryClass, ProjectClass
    from lint_epoch.project.model import Project
    from lint_epoch.project.values import (
        BoundExternal,
        CallArguments,
        ClassValue,
        External,
        FunctionValue,
        GeneratorValue,
    )

#: Statements executed from one root. A real training script with everything that it calls needs some thousands; a
#: root that needs more has recursion or tables in it, and what it would show is not worth the wait.
MOST_STEPS = 15_000

#: Statements executed for one group of files that imports join (some 5,000 a second). It keeps a check of a very large
#: code base within a minute. The roots come in a fixed order, so that which are left out does not depend on chance.
#: Modules that are run as scripts may use up half of what is left: the other half is for what they do not call.
MOST_STEPS_OF_GROUP = 120_000

#: Calls inside calls. The deepest real chains (script, trainer, fit, epoch, loader, wrapper, sampler) have about ten.
DEEPEST_CALL = 24

#: Turns of nested loops that are taken twice. Each doubles the work; the loops that matter (job, epoch, restart)
#: are three deep at most.
MOST_REPEATED_LOOPS = 4


class RunStoppedError(Exception):
    """The run from this root has reached a bound."""


class Core:
    """The interpreter's state and its smallest operations."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.trace = Trace()
        self._cells: Cells | None = Cells()
        self._last = Cells()
        self._pinned: list[Cells | None] = []
        self.frame: Frame
        self.turns: Turns = ()
        self.guards: tuple[Guard, ...] = ()
        self.passes: tuple[Pass, ...] = ()
        self.consuming: tuple[Pass, ...] = ()
        self.breaks: list[list[Cells]] = []
        self.continues: list[list[Cells]] = []
        self.raised: list[list[Cells]] = []
        self.steps = 0
        self.depth = 0
        self.clock = 0
        self.dead = 0
        self.restarting = 0
        self.alone: Site = (None, 0)
        """The call that was last made for its effect alone."""
        self.handed_on = 0
        """How many exceptions were raised while handling a ``StopIteration``."""
        self.touched: list[Object] = []
        self.yielded: list[list[Cells]] = []
        self.tries: list[bool] = []
        self.origin: Moment | None = None

    # --- the parts that other modules of the interpreter add -------------------------------------------------------

    def evaluate(self, node: r.AnyExpression) -> ValueSet:
        """Return what an expression can be."""
        raise NotImplementedError

    def execute(self, block: r.Block) -> None:
        """Run statements in order."""
        raise NotImplementedError

    def call(self, function: ValueSet, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        """Return what a call can give."""
        raise NotImplementedError

    def attribute(self, value: Value, name: str, record: r.AnyExpression) -> ValueSet:
        """Return what an attribute of a value can be."""
        raise NotImplementedError

    def iterate(self, values: ValueSet, record: r.AnyExpression) -> tuple[ValueSet, tuple[Pass, ...]]:
        """Start a pass over each value; return the items and the passes."""
        raise NotImplementedError

    def call_value(self, function: Value, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        """Return what a call of one alternative can give."""
        raise NotImplementedError

    def arithmetic(self, operator: str, left: ValueSet, right: ValueSet) -> ValueSet:
        """Return the outcome of an operation; small whole numbers are computed."""
        raise NotImplementedError

    def run_manager(self, value: GeneratorValue, record: r.AnyExpression) -> ValueSet:
        """Run the generator of a context manager; return what it yields."""
        raise NotImplementedError

    def noticed_assignment(self, owner: Object, name: str, values: ValueSet, record: r.AnyExpression) -> None:
        """Write down an assignment to the field in which a sampler keeps its epoch."""
        raise NotImplementedError

    def item_of(self, value: object, index: int | str | None, record: r.AnyExpression) -> ValueSet:
        """Return what ``value[index]`` can be."""
        raise NotImplementedError

    def enter_try(self, statement: r.Try) -> int:
        """Note that a ``try`` begins."""
        raise NotImplementedError

    def leave_try(self, mark: int) -> None:
        """Note that the body of a ``try`` has ended."""
        raise NotImplementedError

    def known_items(self, values: ValueSet) -> list[ValueSet] | None:
        """Return the items one by one, if the value is a short display of known items that matter."""
        raise NotImplementedError

    def assign_quietly(self, target: r.AnyExpression, values: ValueSet) -> None:
        """Bind the target of a comprehension."""
        raise NotImplementedError

    def library_attribute(self, value: Object, cls: LibraryClass, name: str, record: r.AnyExpression) -> ValueSet:
        """Return what an attribute of a library's object can be."""
        raise NotImplementedError

    def missing_method(self, func: r.Attribute, missing: ValueSet, present: ValueSet, node: r.Call) -> None:
        """Write down a call of a method that some receivers do not have."""
        raise NotImplementedError

    def class_variable(self, owner: ProjectClass, statement: r.Assign) -> ValueSet:
        """Return what a variable of a class's body holds."""
        raise NotImplementedError

    def call_external(self, function: External, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        """Return what a call of a library's function can give."""
        raise NotImplementedError

    def call_bound_external(
        self, function: BoundExternal, arguments: CallArguments, record: r.AnyExpression
    ) -> ValueSet:
        """Return what a call of a library object's method can give."""
        raise NotImplementedError

    def derived_stream(
        self, value: Object, arguments: CallArguments, record: r.AnyExpression, *, shuffled: bool
    ) -> ValueSet:
        """Return what a method of a stream gives."""
        raise NotImplementedError

    def engine_method(self, engine: Object, effect: str, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        """Return what a method of an engine gives, and do what it does."""
        raise NotImplementedError

    def decorate_handler(self, decorator: BoundExternal, functions: ValueSet) -> None:
        """``@engine.on(event)``: keep the function as a handler."""
        raise NotImplementedError

    def construct(self, value: ClassValue, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        """Return what a call of a class can give."""
        raise NotImplementedError

    def bind_library(self, made: Object, cls: LibraryClass, arguments: CallArguments) -> None:
        """Bind the arguments of a library's constructor."""
        raise NotImplementedError

    def escape(self, name: str, arguments: CallArguments, record: r.AnyExpression) -> None:
        """Write down that loaders or samplers were given to something that cannot be seen."""
        raise NotImplementedError

    def pass_of_base(self, value: Object, record: r.AnyExpression) -> Value:
        """Return the iterator that a library's own ``__iter__`` makes for an object of a subclass."""
        raise NotImplementedError

    def set_by_name(self, subject: ValueSet, names: ValueSet, values: ValueSet, record: r.AnyExpression) -> ValueSet:
        """Bind an attribute whose name is a value."""
        raise NotImplementedError

    def library_pass(self, value: Object, record: r.AnyExpression) -> tuple[ValueSet, object]:
        """Run the passes that a library's ``__iter__`` starts over what the object holds."""
        raise NotImplementedError

    def cycled(self, values: ValueSet, record: r.AnyExpression) -> ValueSet:
        """Return ``itertools.cycle`` over a value."""
        raise NotImplementedError

    def partial(self, arguments: CallArguments) -> ValueSet:
        """Return ``functools.partial`` of the first argument."""
        raise NotImplementedError

    def enter(self, function: FunctionValue, arguments: CallArguments, record: r.AnyExpression) -> Frame:
        """Begin a call."""
        raise NotImplementedError

    def leave(self, frame: Frame) -> None:
        """End a call."""
        raise NotImplementedError

    def arguments(self, node: r.Call) -> CallArguments:
        """Return a call's arguments, evaluated in order."""
        raise NotImplementedError

    # --- moments -------------------------------------------------------------------------------------------------

    def tick(self) -> None:
        """Count one step of work; raises RunStoppedError at the bound."""
        self.steps += 1
        self.project.steps += 1
        if self.depth == 0:
            # A module's own statements: its names are needed by others, and there are no more of them than written.
            return
        if self.steps > MOST_STEPS or self.project.steps > self.project.most_steps:
            raise RunStoppedError("the run reached its bound of statements")

    def moment(self, record: r.AnyExpression | r.AnyStatement | r.FunctionDef | int) -> Moment:
        """Return a record of the present time and place."""
        self.clock += 1
        at = record if isinstance(record, int) else record.at
        return Moment(
            self.clock,
            (self.frame.module, at),
            self.frame,
            self.turns,
            self.guards,
            self.passes,
            self.consuming,
            dead=self.dead > 0,
            restarting=self.restarting > 0,
        )

    def site(self, record: r.AnyExpression | r.AnyStatement) -> Site:
        """Return the place of a record in the present module."""
        return (self.frame.module, record.at)

    def made_by_library(self, name: str, record: r.AnyExpression) -> Object:
        """Return a new object of a library's class, made by a call here."""
        made = Object(self.project.library_class(name), self.site(record))
        made.frame = self.frame
        return made

    def twice(self, loop: Loop) -> Iterator[None]:
        """Take a loop that no code of the project writes through its two turns; each of them may also be left out."""
        for turn in range(2):
            self.turns = (*self.turns, (loop, turn))
            before = self.fork()
            yield
            self.cells = self.merge(before, self.cells)
            self.turns = self.turns[:-1]

    def at_end_of(self, value: Value, path: str, record: r.AnyExpression) -> ValueSet:
        """Return what a path of attributes (``batch_sampler.sampler``) leads to from a value; "" leads to itself."""
        values: ValueSet = (value,)
        for name in filter(None, path.split(".")):
            values = each(values, lambda one: self.attribute(one, name, record) if isinstance(one, Object) else ())  # noqa: B023
        return values

    def saw(self, kind: str, name: str, values: ValueSet, record: r.AnyExpression) -> None:
        """Write down a call that rules ask about."""
        self.trace.calls.append(CallSeen(kind, name, values, self.moment(record), record))  # type: ignore[arg-type]

    # --- memory --------------------------------------------------------------------------------------------------

    def load(self, uid: int, name: str) -> ValueSet | None:
        """Return what a cell holds."""
        return self._cells.get((uid, name)) if self._cells is not None else None

    def store(self, uid: int, name: str, values: ValueSet) -> None:
        """Put a value into a cell."""
        if self._cells is not None:
            self._cells[uid, name] = values

    def get_attribute(self, value: Object, name: str) -> ValueSet | None:
        """Return what an object's own attribute holds, if it was bound."""
        held = self.load(value.uid, name)
        return held if held is not None else value.base.get(name)

    def set_attribute(self, value: Object, name: str, held: ValueSet) -> None:
        """Bind an object's attribute."""
        self.store(value.uid, name, held)
        self.touched.append(value)
        self._named(name, held)
        if not value.holds_loader and self.project.loaders_in(held, self):
            value.holds_loader = True

    @staticmethod
    def _named(name: str, values: ValueSet) -> None:
        """Note the name under which objects are known."""
        for value in values:
            if isinstance(value, Object):
                value.names.add(name)

    def fill(self, value: Object, name: str, held: ValueSet) -> None:
        """Bind an attribute of an object that was only just made: on all branches that ever see it, it is there."""
        value.base[name] = held
        if not value.holds_loader and self.project.loaders_in(held, self):
            value.holds_loader = True

    def keep(self) -> None:
        """Make what objects hold now last beyond the present run."""
        # Where the end is never reached, what held at the last place that was is kept.
        cells = self._cells if self._cells is not None else self._last
        by_uid = {value.uid: value for value in self.touched}
        for (uid, name), held in cells.items():
            owner = by_uid.get(uid)
            if owner is not None:
                known = owner.base.get(name)
                owner.base[name] = held if known is None else join(known, held)
        self.touched.clear()

    @property
    def cells(self) -> Cells | None:
        """The memory; ``None`` where the code is not reached."""
        return self._cells

    @cells.setter
    def cells(self, cells: Cells | None) -> None:
        # A layer of its own on top: what is put in place may be kept elsewhere, to come back to.
        if cells is None and self._cells is not None:
            self._last = self._cells
        self._cells = cells.fork() if cells is not None else None

    def is_reached(self) -> bool:
        """Whether the code is reached."""
        return self._cells is not None

    def fork(self) -> Cells | None:
        """Return the memory as it is now, to come back to."""
        # The layer that forks start from, so that what comes back to it is seen to share it.
        kept = self._cells.topmost() if self._cells is not None else None
        self.cells = kept
        return kept

    def pin(self) -> Cells | None:
        """Begin a branching construct: return the memory that its branches start from and come back to."""
        kept = self.fork()
        self._pinned.append(kept)
        return kept

    def unpin(self) -> None:
        """End a branching construct."""
        self._pinned.pop()
        if self._cells is not None:
            self._cells = self._cells.folded(self._pinned[-1] if self._pinned else None)

    merge = staticmethod(merge)

    # --- names ---------------------------------------------------------------------------------------------------

    def read_name(self, name: str, record: r.Name) -> ValueSet:
        """Return what a variable can be."""
        frame: Frame | None = self.frame
        if self.frame.declared.get(name) != "global":
            while frame is not None:
                held = self.load(frame.uid, name)
                if held is not None:
                    return self.project.resolve(held, self)
                frame = frame.closure
        return self.project.global_name(self.frame.module, name, self)

    def bind_name(self, name: str, values: ValueSet) -> None:
        """Bind a variable."""
        self._named(name, values)
        kind = self.frame.declared.get(name)
        if kind == "global":
            module = self.frame.module
            if module.running:
                self.store(module.frame_uid, name, values)
            elif module.globals is not None:
                known = module.globals.get(name)
                module.globals[name] = values if not isinstance(known, tuple) else join(known, values)
            return
        if kind == "nonlocal":
            frame = self.frame.closure
            while frame is not None:
                if self.load(frame.uid, name) is not None:
                    self.store(frame.uid, name, values)
                    return
                frame = frame.closure
        self.store(self.frame.uid, name, values)


def truth(values: ValueSet) -> bool | None:
    """Whether a condition holds: yes, no, or unknown."""
    answers: set[bool] = set()
    for value in values:
        if isinstance(value, Const):
            answers.add(bool(value.value))
        elif type(value).__name__ in _TRUE_KINDS:
            answers.add(True)
        else:
            return None
    return answers.pop() if len(answers) == 1 else None


#: An object may define ``__bool__`` or be empty, so that it says nothing; functions and classes are always true.
_TRUE_KINDS = frozenset({"FunctionValue", "ClassValue", "ModuleValue", "BoundExternal", "Partial", "External"})
