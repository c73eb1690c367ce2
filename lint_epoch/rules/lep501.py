"""`accelerator.prepare` on a loader that is already split among the ranks.

## What it does

Reports a call of `prepare` with a loader whose sampler or dataset gives each rank its own part.

## Why is this bad?

`prepare` splits the batches once more: each rank trains on 1/N of its share (measured with two ranks: 8 of 16
samples seen in all).

## Example

    sampler = DistributedSampler(data)
    loader = accelerator.prepare(DataLoader(data, sampler=sampler))

## Use instead

    loader = accelerator.prepare(DataLoader(data, shuffle=True))

## Fix safety

There is no fix: leave the loader out of `prepare`, or give it an ordinary sampler.

## Known limits

A dataset that splits by rank is recognised by the names of rank and world size in its `__iter__`.

## References

- PyTorch, torch.utils.data: https://docs.pytorch.org/docs/stable/data.html
- What each fault does at run time: docs/runtime-facts.md
"""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.facts.text import text_of
from lint_epoch.project.view import Model
from lint_epoch.project.workers import sharded_twice
from lint_epoch.rules.base import Draft, Rule


class ShardedTwice(Rule):
    """LEP501."""

    code = "LEP501"
    name = "sharded-twice"
    summary = "`accelerator.prepare` on a loader whose sampler or dataset already gives each rank its own part"
    consequence = "data lost"

    def check(self, model: Model) -> Iterator[Draft]:
        """Report calls of ``prepare`` that split a split."""
        for call, loader, part in sharded_twice(model):
            message = (
                f"`{text_of(call.record)}` splits the loader at {model.made_at(loader)} among the ranks once more: "
                f"the {model.describe(part)} has done so already, and each rank trains on 1/N of its share; "
                "leave the loader out of prepare, or give it an ordinary sampler"
            )
            steps = [(call.moment.module, call.moment.at, "prepare splits the batches")]
            for value, what in ((loader, "of this loader"), (part, "whose samples are one rank's already")):
                if value.site[0] is not None:
                    steps.append((value.site[0], value.site[1], what))
            yield Draft(self.code, call.moment.module, call.moment.at, message, steps)


RULE = ShardedTwice()
