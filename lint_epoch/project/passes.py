"""What the interpreter saw happen: passes over loaders, epochs set, guards tested, in the order of time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from lint_epoch.facts import records as r
from lint_epoch.project.state import Frame, Guard, Loop, Turns
from lint_epoch.project.values import GeneratorValue, Object, Site, Value, ValueSet

if TYPE_CHECKING:
    from lint_epoch.project.memory import Cells
    from lint_epoch.project.modules import ModuleFile


class Moment:
    """When and where something happened."""

    __slots__ = ("consuming", "dead", "evaluating", "frame", "guards", "order", "passes", "restarting", "site", "turns")

    def __init__(
        self,
        order: int,
        site: Site,
        frame: Frame,
        turns: Turns,
        guards: tuple[Guard, ...],
        passes: tuple[Pass, ...],
        consuming: tuple[Pass, ...],
        *,
        dead: bool,
        restarting: bool,
    ) -> None:
        self.order = order
        self.site = site
        self.frame = frame
        self.turns = turns
        self.guards = guards
        self.passes = passes
        """The passes in whose own code it happened, outermost first."""
        self.consuming = consuming
        """The passes whose batches were being worked on, outermost first."""
        self.dead = dead
        """Whether it stands in a branch that is never taken."""
        self.evaluating = frame.is_evaluating()
        """Whether the model was in evaluation mode, or no gradients were wanted."""
        self.restarting = restarting
        """Whether it happened while handling a ``StopIteration``."""

    @property
    def module(self) -> ModuleFile:
        """The module of the place."""
        return self.site[0] or self.frame.module

    @property
    def at(self) -> int:
        """The index of the place's node."""
        return self.site[1]

    def turn(self, loop: Loop) -> int | None:
        """Return the turn of that loop in which it happened, if it happened inside."""
        return next((turn for other, turn in self.turns if other is loop), None)


class Pass:
    """One pass over an object: from the making of its iterator to its end."""

    __slots__ = ("endless", "entry", "moment", "pulled", "source", "text")

    def __init__(self, source: Object | GeneratorValue, moment: Moment, text: str) -> None:
        self.source = source
        self.moment = moment
        self.text = text
        self.endless = False
        """Whether the source's own code never ends the pass."""
        self.pulled: list[Moment] = []
        """When an item was asked for."""
        self.entry: Cells | None = None
        """The memory in front of it, for a pass that no other one has started."""

    @property
    def parent(self) -> Pass | None:
        """The pass in whose code this one was started."""
        return self.moment.passes[-1] if self.moment.passes else None

    def chain(self) -> list[Pass]:
        """The passes from the consumer's to this one."""
        return [*self.moment.passes, self]

    def __repr__(self) -> str:
        return f"<pass over {self.source} {self.moment.turns}>"


class EpochSet:
    """``set_epoch`` arrived at an object, or its epoch was changed in another way."""

    __slots__ = ("argument", "how", "moment", "origin", "target", "values")

    def __init__(
        self,
        target: Object,
        values: ValueSet,
        moment: Moment,
        origin: Moment,
        how: Literal["call", "assignment", "itself"],
        argument: r.AnyExpression | None,
    ) -> None:
        self.target = target
        self.values = values
        self.moment = moment
        self.origin = origin
        """The call from which it came, in the code that is nearest to the consumer."""
        self.how = how
        self.argument = argument


CallKind = Literal[
    "missing",  # of a method that is not there
    "length",  # of len()
    "prepare",  # of a framework's prepare
    "escape",  # of something that cannot be seen, with a loader or sampler
    "unseen",  # of set_epoch, on something that cannot be seen
    "save",  # of a loader's state_dict
    "restore",  # of a loader's load_state_dict
    "reposition",  # of the load_state_dict of a sampler that puts its epoch back
    "passes",  # of range(), from the number of whole passes over a loader
    "boundary",  # a test of how far the last pass over a loader has come
]


class CallSeen:
    """Something done that rules ask about; ``values`` are the objects concerned."""

    __slots__ = ("kind", "moment", "name", "record", "values")

    def __init__(
        self,
        kind: CallKind,
        name: str,
        values: ValueSet,
        moment: Moment,
        record: r.AnyExpression,
    ) -> None:
        self.kind = kind
        self.name = name
        self.values = values
        self.moment = moment
        self.record = record


class GuardSeen:
    """A test that asks whether an object has a method or is of a class, and its answer there and then."""

    __slots__ = ("answer", "kind", "moment", "name", "opens", "record", "subject", "subject_record")

    def __init__(
        self,
        kind: Literal["hasattr", "getattr", "isinstance", "except"],
        name: str,
        subject: ValueSet,
        subject_record: r.AnyExpression,
        answer: bool | None,
        moment: Moment,
        record: r.AnyExpression,
    ) -> None:
        self.kind = kind
        self.name = name
        """The attribute, or the class for ``isinstance``."""
        self.subject = subject
        self.subject_record = subject_record
        self.answer = answer
        self.moment = moment
        self.record = record
        self.opens: set[str] = set()
        """The methods that the branch behind the guard calls, where the branch is never taken."""


class Trace:
    """All that was seen in one run from one root, in the order of time."""

    __slots__ = ("calls", "epochs", "guards", "loops", "passes", "stopped", "unknown_passes")

    def __init__(self) -> None:
        self.passes: list[Pass] = []
        self.epochs: list[EpochSet] = []
        self.calls: list[CallSeen] = []
        self.guards: list[GuardSeen] = []
        self.loops: list[Loop] = []
        self.unknown_passes: list[tuple[Value, Moment, str]] = []
        """What was iterated but cannot be followed, when, and how it is written."""
        self.stopped = ""
        """Why the run ended before its end, if it did."""
