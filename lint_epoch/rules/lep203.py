"""A guard that asks a loader for `state_dict` can never be true, so that a resumed job starts over."""

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
