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

Safe: the generator gets a count of its passes and sets the epoch in front of each. If the job told the sampler an
epoch before, the count goes on from it. Anything else that a helper may be given is left as it is: the call is made
only if there is a `set_epoch`. `itertools.cycle` gives its place to such a generator, in modules whose functions have
no annotations, and where the job has told no epoch before.

## Known limits

A generator over a loader that advances by itself, or whose consumer sets the epoch between two pulls, is not
reported.

## References

- PyTorch, torch.utils.data: https://docs.pytorch.org/docs/stable/data.html
- What each fault does at run time: docs/runtime-facts.md
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from lint_epoch.project.epochs import Repeat
from lint_epoch.project.receivers import waits_for_wrapper
from lint_epoch.project.view import Model
from lint_epoch.rules.base import Draft, Rule
from lint_epoch.rules.common import loop_place
from lint_epoch.rules.cycle_mends import replace_cycle
from lint_epoch.rules.mends import Mend, after_wrapper, set_at_top


class CycleReplaysEpoch(Rule):
    """LEP304."""

    code = "LEP304"
    name = "cycle-replays-epoch"
    summary = "`itertools.cycle`, or an endless generator, over a distributed loader"
    consequence = "same order every epoch"
    fixable = True

    def check(self, model: Model) -> Iterator[Draft]:
        """Report generators that start pass after pass over a loader that they are given."""
        by_loop: dict[tuple[str, int], list[Repeat]] = defaultdict(list)
        for verdict in model.faulty("generator repeats"):
            module, at = loop_place(verdict.repeat)
            by_loop[module.path, at].append(verdict.repeat)
        cycles = Counter(path for (path, _), repeats in by_loop.items() if repeats[0].loop.kind == "cycle")
        for (path, _), repeats in by_loop.items():
            yield self._draft(model, repeats, cycles[path])

    def _draft(self, model: Model, repeats: Sequence[Repeat], cycles: int) -> Draft:
        repeat = repeats[0]
        module, at = loop_place(repeat)
        what = (
            "itertools.cycle keeps the first pass in memory and gives it again and again"
            if repeat.loop.kind == "cycle"
            else f"{repeat.loop.frame.name} starts pass after pass without advancing the epoch"
        )
        message = f"{what}: the {model.describe(repeat.target)} gives the same order on each pass"
        draft = Draft(self.code, module, at, message, model.steps(repeat), model.confidence(repeat))
        mend = _mend(model, repeats, cycles)
        mend.offered_by(draft)
        return draft


def _mend(model: Model, repeats: Sequence[Repeat], cycles: int) -> Mend:
    if any(waits_for_wrapper(model.project, repeat) for repeat in repeats):
        return after_wrapper(repeats[0].loop)
    if repeats[0].loop.kind == "cycle":
        return replace_cycle(model, repeats, cycles)
    return set_at_top(model, repeats)


RULE = CycleReplaysEpoch()
