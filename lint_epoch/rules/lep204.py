"""`set_epoch` is called, without a guard, on something that has none.

## What it does

Reports a call on a loader or sampler of which every alternative is known to lack the method.

## Why is this bad?

It raises AttributeError. The call usually stands under `if distributed:`, so that it is first met on the cluster.

## Example

    loader = DataLoader(data, sampler=DistributedSampler(data))
    loader.set_epoch(epoch)

## Use instead

    loader.sampler.set_epoch(epoch)

## Fix safety

Safe: the call is made on the sampler that shuffles. Where the sampler was made under a condition that does not hold for
the call, the call asks the same. A wrapper without `set_epoch` is mended itself (LEP101), and no fix is offered where
nothing behind the loader needs an epoch.

## Known limits

A call whose receiver may be one of several objects is not reported as long as one of them has the method.

## References

- PyTorch, torch.utils.data: https://docs.pytorch.org/docs/stable/data.html
- What each fault does at run time: docs/runtime-facts.md
"""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.facts import records as r
from lint_epoch.facts.text import text_of
from lint_epoch.project.receivers import waits_for_wrapper
from lint_epoch.project.values import Object
from lint_epoch.project.view import Model
from lint_epoch.rules.base import Draft, Rule
from lint_epoch.rules.target_mends import lead_call_to_sampler


class SetEpochOnWrongObject(Rule):
    """LEP204."""

    code = "LEP204"
    name = "set-epoch-on-wrong-object"
    summary = "an unguarded `set_epoch` on something that has none"
    consequence = "crashes when distributed"
    fixable = True

    def check(self, model: Model) -> Iterator[Draft]:
        """Report calls whose receiver is a loader or sampler without the method, in each run that met them."""
        meant = {id(attempt): v.repeat for v in model.faulty("attempt fails") for attempt in v.attempts}
        for (_, _, kind), occurrences in model.calls.items():
            call, _ = occurrences[0]
            if kind != "missing" or call.name != "set_epoch" or call.moment.dead:
                continue
            if not all(self._is_wrong(model, value) for other, _ in occurrences for value in other.values):
                continue
            subject = call.values[0]
            assert isinstance(subject, Object)
            called = call.record.func if isinstance(call.record, r.Call) else call.record
            receiver = called.value if isinstance(called, r.Attribute) else called
            message = (
                f"`{text_of(call.record)}` raises AttributeError: {text_of(receiver)} is a {subject.cls.name}, "
                "which has no set_epoch: the job crashes when distributed"
            )
            steps = [(call.moment.module, call.moment.at, f"set_epoch is called on {text_of(receiver)}")]
            steps += model.made_through(subject, call.moment)
            if subject.site[0] is not None:
                steps.append((subject.site[0], subject.site[1], subject.cls.name))
            draft = Draft(self.code, call.moment.module, call.moment.at, message, steps)
            seen = [other for other, _ in occurrences]
            repeat = next((meant[id(other)] for other in seen if id(other) in meant), None)
            if repeat is not None and not waits_for_wrapper(model.project, repeat):
                lead_call_to_sampler(model, repeat, seen).offered_by(draft)
            yield draft

    @staticmethod
    def _is_wrong(model: Model, value: object) -> bool:
        if not isinstance(value, Object):
            return False
        return model.project.is_loader(value) or model.is_iterated_wrapper(value)


RULE = SetEpochOnWrongObject()
