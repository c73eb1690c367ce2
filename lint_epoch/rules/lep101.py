"""A wrapper on an epoch path has no `set_epoch`.

## What it does

Reports a class that holds a loader, sampler or dataset, is iterated in its place, and has no `set_epoch`, while a
sampler behind it shuffles by the epoch and hears of it on no other route. A class that nobody in the project makes is
judged by what it asks for: with a distributed loader where it is annotated, or its parameter is called, so (`likely`).

## Why is this bad?

`DistributedSampler` shuffles from `seed + epoch`. A caller that holds the wrapper cannot reach it, so each pass has
the order of epoch 0 (measured: 1 distinct order in 3 passes).

## Example

    class Batches:
        def __init__(self, loader):
            self._loader = loader

        def __iter__(self):
            yield from self._loader

## Use instead

    class Batches:
        def __init__(self, loader):
            self._loader = loader

        def set_epoch(self, epoch):
            self._loader.sampler.set_epoch(epoch)

        def __iter__(self):
            yield from self._loader

## Fix safety

Safe: a method is added that nobody could have called before. It is guarded with `hasattr` where not every object
that the attribute can hold has the method. Inner wrappers are mended before outer ones.

## Known limits

A wrapper that answers through `__getattr__`, exposes `sampler`, `batch_sampler` or `dataset` as a property, or has
a base class that cannot be resolved is not reported.

## References

- PyTorch, torch.utils.data: https://docs.pytorch.org/docs/stable/data.html
- What each fault does at run time: docs/runtime-facts.md
"""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.diagnostics import FixOffer
from lint_epoch.project.classes import class_has
from lint_epoch.project.passes import GuardSeen
from lint_epoch.project.values import Object
from lint_epoch.project.verdicts import Verdict
from lint_epoch.project.view import Model
from lint_epoch.project.wrappers import Held, has_own_route, target_of, wrappers
from lint_epoch.repairs import ForwardMethod
from lint_epoch.rules.base import Draft, Rule
from lint_epoch.rules.common import outcome


class WrapperDropsSetEpoch(Rule):
    """LEP101."""

    code = "LEP101"
    name = "wrapper-drops-set-epoch"
    summary = "a wrapper on an epoch path has no `set_epoch`"
    consequence = "same order every epoch"
    fixable = True

    def check(self, model: Model) -> Iterator[Draft]:
        """Report each wrapper between a loop and a sampler that never hears of the epoch."""
        for verdict in model.faulty(
            "never set", "attempt fails", "wrapper repeats", "generator repeats", "stops at a wrapper", "deaf wrapper"
        ):
            if verdict.fault == "attempt fails" and not _asks_the_wrapper(verdict):
                continue
            if verdict.repeat.loop.kind == "any user's" and _is_reached_elsewhere(model, verdict):
                continue
            if not verdict.repeat.loop.asks_loader:
                continue
            for held in wrappers(verdict.repeat):
                if not has_own_route(held, verdict.repeat):
                    yield self._draft(model, held, verdict)

    def _draft(self, model: Model, held: Held, verdict: Verdict) -> Draft:
        repeat = verdict.repeat
        cls = held.cls
        inner = held.inner.source
        assert isinstance(inner, Object)
        consumer = repeat.consumer.moment
        reader = f"the loop at {model.place(consumer.module, consumer.at)}"
        if any(loop.kind == "any user's" for loop, _ in consumer.turns):
            reader = "whoever loops over it"
        message = (
            f"{cls.name} stands between {reader} and the {model.describe(repeat.target)} but has no set_epoch: "
            f"{outcome(model, verdict)}"
        )
        draft = Draft(self.code, cls.module, cls.record.at, message, model.steps(repeat), model.confidence(repeat))
        if verdict.fault == "deaf wrapper":
            draft.consequence = "starts over on resume"
        target = target_of(model.project, held, repeat)
        if target is not None:
            what = f"self.{target.attribute}" + (f".{target.through}" if target.through else "")
            draft.offer = FixOffer("safe", f"insert set_epoch, which passes the epoch on to {what}")
            waits = target.through == "" and class_has(inner.cls, "set_epoch") is not True
            if not waits:
                draft.repairs = (ForwardMethod(cls.module.path, cls.record.at, "set_epoch", (target,)),)
        return draft


def _is_reached_elsewhere(model: Model, verdict: Verdict) -> bool:
    """Whether users of a class can tell its sampler the epoch, or some code of the project does."""
    target, holder = verdict.repeat.target, verdict.repeat.consumer.source
    if any(epoch.target.site == target.site for trace in model.project.traces for epoch in trace.epochs):
        return True
    if not isinstance(holder, Object):
        return True
    return any(name in ("sampler", "batch_sampler", "train_sampler") for name in holder.base)


def _asks_the_wrapper(verdict: Verdict) -> bool:
    """Whether the failing guard or call asks a wrapper of the path, not the sampler behind it."""
    sources = verdict.repeat.sources()
    holders = [held.holder for held in wrappers(verdict.repeat)]
    for attempt in verdict.attempts:
        subject = attempt.subject if isinstance(attempt, GuardSeen) else attempt.values
        if any(value in holders for value in subject if value in sources):
            return True
    return False


RULE = WrapperDropsSetEpoch()
