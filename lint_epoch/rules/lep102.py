"""A wrapper on an epoch path has no `__len__`, though what it holds has one.

## What it does

Reports a wrapper whose length some code asks for, that gives one item for each item it takes, and that has no
`__len__` though the object behind it has one.

## Why is this bad?

`len(wrapper)` raises TypeError. It often stands in the branch that turns steps into epochs, and fails as soon as
the guard of that branch opens.

## Example

    epoch = step // len(wrapper)  # TypeError: object of type 'Batches' has no len()

## Use instead

    def __len__(self):
        return len(self._loader)

## Fix safety

Safe: `len()` of the object failed before. Unsafe where the truth of an object is asked for (`if loader:`), since one
that is empty becomes false. Not offered where the wrapper gives another number of items than it takes.

## Known limits

Only wrappers on the path of a sampler that needs an epoch are looked at. Filters, batchers and endless streams
rightly have no length and are not reported.

## References

- PyTorch, torch.utils.data: https://docs.pytorch.org/docs/stable/data.html
- What each fault does at run time: docs/runtime-facts.md
"""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.diagnostics import FixOffer
from lint_epoch.project.classes import ProjectClass, class_has
from lint_epoch.project.epochs import Repeat
from lint_epoch.project.truth import truth_test
from lint_epoch.project.values import Object
from lint_epoch.project.view import Model
from lint_epoch.project.wrappers import Held, target_of, wrappers, yields_one_for_one
from lint_epoch.repairs import ForwardMethod, Target
from lint_epoch.rules.base import Draft, Rule


class WrapperDropsLen(Rule):
    """LEP102."""

    code = "LEP102"
    name = "wrapper-drops-len"
    summary = "a wrapper has no `__len__` though what it holds has one, and its length is asked for"
    consequence = "crashes when distributed"
    fixable = True

    def check(self, model: Model) -> Iterator[Draft]:
        """Report wrappers whose length some code asks for, and the wrappers inside that must answer first."""
        asked = self._asked(model)
        for repeat in model.paths.repeats:
            chain = list(wrappers(repeat))
            needed = [
                index
                for index, held in enumerate(chain)
                if id(held.holder) in asked and held.cls.member("__len__") is False
            ]
            for held in chain[: max(needed, default=-1) + 1]:
                draft = self._draft(model, held, repeat, asked)
                if draft is not None:
                    yield draft

    @staticmethod
    def _asked(model: Model) -> dict[int, tuple[object, int]]:
        found: dict[int, tuple[object, int]] = {}
        for trace in model.project.traces:
            for call in trace.calls:
                if call.kind == "length":
                    for value in call.values:
                        if isinstance(value, Object):
                            found.setdefault(id(value), (call.moment.module, call.moment.at))
        return found

    def _draft(self, model: Model, held: Held, repeat: Repeat, asked: dict[int, tuple[object, int]]) -> Draft | None:
        cls, inner = held.cls, held.inner.source
        assert isinstance(inner, Object)
        if cls.member("__len__") is not False or not self._is_sized(held, repeat):
            return None
        place = asked.get(id(held.holder))
        where = f"len() is asked for at {model.place(*place)}" if place else "the wrapper around it needs it"  # type: ignore[arg-type]
        message = f"{cls.name} has no __len__ though the {inner.cls.name} that it holds has one: {where} and fails"
        draft = Draft(self.code, cls.module, cls.record.at, message, model.steps(repeat), model.confidence(repeat))
        target = target_of(model.project, held, repeat)
        if target is not None and target.container == "one":
            target = Target(target.attribute)
            what = f"insert __len__, which gives len(self.{target.attribute})"
            draft.offer = FixOffer("safe", what)
            if (tested := truth_test(model.project, cls)) is not None:
                asked_at = model.place(tested[0], tested[1])
                draft.offer = FixOffer("unsafe", f"{what}; {tested[2]} at {asked_at}, and what is empty is false")
            if class_has(inner.cls, "__len__") is True:
                draft.repairs = (ForwardMethod(cls.module.path, cls.record.at, "__len__", (target,)),)
        return draft

    def _is_sized(self, held: Held, repeat: Repeat) -> bool:
        """Whether the held object has a length, or will have one, and each of its items becomes one item."""
        found = held.cls.function("__iter__")
        if found is None or not yields_one_for_one(found[1]):
            return False
        inner = held.inner.source
        if not isinstance(inner, Object):
            return False
        if class_has(inner.cls, "__len__"):
            return True
        if not isinstance(inner.cls, ProjectClass) or inner.cls.member("__len__") is not False:
            return False
        deeper = [other for other in wrappers(repeat) if other.holder is inner]
        return bool(deeper) and self._is_sized(deeper[0], repeat)


RULE = WrapperDropsLen()
