"""A guard that asks a loader's sampler can never be true.

## What it does

Reports a test of `loader.sampler` or `loader.batch_sampler` that is never true although a sampler behind the loader
needs the epoch.

## Why is this bad?

With `batch_sampler=` given, `loader.sampler` is a SequentialSampler; after `accelerator.prepare` on several
processes, `loader.batch_sampler` is a BatchSamplerShard. The call behind the guard never happens.

## Example

    loader = DataLoader(data, batch_sampler=BatchSampler(DistributedSampler(data), 8, False))
    if isinstance(loader.sampler, DistributedSampler):
        loader.sampler.set_epoch(epoch)

## Use instead

    loader.batch_sampler.sampler.set_epoch(epoch)

## Fix safety

Safe: the guard and the calls behind it name the sampler that shuffles; an `isinstance` of a sampler of another class
asks for that class as well. The guard itself stays. No fix is offered where not every loader that gets there has
what would be asked.

## Known limits

Reported only if the needing sampler is known to be on the loader's path.

## References

- PyTorch, torch.utils.data: https://docs.pytorch.org/docs/stable/data.html
- What each fault does at run time: docs/runtime-facts.md
"""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.facts.text import text_of
from lint_epoch.project.passes import GuardSeen
from lint_epoch.project.values import Object
from lint_epoch.project.view import Model
from lint_epoch.rules.base import Draft, Rule
from lint_epoch.rules.common import outcome
from lint_epoch.rules.lep201 import asks_sampler, is_dead
from lint_epoch.rules.target_mends import lead_guard_to_sampler


class DeadSamplerGuard(Rule):
    """LEP202."""

    code = "LEP202"
    name = "dead-sampler-guard"
    summary = "a guard that asks a loader's sampler can never be true"
    consequence = "same order every epoch"
    fixable = True

    def check(self, model: Model) -> Iterator[Draft]:
        """Report guards that look for the epoch-aware sampler in the wrong place."""
        for verdict in model.faulty("attempt fails", "deaf wrapper"):
            for attempt in verdict.attempts:
                if not isinstance(attempt, GuardSeen) or not asks_sampler(attempt) or not is_dead(model, attempt):
                    continue
                subject = next(value for value in attempt.subject if isinstance(value, Object))
                asked = text_of(attempt.subject_record)
                message = (
                    f"`{text_of(attempt.record)}` is never true: {asked} is a {subject.cls.name}, "
                    f"not the sampler that shuffles; {outcome(model, verdict)}"
                )
                steps = [(attempt.moment.module, attempt.moment.at, f"the guard asks {asked}")]
                steps += model.steps(verdict.repeat)
                draft = Draft(
                    self.code,
                    attempt.moment.module,
                    attempt.moment.at,
                    message,
                    steps,
                    model.confidence(verdict.repeat),
                )
                if verdict.fault == "deaf wrapper":
                    draft.consequence = "starts over on resume"
                else:
                    seen = model.guards[id(attempt.moment.module), attempt.moment.at]
                    lead_guard_to_sampler(model, verdict.repeat, [guard for guard, _ in seen]).offered_by(draft)
                yield draft


RULE = DeadSamplerGuard()
