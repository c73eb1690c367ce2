"""What ``lint-epoch fix --interactive`` asks: one finding at a time, with what its fix would change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from lint_epoch.report.concise import headline
from lint_epoch.report.diff import shown_patch
from lint_epoch.report.output import say
from lint_epoch.report.paths import harmless

if TYPE_CHECKING:
    from lint_epoch.diagnostics import Finding
    from lint_epoch.fixes.rounds import FileChange
    from lint_epoch.report.view import View


class Asker:
    """Asks for each fix whether to make it; after ``all`` or ``quit`` it knows the answer."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._always: bool | None = None

    def __call__(self, finding: Finding, change: FileChange) -> bool:
        """Return whether the user wants a fix, once they have seen it.

        Raises:
            click.Abort: the input has ended, or the user has interrupted it.
        """
        if self._always is not None:
            return self._always
        say(f"\n{headline(finding, self._view)}\n", colour=self._view.colour, error=True)
        if finding.fix is not None:
            say(f"{finding.fix.safety}: {harmless(finding.fix.description)}\n", error=True)
        say(shown_patch([change], self._view), colour=self._view.colour, error=True)
        answer = click.prompt(
            "make this change? yes, no, all, quit",
            type=click.Choice(["y", "n", "a", "q"], case_sensitive=False),
            default="n",
            err=True,
        )
        if answer in ("a", "q"):
            self._always = answer == "a"
        return answer in ("y", "a")
