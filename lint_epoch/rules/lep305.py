"""The loop sets the epoch of another loader's sampler than the one it reads.

## What it does

Reports a call in an epoch loop that reaches only samplers whose order does not matter there, while the sampler of
the loop's loader is never told.

## Why is this bad?

The loader that is read replays epoch 0, and the call makes it look handled.

## Example

    for epoch in range(epochs):
        val_sampler.set_epoch(epoch)
        for batch in train_loader:
            ...

## Use instead

    train_sampler.set_epoch(epoch)

## Fix safety

Safe: the call names the sampler of the loader that is read, if an expression in the loop's scope leads to it and the
conditions round the call are those under which it was made.

## Known limits

If both samplers are set, or the one that is read does not shuffle, nothing is reported.

## References

- PyTorch, torch.utils.data: https://docs.pytorch.org/docs/stable/data.html
- What each fault does at run time: docs/runtime-facts.md
"""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.project.view import Model
from lint_epoch.rules.base import Draft, Rule
from lint_epoch.rules.call_mends import name_the_right_one


class EpochSetElsewhere(Rule):
    """LEP305."""

    code = "LEP305"
    name = "epoch-set-elsewhere"
    summary = "the loop sets the epoch of another loader's sampler than the one it reads"
    consequence = "same order every epoch"
    fixable = True

    def check(self, model: Model) -> Iterator[Draft]:
        """Report calls in a loop that reach only samplers that the loop does not read."""
        verdicts = list(model.faulty("set elsewhere"))
        for verdict in verdicts:
            repeat = verdict.repeat
            epoch = verdict.evidence[0]
            message = (
                f"this sets the epoch of the {model.describe(epoch.target)}, but the loop reads "
                f"{repeat.consumer.text}: the {model.describe(repeat.target)} gives the same order each time"
            )
            place = epoch.origin
            steps = [(place.module, place.at, "the epoch is set here"), *model.steps(repeat)]
            draft = Draft(self.code, place.module, place.at, message, steps, model.confidence(repeat))
            same = [other.repeat for other in verdicts if other.repeat.loop.record is repeat.loop.record]
            name_the_right_one(model, same, epoch).offered_by(draft)
            yield draft


RULE = EpochSetElsewhere()
