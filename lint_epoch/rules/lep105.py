"""The place in the data is not forwarded, not restored, or not gone on from.

## What it does

Reports a wrapper that is asked for its state, has none, and holds an object that can save and restore its place; and
states that do not bring the place back: a count of items that `load_state_dict` leaves as it is or that `__iter__`
clears, a place at which every later pass starts too, an epoch that does not reach the stream or sampler whose state is
restored beside it, and around torchdata's StatefulDataLoader a random sampler without a state, epochs that count from
0 again, and a state from behind the last batch of a pass. A sampler that is put back to its epoch, in a loader that
Accelerate has prepared, is told the loader's own count instead (measured on one and on two ranks with accelerate 1.12:
the order of epoch 0 after a resume from epoch 3; with a call of the prepared loader's `set_epoch`, that of epoch 3).

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

Safe: a wrapper gets two methods that nobody could have called before; an epoch that a class restores for itself alone
is set on what it holds, too, as the class does elsewhere.

## Known limits

A wrapper is reported only where some code asks it for its state. There are fixes for wrappers and for restored epochs:
how a place is gone on from is a person's decision.

## References

- PyTorch, torch.utils.data: https://docs.pytorch.org/docs/stable/data.html
- What each fault does at run time: docs/runtime-facts.md
"""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.diagnostics import FixOffer
from lint_epoch.project.classes import LibraryClass, ProjectClass, class_has
from lint_epoch.project.passes import CallSeen, GuardSeen
from lint_epoch.project.positions import lost_places
from lint_epoch.project.resume import BadResume, bad_resumes
from lint_epoch.project.values import Object
from lint_epoch.project.view import Model
from lint_epoch.repairs import ForwardMethod, InsertStatement, Target
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
        """Report wrappers that hide a state, and states that do not bring the place back."""
        yield from self._hidden(model)
        for lost in lost_places(model):
            draft = Draft(self.code, lost.module, lost.at, _LOST[lost.kind].format(lost=lost), [])
            draft.steps = [(lost.cls.module, lost.cls.record.at, f"the class {lost.cls.name}")]
            if lost.ungiven is not None and lost.ungiven.before_at is not None:
                draft.offer = FixOffer("safe", f"set the restored epoch on self.{lost.held}")
                draft.repairs = (InsertStatement(lost.module.path, lost.ungiven.before_at, lost.ungiven.call),)
            yield draft
        for bad in bad_resumes(model):
            yield self._not_resumed(model, bad)

    def _not_resumed(self, model: Model, bad: BadResume) -> Draft:
        shown = bad.sampler if bad.kind in ("sampler forgets", "overwritten") else bad.subject
        restored = model.place(bad.restore.module, bad.restore.at)
        counted = model.place(bad.moment.module, bad.moment.at)
        message = _RESUMED[bad.kind].format(
            loader=model.describe(bad.subject), shown=model.describe(shown), restored=restored, counted=counted
        )
        module, at = bad.restore.module, bad.restore.at
        if bad.kind == "sampler forgets" and bad.sampler is not None and bad.sampler.site[0] is not None:
            module, at = bad.sampler.site[0], bad.sampler.site[1]
        elif bad.kind == "counts from zero":
            module, at = bad.moment.module, bad.moment.at
        steps = [
            (bad.restore.module, bad.restore.at, "the state is put back here"),
            (bad.moment.module, bad.moment.at, "the epochs are counted here"),
        ]
        return Draft(self.code, module, at, message, steps)

    def _hidden(self, model: Model) -> Iterator[Draft]:
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


_LOST = {
    "not restored": (
        "{lost.cls.name}.load_state_dict reads {lost.key!r} but leaves self.{lost.attribute} as it is: a state that is "
        "saved after a resume counts from the resume, and the next one starts over with batches that were seen"
    ),
    "cleared": (
        "{lost.cls.name}.__iter__ sets self.{lost.attribute} to 0 before anything reads it, so what load_state_dict "
        "restored is lost: a resumed job starts over"
    ),
    "offset on each pass": (
        "{lost.cls.name}.__iter__ starts at self.{lost.attribute} on every pass, not only on the resumed one: data "
        "lost, each later pass skips the head of the data"
    ),
    "epoch not given": (
        "{lost.cls.name} restores self.{lost.attribute} but does not set it on self.{lost.held}, whose own state need "
        "not hold the epoch: a resumed job starts over with the order of epoch 0"
    ),
}
_RESUMED = {
    "sampler forgets": (
        "the state of the {loader}, put back at {restored}, holds nothing of the {shown}: a resumed job skips batches "
        "of another order; use one that saves its state, such as torchdata's own"
    ),
    "exhausted": (
        "the {loader} may have been saved behind the last batch of a pass, and the epochs at {counted} go on with the "
        "next one: data lost, a job that is resumed there gets an empty epoch; put no state back at the end of a pass"
    ),
    "counts from zero": (
        "the {loader} is put back into the middle of a pass at {restored}, but the epochs count from 0 again: a "
        "resumed job starts over with the order of epoch 0"
    ),
    "overwritten": (
        "the epoch that is put back at {restored} is lost: the {loader} sets that of the {shown} to a count of its own "
        "that begins at 0, so a resumed job starts over with the order of epoch 0; call the prepared loader's set_epoch"
    ),
}

RULE = WrapperDropsState()
