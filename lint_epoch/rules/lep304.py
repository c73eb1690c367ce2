"""`itertools.cycle`, or an endless generator, over a distributed loader.

## What it does

Reports generators that start pass after pass over a loader whose sampler needs the epoch, and `itertools.cycle`
over one.

## Why is this bad?

`itertools.cycle` keeps the first pass in memory and gives the very same tensors again; a generator repeats the
order of epoch 0.

## Example

    def cycle(loader):
        while True:
            yield from loader

## Use instead

    def cycle(loader):
        epoch = 0
        while True:
            loader.sampler.set_epoch(epoch)
            epoch += 1
            yield from loader

## Fix safety

There is no fix yet: advance the epoch on each pass.

## Known limits

A generator over a loader that advances by itself, or whose consumer sets the epoch between two pulls, is not
reported.

## References

- PyTorch, torch.utils.data: https://docs.pytorch.org/docs/stable/data.html
- What each fault does at run time: docs/runtime-facts.md
"""

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
            yield Draft(self.code, module, at, message, model.steps(repeat), model.confidence(repeat))


RULE = CycleReplaysEpoch()
