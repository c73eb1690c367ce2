"""`set_epoch` after the iterator was made, or inside the batch loop.

## What it does

Reports calls that reach the sampler when the pass has drawn its order, or while a persistent iterator draws ahead;
and the loader classes that make such an iterator for all passes in their constructor.

## Why is this bad?

The passes show the orders of epochs 0, 0, 1: one pass behind.

## Example

    for epoch in range(epochs):
        for batch in loader:
            sampler.set_epoch(epoch)

## Use instead

    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for batch in loader:
            ...

## Fix safety

Safe: the call is moved in front of the loop over the batches, or of what makes the iterator, with the conditions that
hold for it alone. No fix is offered where it needs something that is only known in between, or where the iterator
lives longer than the loop's turn.

## Known limits

Without worker processes the first index is drawn at the first `next`, so that a call between `iter()` and it is in
time; this is not told apart.

## References

- PyTorch, torch.utils.data: https://docs.pytorch.org/docs/stable/data.html
- What each fault does at run time: docs/runtime-facts.md
"""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.diagnostics import Confidence
from lint_epoch.project.persistent import persistent_iterators
from lint_epoch.project.view import Model
from lint_epoch.rules.base import Draft, Rule
from lint_epoch.rules.call_mends import move_in_front_of_pass


class SetEpochTooLate(Rule):
    """LEP303."""

    code = "LEP303"
    name = "set-epoch-too-late"
    summary = "`set_epoch` after the iterator of the same pass was made"
    consequence = "one pass behind"
    fixable = True

    def check(self, model: Model) -> Iterator[Draft]:
        """Report calls that reach the sampler when the pass has drawn its order already, and loaders made that way."""
        yield from self._persistent(model)
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
                draft = Draft(self.code, place.module, place.at, message, steps, model.confidence(repeat))
                move_in_front_of_pass(repeat, epoch).offered_by(draft)
                yield draft

    def _persistent(self, model: Model) -> Iterator[Draft]:
        seen = {id(source.cls) for verdict in model.faulty("too late") for source in verdict.repeat.sources()}
        for cls, made in persistent_iterators(model):
            message = (
                f"{cls.name} makes its only iterator in __init__: its workers draw the next pass before set_epoch is "
                "called for it, so the order is one pass behind"
            )
            steps = [(cls.module, made.at, "the iterator of all passes is made here")]
            confidence: Confidence = "proved" if id(cls) in seen else "likely"
            yield Draft(self.code, cls.module, cls.record.at, message, steps, confidence)


RULE = SetEpochTooLate()
