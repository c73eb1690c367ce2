"""A guard that asks a loader for `set_epoch` can never be true.

## What it does

Reports `hasattr(loader, "set_epoch")`, `getattr(loader, "set_epoch", None)`, an `isinstance` of the same purpose,
or a call under `except AttributeError`, where every object that can get there is known and none has the method,
while a sampler behind it needs the epoch.

## Why is this bad?

The guard makes the missing method look like a choice: nothing fails, and the sampler replays epoch 0.

## Example

    loader = Batches(DataLoader(data, sampler=DistributedSampler(data)))
    for epoch in range(epochs):
        if hasattr(loader, "set_epoch"):
            loader.set_epoch(epoch)

## Use instead

Give the wrapper a `set_epoch` (LEP101); the guard is then true.

## Fix safety

There is no fix at the guard itself: `lint-epoch fix` mends the wrapper that LEP101 names.

## Known limits

A function that people outside the project may call is taken to be given anything, unless `closed-world` is set: its
guards are not reported.

## References

- PyTorch, torch.utils.data: https://docs.pytorch.org/docs/stable/data.html
- What each fault does at run time: docs/runtime-facts.md
"""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.facts import records as r
from lint_epoch.facts.text import text_of
from lint_epoch.project.passes import GuardSeen
from lint_epoch.project.values import Object
from lint_epoch.project.verdicts import Verdict
from lint_epoch.project.view import Model, Step
from lint_epoch.rules.base import Draft, Rule
from lint_epoch.rules.common import outcome

#: What a guard asks of a loader when it means its sampler: those are LEP202's.
SAMPLER_ATTRIBUTES = frozenset({"sampler", "batch_sampler", "train_sampler", "dataset"})


class DeadSetEpochGuard(Rule):
    """LEP201."""

    code = "LEP201"
    name = "dead-set-epoch-guard"
    summary = "a guard that asks for `set_epoch` can never be true"
    consequence = "same order every epoch"

    def check(self, model: Model) -> Iterator[Draft]:
        """Report guards on the path of a sampler that never hears of the epoch."""
        for verdict in [*model.faulty("attempt fails", "deaf wrapper"), *dead_guards_before_wrappers(model)]:
            for attempt in verdict.attempts:
                if isinstance(attempt, GuardSeen) and not asks_sampler(attempt) and is_dead(model, attempt):
                    yield self._draft(model, attempt, verdict)

    def _draft(self, model: Model, guard: GuardSeen, verdict: Verdict) -> Draft:
        subject = next(value for value in guard.subject if isinstance(value, Object))
        module = subject.site[0]
        place = f" ({model.place(module, subject.site[1])})" if module is not None else ""
        test = text_of(guard.record) if guard.kind != "except" else f"{text_of(guard.subject_record)}.set_epoch"
        says = "is never true" if guard.kind != "except" else "always fails and the error is caught"
        what = "has no set_epoch" if guard.kind != "isinstance" else f"is no {guard.name}"
        message = (
            f"`{test}` {says}: {text_of(guard.subject_record)} is a {subject.cls.name}{place}, which {what}; "
            f"{outcome(model, verdict)}"
        )
        steps: list[Step] = [(guard.moment.module, guard.moment.at, f"the guard asks {text_of(guard.subject_record)}")]
        steps += model.made_through(subject, guard.moment)
        steps += model.steps(verdict.repeat)[1:]
        draft = Draft(
            self.code,
            guard.moment.module,
            guard.moment.at,
            message,
            _without_twins(steps),
            model.confidence(verdict.repeat),
        )
        if verdict.fault == "deaf wrapper":
            draft.consequence = "starts over on resume"
        return draft


def _without_twins(steps: list[Step]) -> list[Step]:
    found: list[Step] = []
    for step in steps:
        if step not in found:
            found.append(step)
    return found


def asks_sampler(guard: GuardSeen) -> bool:
    """Whether a guard asks a loader's sampler rather than the loader."""
    node = guard.subject_record
    if isinstance(node, r.Attribute) and node.attr in SAMPLER_ATTRIBUTES:
        return True
    return guard.kind == "isinstance" and "Sampler" in guard.name


def is_dead(model: Model, guard: GuardSeen) -> bool:
    """Whether a guard was false each time that any run met it."""
    return model.never_true(model.guards[id(guard.moment.module), guard.moment.at])


def dead_guards_before_wrappers(model: Model) -> Iterator[Verdict]:
    """Yield verdicts on wrappers that repeat by themselves, with the consumer's dead guards as attempts."""
    for verdict in model.faulty("wrapper repeats", "generator repeats"):
        repeat = verdict.repeat
        guards: list[object] = [
            guard
            for guard in repeat.trace.guards
            if guard.name == "set_epoch"
            and guard.answer is False
            and not guard.moment.dead
            and any(repeat.concerns(value) for value in guard.subject)
        ]
        if guards:
            yield Verdict(repeat, "faulty", verdict.why, verdict.fault, attempts=guards)  # type: ignore[arg-type]


RULE = DeadSetEpochGuard()
