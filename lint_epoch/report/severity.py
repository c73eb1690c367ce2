"""How bad a finding is, for services that sort and colour by it; within lint-epoch a finding is a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lint_epoch.diagnostics import Consequence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lint_epoch.diagnostics import Finding

#: Worst first: data that nobody sees or several ranks see cannot be told from the logs, an exception can.
ORDER: tuple[Consequence, ...] = (
    "data lost",
    "ranks overlap",
    "same order every epoch",
    "starts over on resume",
    "one pass behind",
    "crashes when distributed",
    "length unknown",
    "silences nothing",
)


def is_error(finding: Finding) -> bool:
    """Whether every hop was seen; what is likely is a warning, and so is a comment that is not needed."""
    return finding.confidence == "proved" and finding.consequence != "silences nothing"


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, proved ones first, then by what they cause; else in their order."""
    return sorted(findings, key=lambda finding: (not is_error(finding), ORDER.index(finding.consequence)))
