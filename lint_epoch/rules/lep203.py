"""A guard that asks a loader for `state_dict` can never be true, so that a resumed job starts over.

## What it does

Reports a test for `state_dict` or `load_state_dict` of a loader that is known to be a plain DataLoader, or of a
wrapper without the method.

## Why is this bad?

The loader's place is neither saved nor restored: a resumed job starts over with the first batch.

## Example

    loader = DataLoader(stream, batch_size=8)
    if hasattr(loader, "state_dict"):
        checkpoint["loader"] = loader.state_dict()

## Use instead

    loader = StatefulDataLoader(stream, batch_size=8)

## Fix safety

There is no fix: use a stateful loader, or save the place yourself.

## Known limits

Where a stateful loader is one of the alternatives (an import that may fail), the guard is right.

## References

- PyTorch, torch.utils.data: https://docs.pytorch.org/docs/stable/data.html
- What each fault does at run time: docs/runtime-facts.md
"""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.facts.text import text_of
from lint_epoch.project.passes import GuardSeen, Trace
from lint_epoch.project.values import Object
from lint_epoch.project.view import Model
from lint_epoch.rules.base import Draft, Rule

STATE_METHODS = ("state_dict", "load_state_dict")


class DeadStateGuard(Rule):
    """LEP203."""

    code = "LEP203"
    name = "dead-state-guard"
    summary = "a guard that asks a loader for `state_dict` can never be true"
    consequence = "starts over on resume"

    def check(self, model: Model) -> Iterator[Draft]:
        """Report guards on loaders and wrappers of loaders that have no state to save."""
        for occurrences in model.guards.values():
            guard, _ = occurrences[0]
            if guard.name not in STATE_METHODS or not model.never_true(occurrences):
                continue
            subject = self._loader(model, occurrences)
            if subject is None:
                continue
            message = (
                f"`{text_of(guard.record)}` is never true: {text_of(guard.subject_record)} is a "
                f"{model.describe(subject)}, which has no {guard.name}; a resumed job starts over with the first batch"
            )
            steps = [(guard.moment.module, guard.moment.at, f"the guard asks {text_of(guard.subject_record)}")]
            steps += model.made_through(subject, guard.moment)
            if subject.site[0] is not None:
                steps.append((subject.site[0], subject.site[1], subject.cls.name))
            yield Draft(self.code, guard.moment.module, guard.moment.at, message, steps)

    @staticmethod
    def _loader(model: Model, occurrences: list[tuple[GuardSeen, Trace]]) -> Object | None:
        """Return the loader that the guard asks, if all that it ever asks are loaders or wrappers."""
        found: Object | None = None
        for guard, _ in occurrences:
            for value in guard.subject:
                if not isinstance(value, Object):
                    continue
                if not model.project.is_torch_loader(value) and not model.is_iterated_wrapper(value):
                    return None
                found = found or value
        return found


RULE = DeadStateGuard()
