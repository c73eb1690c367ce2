"""A wrapper holds a stateful loader or sampler and forwards no `state_dict` / `load_state_dict`.

## What it does

Reports a wrapper that is asked for its state, has none, and holds an object that can save and restore its place.

## Why is this bad?

The place in the data is not saved, so a resumed job starts over with the first batch, or crashes if the call is not
guarded.

## Example

    if hasattr(wrapper, "state_dict"):  # never true
        checkpoint["loader"] = wrapper.state_dict()

## Use instead

    def state_dict(self):
        return self._loader.state_dict()

    def load_state_dict(self, state_dict):
        self._loader.load_state_dict(state_dict)

## Fix safety

Safe: two methods are added that nobody could have called before.

## Known limits

Reported only where some code asks the wrapper for its state. What the state means after the end of an epoch is not
judged.

## References

- PyTorch, torch.utils.data: https://docs.pytorch.org/docs/stable/data.html
- What each fault does at run time: docs/runtime-facts.md
"""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.diagnostics import FixOffer
from lint_epoch.project.classes import LibraryClass, ProjectClass, class_has
from lint_epoch.project.passes import CallSeen, GuardSeen
from lint_epoch.project.values import Object
from lint_epoch.project.view import Model
from lint_epoch.repairs import ForwardMethod, Target
from lint_epoch.rules.base import Draft, Rule
from lint_epoch.rules.lep203 import STATE_METHODS


class WrapperDropsState(Rule):
    """LEP105."""

    code = "LEP105"
    name = "wrapper-drops-state"
    summary = "a wrapper holds a stateful loader or sampler and forwards no `state_dict` / `load_state_dict`"
    consequence = "starts over on resume"
    fixable = True

    def check(self, model: Model) -> Iterator[Draft]:
        """Report wrappers that are asked for their state and hide the one that they hold."""
        for seen, value in self._asked(model):
            cls = value.cls
            if not isinstance(cls, ProjectClass) or cls.member("state_dict") is not False:
                continue
            target = stateful_target(value)
            if target is None:
                continue
            held = target[1]
            message = (
                f"{cls.name} holds a {model.describe(held)} that can save its place, but has no state_dict: "
                f"it is asked for at {model.place(seen.moment.module, seen.moment.at)}, and a resumed job starts over"
            )
            steps = [(seen.moment.module, seen.moment.at, "the state is asked for here")]
            steps += model.made_through(value, seen.moment)
            steps.append((cls.module, cls.record.at, f"{cls.name} has no state_dict"))
            draft = Draft(self.code, cls.module, cls.record.at, message, steps)
            draft.offer = FixOffer(
                "safe", f"insert state_dict and load_state_dict, which use self.{target[0].attribute}"
            )
            draft.repairs = (
                ForwardMethod(cls.module.path, cls.record.at, "state_dict", (target[0],)),
                ForwardMethod(cls.module.path, cls.record.at, "load_state_dict", (target[0],)),
            )
            yield draft

    @staticmethod
    def _asked(model: Model) -> Iterator[tuple[GuardSeen | CallSeen, Object]]:
        for trace in model.project.traces:
            for guard in trace.guards:
                if guard.name in STATE_METHODS and guard.answer is False:
                    yield from ((guard, value) for value in guard.subject if isinstance(value, Object))
            for call in trace.calls:
                if call.kind == "missing" and call.name in STATE_METHODS:
                    yield from ((call, value) for value in call.values if isinstance(value, Object))


def stateful_target(value: Object) -> tuple[Target, Object] | None:
    """Return how a wrapper reaches the stateful object that it feeds from, and the object."""
    for name, values in sorted(value.base.items()):
        for held in values:
            if not isinstance(held, Object) or name.startswith(("~", "[", "#")):
                continue
            if _is_stateful(held):
                return Target(name), held
            for argument in ("sampler", "batch_sampler"):
                for inner in held.arguments.get(argument, ()):
                    if isinstance(inner, Object) and _is_stateful(inner):
                        return Target(name, argument), inner
    return None


def _is_stateful(value: Object) -> bool:
    kinds = ("loader", "sampler", "dataset")
    cls = value.cls
    if isinstance(cls, ProjectClass):
        iterates = cls.function("__iter__") is not None
        return iterates and class_has(cls, "state_dict") is True and class_has(cls, "load_state_dict") is True
    return isinstance(cls, LibraryClass) and cls.entry.kind in kinds and class_has(cls, "state_dict") is True


RULE = WrapperDropsState()
