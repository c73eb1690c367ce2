"""`set_epoch` after the iterator was made, or inside the batch loop."""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.project.view import Model
from lint_epoch.rules.base import Draft, Rule


class SetEpochTooLate(Rule):
    """LEP303."""

    code = "LEP303"
    name = "set-epoch-too-late"
    summary = "`set_epoch` after the iterator of the same pass was made"
    consequence = "one pass behind"
    fixable = True

    def check(self, model: Model) -> Iterator[Draft]:
        """Report calls that reach the sampler when the pass has drawn its order already."""
        for verdict in model.faulty("too late"):
            repeat = verdict.repeat
            for epoch in verdict.evidence:
                started = repeat.consumer.moment
                inside = bool(epoch.moment.consuming)
                when = "inside the loop over its batches" if inside else "after the iterator was made"
                message = (
                    f"set_epoch comes {when} ({model.place(started.module, started.at)}): "
                    f"the {model.describe(repeat.target)} is one pass behind"
                )
                place = epoch.origin
                steps = [*model.steps(repeat), (place.module, place.at, "the epoch is set here")]
                yield Draft(self.code, place.module, place.at, message, steps)


RULE = SetEpochTooLate()
