"""A multi-epoch loop over a shuffling distributed loader, and no `set_epoch` on any route.

## What it does

Reports a loop that takes the same pass over a shuffling, epoch-aware sampler again and again while nothing in its
turns sets the epoch.

## Why is this bad?

Every epoch replays the order of epoch 0 (measured: 1 distinct order in 3 passes).

## Example

    sampler = DistributedSampler(data)
    loader = DataLoader(data, sampler=sampler)
    for epoch in range(epochs):
        for batch in loader:
            step(batch)

## Use instead

    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for batch in loader:
            step(batch)

## Fix safety

There is no fix yet: insert the call at the top of the loop.

## Known limits

Validation and test loops are silent. A loader that was given to a function that cannot be resolved is unknown,
since a framework may set the epoch.

## References

- PyTorch, torch.utils.data: https://docs.pytorch.org/docs/stable/data.html
- What each fault does at run time: docs/runtime-facts.md
"""

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

    def check(self, model: Model) -> Iterator[Draft]:
        """Report loops of the consumer that take the same pass again and again."""
        for verdict in model.faulty("never set"):
            repeat = verdict.repeat
            if repeat.loop.kind == "any user's":
                continue
            module, at = loop_place(repeat)
            message = (
                f"nothing sets the epoch in this loop over {repeat.consumer.text}: "
                f"the {model.describe(repeat.target)} gives the same order on each turn"
            )
            yield Draft(self.code, module, at, message, model.steps(repeat), model.confidence(repeat))


RULE = EpochNeverSet()
