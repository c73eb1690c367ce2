"""A multi-epoch loop over a shuffling distributed loader, and no `set_epoch` on any route.

## What it does

Reports a loop that takes the same pass over a shuffling, epoch-aware sampler again and again while nothing in its
turns sets the epoch. The loop may be a framework's: Lightning's Trainer and that of Hugging Face take the loader from a
method of your class and set the epoch of what they know, a loader's sampler for one, but not of what is inside a
wrapper of yours; an engine of Ignite sets nothing by itself. A shuffled streaming dataset of Hugging Face needs its own
`set_epoch`, too.

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

Safe: a call is inserted at the top of the loop, or in front of the pass where the loader comes only in the course of a
turn. It is given the loop's variable; an unused one (`_`) is given a name, and a `while` loop without a count gets one.
Where the sampler was made under a condition, the call asks the same, or asks what it got. Where a wrapper on the path
lacks `set_epoch`, that is mended first (LEP101). No fix is offered where nothing in the loop's scope leads to the
sampler, or nothing counts its turns. An engine of Ignite gets a handler in front of its run, if `Events` is imported;
of any other framework's loop the message names the hook for the call.

## Known limits

Validation and test loops are silent. A loader that was given to a function that cannot be resolved is unknown,
since a framework may set the epoch. A framework's loop is silent where the class brings its own loop, or where a
callback of the project sets an epoch.

## References

- PyTorch, torch.utils.data: https://docs.pytorch.org/docs/stable/data.html
- What each fault does at run time: docs/runtime-facts.md
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from lint_epoch.project.epochs import Repeat
from lint_epoch.project.receivers import waits_for_wrapper
from lint_epoch.project.view import Model
from lint_epoch.rules.base import Draft, Rule
from lint_epoch.rules.common import loop_place, loop_words
from lint_epoch.rules.engine_mends import tell_in_a_handler
from lint_epoch.rules.mends import after_wrapper, set_at_top


class EpochNeverSet(Rule):
    """LEP301."""

    code = "LEP301"
    name = "epoch-never-set"
    summary = "a multi-epoch loop over a shuffling distributed loader, and no `set_epoch` on any route"
    consequence = "same order every epoch"
    fixable = True

    def check(self, model: Model) -> Iterator[Draft]:
        """Report loops of the consumer that take the same pass again and again."""
        by_loop: dict[tuple[str, int], list[Repeat]] = defaultdict(list)
        for verdict in model.faulty("never set"):
            if verdict.repeat.loop.kind != "any user's":
                module, at = loop_place(verdict.repeat)
                by_loop[module.path, at].append(verdict.repeat)
        for repeats in by_loop.values():
            yield self._draft(model, repeats, [one for others in by_loop.values() for one in others])

    def _draft(self, model: Model, repeats: Sequence[Repeat], all_repeats: Sequence[Repeat]) -> Draft:
        repeat = repeats[0]
        module, at = loop_place(repeat)
        message = (
            f"nothing sets the epoch in {loop_words(repeat)}: "
            f"the {model.describe(repeat.target)} gives the same order on each turn"
        )
        draft = Draft(self.code, module, at, message, model.steps(repeat), model.confidence(repeat))
        if any(_repeats_inside(repeat, other) for other in all_repeats):
            return draft
        if repeat.loop.hook:
            tell_in_a_handler(repeats).offered_by(draft)
            return draft
        waits = any(waits_for_wrapper(model.project, one) for one in repeats)
        mend = after_wrapper(repeat.loop) if waits else set_at_top(model, repeats)
        mend.offered_by(draft)
        return draft


def _repeats_inside(outer: Repeat, inner: Repeat) -> bool:
    """Whether a loop inside repeats the same sampler, so that setting the epoch there serves both."""
    loops = [loop.record.at for loop, _ in inner.first.chain()[0].moment.turns if loop.module is outer.loop.module]
    place, other = outer.loop.record.at, inner.loop.record.at
    is_inside = place in loops and other in loops and loops.index(place) < loops.index(other)
    return is_inside and inner.target.site == outer.target.site


RULE = EpochNeverSet()
