"""`set_epoch` on some ranks only, or with a value that differs from rank to rank.

## What it does

Reports calls under a test that holds on one rank alone, and values made from the rank.

## Why is this bad?

The ranks shuffle differently: of 16 samples, 6 were seen by both ranks in a pass and 6 by none.

## Example

    if rank == 0:
        sampler.set_epoch(epoch)

## Use instead

    sampler.set_epoch(epoch)

## Fix safety

Safe: the call is moved in front of the branch that asks for the rank, or the question for the rank is left out where
the branch holds nothing else; a value made from the rank is replaced by the loop's variable. No fix is offered where
the call needs something that only the branch knows.

## Known limits

`world_size > 1` and `rank != -1` hold on every rank and are no rank guards.

## References

- PyTorch, torch.utils.data: https://docs.pytorch.org/docs/stable/data.html
- What each fault does at run time: docs/runtime-facts.md
"""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.facts.text import text_of
from lint_epoch.project.view import Model
from lint_epoch.rules.base import Draft, Rule
from lint_epoch.rules.call_mends import give_the_count, take_out_of_branch


class RankDependentEpoch(Rule):
    """LEP306."""

    code = "LEP306"
    name = "rank-dependent-epoch"
    summary = "`set_epoch` on some ranks only, or with a rank-dependent value"
    consequence = "ranks overlap"
    fixable = True

    def check(self, model: Model) -> Iterator[Draft]:
        """Report calls after which the ranks draw from different orders."""
        for verdict in model.faulty("some ranks only"):
            for epoch in verdict.evidence:
                guard = next((guard for guard in epoch.moment.guards if guard.rank), None)
                why = (
                    f"only ranks for which `{text_of(guard.test)}` is {str(guard.branch).lower()} set the epoch"
                    if guard is not None
                    else f"the value {text_of(epoch.argument)} differs from rank to rank"
                )
                message = (
                    f"{why}: the ranks shuffle differently, so that some samples of the "
                    f"{model.describe(verdict.repeat.target)} are seen twice in a pass and some never"
                )
                place = epoch.origin
                steps = [(place.module, place.at, "the epoch is set here"), *model.steps(verdict.repeat)]
                draft = Draft(self.code, place.module, place.at, message, steps, model.confidence(verdict.repeat))
                mend = take_out_of_branch(epoch) if guard is not None else give_the_count(verdict.repeat, epoch)
                mend.offered_by(draft)
                yield draft


RULE = RankDependentEpoch()
