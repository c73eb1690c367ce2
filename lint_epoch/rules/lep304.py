"""`itertools.cycle`, or an endless generator, over a distributed loader."""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.project.view import Model
from lint_epoch.rules.base import Draft, Rule
from lint_epoch.rules.common import loop_place


class CycleReplaysEpoch(Rule):
    """LEP304."""

    code = "LEP304"
    name = "cycle-replays-epoch"
    summary = "`itertools.cycle`, or an endless generator, over a distributed loader"
    consequence = "same order every epoch"
    fixable = True

    def check(self, model: Model) -> Iterator[Draft]:
        """Report generators that start pass after pass over a loader that they are given."""
        for verdict in model.faulty("generator repeats"):
            repeat = verdict.repeat
            module, at = loop_place(repeat)
            what = (
                "itertools.cycle keeps the first pass in memory and gives it again and again"
                if repeat.loop.kind == "cycle"
                else f"{repeat.loop.frame.name} starts pass after pass without advancing the epoch"
            )
            message = f"{what}: the {model.describe(repeat.target)} gives the same order on each pass"
            yield Draft(self.code, module, at, message, model.steps(repeat))


RULE = CycleReplaysEpoch()
