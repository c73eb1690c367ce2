"""What a rule is, and what it hands over."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from lint_epoch.diagnostics import Confidence, Consequence, FixOffer
from lint_epoch.repairs import Repair

if TYPE_CHECKING:
    from lint_epoch.project.modules import ModuleFile
    from lint_epoch.project.view import Model, Step


@dataclass(slots=True)
class Draft:
    """A finding before its lines and columns are known."""

    code: str
    module: ModuleFile
    at: int
    message: str
    steps: list[Step] = field(default_factory=list)
    confidence: Confidence = "proved"
    consequence: Consequence | None = None
    """Overrides the rule's own consequence."""
    offer: FixOffer | None = None
    repairs: tuple[Repair, ...] = ()
    """Empty while the mend waits for another finding's (an inner wrapper's) to be made first."""


@dataclass(frozen=True, slots=True)
class Case:
    """An example: a small project, and the lines at which the rule reports in it (none for correct code)."""

    name: str
    """What the case shows, in words."""
    files: Mapping[str, str]
    """The project's files by path."""
    lines: tuple[tuple[str, int], ...] = ()
    """(path, line) of each finding of this rule, lines counted from 1."""


class Rule:
    """Base of all rules; the module's docstring is the rule's documentation."""

    code: ClassVar[str]
    name: ClassVar[str]
    summary: ClassVar[str]
    """What the rule says, in one sentence."""
    consequence: ClassVar[Consequence]
    fixable: ClassVar[bool] = False

    @property
    def cases(self) -> tuple[Case, ...]:
        """Faulty and correct examples; the tests and the documentation read them, a check never does."""
        found: tuple[Case, ...] = importlib.import_module(f"lint_epoch.rules.cases.{self.code.lower()}").CASES
        return found

    @property
    def documentation(self) -> str:
        """The documentation in Markdown, with the same headings in each rule."""
        return inspect.cleandoc(sys.modules[type(self).__module__].__doc__ or "")

    def check(self, model: Model) -> Iterator[Draft]:
        """Yield a draft for each place at which the rule reports."""
        raise NotImplementedError
