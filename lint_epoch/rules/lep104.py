"""A wrapper's `__iter__` goes over its loader again and again without advancing the epoch.

## What it does

Reports the loop inside a wrapper that starts a new pass over the loader it holds when the last one is over, without
setting another epoch.

## Why is this bad?

The caller gets the loader back once per job, so its call of `set_epoch` before the loop arrives once: each later
pass repeats the order. Forwarding `set_epoch` alone does not cure it (measured: 1 distinct order in 3 passes with
it, 3 with the advance).

## Example

    def __iter__(self):
        while True:
            yield from self._loader

## Use instead

    def __iter__(self):
        while True:
            self.set_epoch(self._epoch)
            self._epoch += 1
            yield from self._loader

## Fix safety

Safe: after `set_epoch(e)` the passes draw the epochs e, e+1, e+2 and so on. Where the restart stands in an
`except StopIteration`, the epoch of the pass that ended is kept and goes up in front of the new iterator. No fix is
offered where it is one of several loaders that starts over.

## Known limits

A wrapper whose passes the consumer tells about each epoch, by a call between two pulls, is not reported.

## References

- PyTorch, torch.utils.data: https://docs.pytorch.org/docs/stable/data.html
- What each fault does at run time: docs/runtime-facts.md
"""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.diagnostics import FixOffer
from lint_epoch.facts import records as r
from lint_epoch.project.classes import ProjectClass
from lint_epoch.project.epochs import Repeat
from lint_epoch.project.passes import Pass
from lint_epoch.project.values import Object
from lint_epoch.project.view import Model
from lint_epoch.project.wrappers import Held, has_own_route, target_of, wrappers
from lint_epoch.repairs import AdvanceEpoch
from lint_epoch.rules.base import Draft, Rule


class WrapperReplaysEpoch(Rule):
    """LEP104."""

    code = "LEP104"
    name = "wrapper-replays-epoch"
    summary = "`__iter__` goes over its loader again and again without advancing the epoch"
    consequence = "same order every epoch"
    fixable = True

    def check(self, model: Model) -> Iterator[Draft]:
        """Report the loop in a wrapper that starts pass after pass."""
        for verdict in model.faulty("wrapper repeats"):
            repeat = verdict.repeat
            reachable = any(has_own_route(held, repeat) for held in wrappers(repeat))
            if reachable and any(source.assumed for source in repeat.sources()):
                # Whoever uses it can tell the sampler of the loader that was given.
                continue
            repeater = repeat.repeater()
            if repeater is not None and isinstance(repeater.source, Object):
                name = repeater.source.cls.name
                module, at = repeat.loop.module, repeat.loop.record.at
                if repeat.loop.kind == "next":
                    module, at = repeat.first.moment.module, repeat.first.moment.at
            else:
                moment = repeat.consumer.moment
                name = moment.frame.owner.name if moment.frame.owner is not None else moment.frame.name
                module, at = moment.module, moment.at
            message = (
                f"{name} starts pass after pass over the same loader without advancing the epoch: "
                f"the {model.describe(repeat.target)} gives the same order on each pass"
            )
            draft = Draft(self.code, module, at, message, model.steps(repeat), model.confidence(repeat))
            self._offer(model, draft, repeat)
            yield draft

    def _offer(self, model: Model, draft: Draft, repeat: Repeat) -> None:
        held = _restarter(repeat)
        if held is None or not isinstance(held.holder.cls, ProjectClass):
            return
        restarts = held.inner.moment.restarting
        before = _restart(held) if restarts else start_of_pass(repeat.loop.record, held)
        target = target_of(model.project, held, repeat)
        if before is None or target is None:
            return
        if restarts and target.container != "one":
            # One of several passes has ended: a count for all of them would be that of none.
            draft.message += "; count the passes of each loader, and set its epoch in front of its new iterator"
            return
        draft.offer = FixOffer("safe", "advance the epoch at the start of each pass, from the epoch last set")
        if target.through == "" and not _has_setter(held):
            return
        cls = held.cls
        draft.repairs = (AdvanceEpoch(cls.module.path, cls.record.at, before, (target,), restarts),)


def _restarter(repeat: Repeat) -> Held | None:
    """Return the wrapper that repeats by itself, or the object that holds the loader and starts it again."""
    repeater = repeat.repeater()
    if repeater is not None:
        return next((held for held in wrappers(repeat) if held.outer is repeater), None)
    consumer = repeat.consumer
    holder = consumer.moment.frame.self_value
    return Held(Pass(holder, consumer.moment, ""), consumer) if isinstance(holder, Object) else None


def _restart(held: Held) -> int | None:
    """Return the statement of the wrapper's own code that starts another pass where the last one ended."""
    moment = held.inner.moment
    is_own = moment.frame.owner is held.cls and moment.frame.self_value is held.holder
    return moment.at if is_own else None


def _has_setter(held: Held) -> bool:
    inner = held.inner.source
    return isinstance(inner, Object) and (
        not isinstance(inner.cls, ProjectClass) or bool(inner.cls.member("set_epoch"))
    )


def start_of_pass(loop: object, held: Held) -> int | None:
    """Return the statement of the loop's body in which the pass over the held object starts."""
    if not isinstance(loop, r.While | r.For):
        return None
    start = held.inner.moment.at
    for statement, following in zip(loop.body, (*loop.body[1:], None), strict=True):
        if statement.at <= start and (following is None or start < following.at):
            return statement.at
    return None


__all__ = ["RULE", "Repeat", "start_of_pass"]
RULE = WrapperReplaysEpoch()
