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

There is no fix yet: reach the object that the trace names.

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


class DeadSamplerGuard(Rule):
    """LEP202."""

    code = "LEP202"
    name = "dead-sampler-guard"
    summary = "a guard that asks a loader's sampler can never be true"
    consequence = "same order every epoch"

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
                yield draft


RULE = DeadSamplerGuard()
