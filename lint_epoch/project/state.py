"""Where the interpreter is: frames, loops and their turns, guards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lint_epoch.facts import records as r
from lint_epoch.project.values import Data, FunctionValue, Site, Value, ValueSet, next_uid

if TYPE_CHECKING:
    from lint_epoch.project.classes import ProjectClass
    from lint_epoch.project.memory import Cells
    from lint_epoch.project.modules import ModuleFile


class Frame:
    """One call of a function, or one run of a module's body."""

    __slots__ = (
        "alone", "call_site", "caller", "captured", "class_body", "closure", "declared", "evaluation", "function",
        "keeps", "module", "owner", "returns", "self_value", "uid", "yields",
    )  # fmt: skip

    def __init__(
        self,
        module: ModuleFile,
        function: FunctionValue | None,
        caller: Frame | None,
        call_site: Site,
        *,
        closure: Frame | None = None,
        owner: ProjectClass | None = None,
    ) -> None:
        self.uid = next_uid()
        self.module = module
        self.function = function
        self.caller = caller
        self.call_site = call_site
        """Where the call stands."""
        self.closure = closure
        self.owner = owner
        self.alone = False
        """Whether the call was made for its effect alone."""
        self.self_value: Value | None = None
        self.returns: list[tuple[ValueSet, Cells]] = []
        self.yields: list[ValueSet] = []
        self.declared: dict[str, str] = {}
        """Names declared ``global`` or ``nonlocal``."""
        self.captured = False
        """Whether a nested function may read the variables after the call is over."""
        self.evaluation: bool | None = None
        """Whether the function has last put its model into evaluation mode (True) or training mode (False)."""

    @property
    def name(self) -> str:
        """The function's name, or the module's."""
        return self.function.name if self.function is not None else self.module.shown

    def is_evaluating(self) -> bool:
        """Whether the nearest call that said so has put the model into evaluation mode."""
        frame: Frame | None = self
        while frame is not None:
            if frame.evaluation is not None:
                return frame.evaluation
            frame = frame.caller
        return False

    def chain(self) -> list[Frame]:
        """The frames from the outermost call to this one."""
        found: list[Frame] = []
        frame: Frame | None = self
        while frame is not None:
            found.append(frame)
            frame = frame.caller
        found.reverse()
        return found


class Loop:
    """One execution of a loop statement; the interpreter takes it through its first two turns."""

    __slots__ = (
        "asks_loader",
        "endless",
        "entry",
        "frame",
        "hook",
        "kind",
        "module",
        "reads",
        "record",
        "runner",
        "uid",
    )

    def __init__(self, record: r.For | r.While | r.FunctionDef | r.Comprehension, frame: Frame, kind: str) -> None:
        self.uid = next_uid()
        self.record = record
        self.frame = frame
        self.module = frame.module
        self.kind = kind
        """``count`` (over numbers, or a ``while``), ``data`` (over a loader), ``each`` (over known items),
        ``next`` (the calls of a ``__next__``), ``framework`` (its own training loop), ``unknown``."""
        self.runner = ""
        """Whose loop it is and what of the loader that tells the epoch, for a framework's."""
        self.hook = ""
        """The method in which code of the project is run in front of each pass of a framework's."""
        self.asks_loader = True
        """Whether it calls a ``set_epoch`` of the loader itself, if there is one; so does code of the project."""
        self.endless = False
        """Whether only ``break``, ``return`` or an exception ends it."""
        self.reads: ValueSet = ()
        self.entry: Cells | None = None
        """The memory in front of its first turn."""

    @property
    def repeats(self) -> bool:
        """Whether its turns do the same again (unlike a loop over a few known items)."""
        return self.kind != "each"

    def __repr__(self) -> str:
        return f"<loop {self.kind} {self.module.shown}@{self.record.at}>"


Turns = tuple[tuple[Loop, int], ...]


class Guard:
    """A branch that is being executed: the test, which way it went, and what it depends on."""

    __slots__ = ("at", "branch", "module", "rank", "test")

    def __init__(self, module: ModuleFile, test: r.AnyExpression, branch: bool, rank: bool) -> None:
        self.module = module
        self.at = test.at
        self.test = test
        self.branch = branch
        self.rank = rank
        """Whether some ranks take this branch and others do not."""


def varying(*values: ValueSet) -> frozenset[int]:
    """Return the loops that change one of the values."""
    found: frozenset[int] = frozenset()
    for alternatives in values:
        for value in alternatives:
            if isinstance(value, Data):
                found |= value.varies
    return found
