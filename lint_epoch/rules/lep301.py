"""A multi-epoch loop over a shuffling distributed loader, and no `set_epoch` on any route."""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.project.view import Model
from lint_epoch.rules.base import Draft, Rule
from lint_epoch.rules.common import loop_place


class EpochNeverSet(Rule):
    """LEP301."""

    code = "LEP301"
    name = "epoch-never-set"
    summary = "a multi-epoch loop over a shuffling distributed loader, and no `set_epoch` on any route"
    consequence = "same order every epoch"
    fixable = True

    def check(self, model: Model) -> Iterator[Draft]:
        """Report loops of the consumer that take the same pass again and again."""
        for verdict in model.faulty("never set"):
            repeat = verdict.repeat
            module, at = loop_place(repeat)
            message = (
                f"nothing sets the epoch in this loop over {repeat.consumer.text}: "
                f"the {model.describe(repeat.target)} gives the same order on each turn"
            )
            yield Draft(self.code, module, at, message, model.steps(repeat))


RULE = EpochNeverSet()
