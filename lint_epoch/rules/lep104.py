"""A wrapper's `__iter__` goes over its loader again and again without advancing the epoch."""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.diagnostics import FixOffer
from lint_epoch.facts import records as r
from lint_epoch.project.classes import ProjectClass
from lint_epoch.project.epochs import Repeat
from lint_epoch.project.values import Object
from lint_epoch.project.view import Model
from lint_epoch.project.wrappers import Held, target_of, wrappers
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
            draft = Draft(self.code, module, at, message, model.steps(repeat))
            self._offer(model, draft, repeat)
            yield draft

    def _offer(self, model: Model, draft: Draft, repeat: Repeat) -> None:
        repeater = repeat.repeater()
        held = next((held for held in wrappers(repeat) if held.outer is repeater), None)
        if held is None or not isinstance(held.holder.cls, ProjectClass):
            return
        before = start_of_pass(repeat.loop.record, held)
        target = target_of(model.project, held, repeat)
        if before is None or target is None:
            return
        draft.offer = FixOffer("safe", "advance the epoch at the start of each pass, from the epoch last set")
        if target.through == "" and not _has_setter(held):
            return
        cls = held.cls
        draft.repairs = (AdvanceEpoch(cls.module.path, cls.record.at, before, (target,)),)


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
