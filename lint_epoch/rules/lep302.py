"""`set_epoch` with a constant, or with a value that the loop does not change.

## What it does

Reports a call in an epoch loop whose argument is provably the same on each turn, and one whose argument is a name
that nothing binds.

## Why is this bad?

The order is the same in each epoch (measured: 1 distinct order in 3 passes).

## Example

    for epoch in range(epochs):
        sampler.set_epoch(0)

## Use instead

    for epoch in range(epochs):
        sampler.set_epoch(epoch)

## Fix safety

Safe: the argument is replaced by the loop's variable, or by the parameter of the function that is given it; an unused
variable (`_`) is given a name. No fix is offered where the call stands in a function that is not told the count. For a
name that nothing binds, the fix takes the only count of a loop around the call, or the only parameter that is called
after the epoch, and is unsafe, since the author may have meant another.

## Known limits

Anything that changes from pass to pass will do, step counts too; a value that cannot be followed is not reported.

## References

- PyTorch, torch.utils.data: https://docs.pytorch.org/docs/stable/data.html
- What each fault does at run time: docs/runtime-facts.md
"""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.facts.text import text_of
from lint_epoch.project.unbound import unbound_epochs
from lint_epoch.project.view import Model
from lint_epoch.rules.base import Draft, Rule
from lint_epoch.rules.call_mends import give_the_count, give_what_is_bound
from lint_epoch.rules.common import loop_place


class EpochNeverChanges(Rule):
    """LEP302."""

    code = "LEP302"
    name = "epoch-never-changes"
    summary = "`set_epoch` with a value that the loop does not change"
    consequence = "same order every epoch"
    fixable = True

    def check(self, model: Model) -> Iterator[Draft]:
        """Report calls whose argument is provably the same on each turn of the loop, or is not there at all."""
        for one in unbound_epochs(model.project.modules):
            message = f"set_epoch gets {one.name}, a name that nothing binds: the job crashes when distributed"
            steps = [(one.module, one.call.at, "the epoch is set here")]
            draft = Draft(self.code, one.module, one.call.at, message, steps)
            draft.consequence = "crashes when distributed"
            give_what_is_bound(one).offered_by(draft)
            yield draft
        for verdict in model.faulty("never changes"):
            repeat = verdict.repeat
            calls = [epoch for epoch in verdict.evidence if epoch.how == "call"]
            for epoch in calls or verdict.evidence:
                value = text_of(epoch.argument)
                message = (
                    f"set_epoch gets the same value ({value}) on each turn of the loop at "
                    f"{model.place(*loop_place(repeat))}: the {model.describe(repeat.target)} "
                    "gives the same order each time"
                )
                place = epoch.origin
                steps = [(place.module, place.at, "the epoch is set here"), *model.steps(repeat)]
                draft = Draft(self.code, place.module, place.at, message, steps, model.confidence(repeat))
                give_the_count(repeat, epoch).offered_by(draft)
                yield draft


RULE = EpochNeverChanges()
