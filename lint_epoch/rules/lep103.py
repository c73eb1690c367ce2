"""A wrapper has `set_epoch`, but the call does not reach what it holds.

## What it does

Reports a class whose `set_epoch` runs without setting the epoch of the sampler that its iteration draws from.

## Why is this bad?

The loop looks right and calls a method that is there, yet the sampler keeps the order of epoch 0. An inherited
`set_epoch` that only stores the number is the usual cause.

## Example

    def set_epoch(self, epoch):
        self.epoch = epoch  # and self.sampler never hears of it

## Use instead

    def set_epoch(self, epoch):
        self.epoch = epoch
        self.sampler.set_epoch(epoch)

## Fix safety

Safe: the forwarding call is appended to the method, or a method is added that calls the inherited one first.

## Known limits

Forwarding is judged by effect, so a call that goes through something that cannot be resolved makes the answer
unknown, and nothing is reported.

## References

- PyTorch, torch.utils.data: https://docs.pytorch.org/docs/stable/data.html
- What each fault does at run time: docs/runtime-facts.md
"""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.diagnostics import FixOffer
from lint_epoch.project.classes import ProjectClass, class_has
from lint_epoch.project.values import Object
from lint_epoch.project.view import Model
from lint_epoch.project.wrappers import target_of, wrappers
from lint_epoch.repairs import ForwardInside, ForwardMethod
from lint_epoch.rules.base import Draft, Rule


class SetEpochStopsHere(Rule):
    """LEP103."""

    code = "LEP103"
    name = "set-epoch-stops-here"
    summary = "a wrapper has `set_epoch`, but it does not reach what the wrapper holds"
    consequence = "same order every epoch"
    fixable = True

    def check(self, model: Model) -> Iterator[Draft]:
        """Report the innermost wrapper that was told the epoch, while what it holds was not."""
        for verdict in model.faulty("stops at a wrapper"):
            told = [epoch.target for epoch in verdict.evidence]
            for held in wrappers(verdict.repeat):
                cls = held.cls
                inner = held.inner.source
                if held.holder not in told or not isinstance(inner, Object):
                    continue
                found = cls.function("set_epoch")
                owner = found[0].name if found is not None else "a library's class"
                inherited = "" if found is not None and found[0] is cls else f" (inherited from {owner})"
                message = (
                    f"{cls.name}.set_epoch{inherited} does not reach the {inner.cls.name} that it holds: "
                    f"the {model.describe(verdict.repeat.target)} replays epoch 0"
                )
                draft = Draft(
                    self.code,
                    cls.module,
                    cls.record.at,
                    message,
                    model.steps(verdict.repeat),
                    model.confidence(verdict.repeat),
                )
                target = target_of(model.project, held, verdict.repeat)
                if target is not None:
                    draft.offer = FixOffer("safe", f"pass the epoch on to self.{target.attribute}")
                    ready = target.through != "" or class_has(inner.cls, "set_epoch") is True
                    if ready and found is not None and found[0] is cls and isinstance(cls, ProjectClass):
                        draft.repairs = (ForwardInside(cls.module.path, found[1].at, (target,)),)
                    elif ready:
                        draft.repairs = (
                            ForwardMethod(cls.module.path, cls.record.at, "set_epoch", (target,), extends_base=True),
                        )
                yield draft
                break


RULE = SetEpochStopsHere()
