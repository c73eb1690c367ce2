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

There is no fix yet: name the sampler of the loader that is read.

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


class EpochSetElsewhere(Rule):
    """LEP305."""

    code = "LEP305"
    name = "epoch-set-elsewhere"
    summary = "the loop sets the epoch of another loader's sampler than the one it reads"
    consequence = "same order every epoch"

    def check(self, model: Model) -> Iterator[Draft]:
        """Report calls in a loop that reach only samplers that the loop does not read."""
        for verdict in model.faulty("set elsewhere"):
            repeat = verdict.repeat
            epoch = verdict.evidence[0]
            message = (
                f"this sets the epoch of the {model.describe(epoch.target)}, but the loop reads "
                f"{repeat.consumer.text}: the {model.describe(repeat.target)} gives the same order each time"
            )
            place = epoch.origin
            steps = [(place.module, place.at, "the epoch is set here"), *model.steps(repeat)]
            yield Draft(self.code, place.module, place.at, message, steps, model.confidence(repeat))


RULE = EpochSetElsewhere()
