"""What the model says of each repeated pass: right and by which route, faulty and why, or unknown and where."""

from __future__ import annotations

from typing import Literal

from lint_epoch.project.classes import ProjectClass
from lint_epoch.project.epochs import EpochPaths, Repeat, is_evaluation, is_inside_epoch, same_value
from lint_epoch.project.model import library_classes
from lint_epoch.project.passes import CallSeen, EpochSet, GuardSeen, Pass
from lint_epoch.project.values import Const, Data, Object, only_constant

Fault = Literal[
    "never set",  # LEP301
    "never changes",  # LEP302
    "too late",  # LEP303
    "set elsewhere",  # LEP305
    "some ranks only",  # LEP306
    "stops at a wrapper",  # LEP103
    "attempt fails",  # LEP201, LEP202, LEP204
    "deaf wrapper",  # LEP101, LEP201: it advances by itself, but starts over on resume
    "wrapper repeats",  # LEP104
    "generator repeats",  # LEP304
]


class Verdict:
    """The answer for one repeat."""

    __slots__ = ("attempts", "evidence", "fault", "repeat", "state", "why")

    def __init__(
        self,
        repeat: Repeat,
        state: Literal["right", "faulty", "unknown"],
        why: str,
        fault: Fault | None = None,
        evidence: list[EpochSet] | None = None,
        attempts: list[GuardSeen | CallSeen] | None = None,
    ) -> None:
        self.repeat = repeat
        self.state = state
        self.why = why
        self.fault = fault
        self.evidence = evidence or []
        """The calls of ``set_epoch`` that the verdict rests on."""
        self.attempts = attempts or []
        """Guards and calls on the path that were meant to set the epoch and never do."""


def judge(paths: EpochPaths) -> list[Verdict]:
    """Return the verdict for each repeat."""
    return [_for_any_user(_judge(repeat)) for repeat in paths.repeats]


def _for_any_user(verdict: Verdict) -> Verdict:
    """Return a verdict on passes that no code of the project takes: only what a class cannot do at all is its fault."""
    if verdict.repeat.loop.kind == "any user's" and verdict.fault not in (None, "never set", "wrapper repeats"):
        return Verdict(verdict.repeat, "unknown", "nobody in the project iterates it")
    return verdict


def _judge(repeat: Repeat) -> Verdict:
    if repeat.heard:
        deaf = _deaf_wrapper(repeat)
        return deaf if deaf is not None else _judge_heard(repeat)
    if repeat.lost_sight:
        return Verdict(repeat, "unknown", repeat.lost_sight)
    repeater = repeat.repeater()
    if repeater is None and is_evaluation(repeat):
        return Verdict(repeat, "right", "evaluation: its order is harmless")
    if repeater is not None or repeat.loop.kind == "cycle":
        return _judge_repeater(repeat)
    moment = repeat.consumer.moment
    if is_inside_epoch(repeat):
        return Verdict(repeat, "right", "passes of one epoch, which a loop outside sets")
    if _inner_repeats(repeat):
        return Verdict(repeat, "right", "the wrapper inside repeats by itself")
    if moment.restarting and any(
        epoch.target is repeat.target and not epoch.moment.dead and epoch.moment.order > moment.order
        for epoch in repeat.trace.epochs
    ):
        return Verdict(repeat, "unknown", "the epoch is set elsewhere in the job")
    if (
        moment.restarting
        and moment.frame.owner is not None
        and moment.frame.self_value is not repeat.loop.frame.self_value
    ):
        return Verdict(repeat, "faulty", "the holder restarts without advancing", "wrapper repeats")
    attempts = attempts_on(repeat)
    if attempts:
        return Verdict(repeat, "faulty", "the call never happens", "attempt fails", attempts=attempts)
    stopped = _stopped_at_wrapper(repeat)
    if stopped:
        return Verdict(repeat, "faulty", "the call stops at a wrapper", "stops at a wrapper", stopped)
    elsewhere = _set_elsewhere(repeat)
    if elsewhere:
        return Verdict(repeat, "faulty", "another sampler's epoch is set", "set elsewhere", elsewhere)
    return Verdict(repeat, "faulty", "nothing sets the epoch", "never set")


def _deaf_wrapper(repeat: Repeat) -> Verdict | None:
    """Return a verdict if only a wrapper's own counting moves the epoch, and the consumer's call stops in front of it.

    Such a job reshuffles, but when it is resumed it starts over with epoch 0.
    """
    if not all(epoch.moment.passes and epoch.origin.passes for epoch in repeat.heard):
        return None
    sources = repeat.sources()
    setters = [index for index, source in enumerate(sources) if has_own_setter(source)]
    by_framework = all(epoch.how == "itself" for epoch in repeat.heard)
    if not setters and not by_framework:
        return None
    deaf = sources[: setters[0]] if setters else []
    attempts: list[GuardSeen | CallSeen] = [
        guard
        for guard in repeat.trace.guards
        if guard.name == "set_epoch"
        and guard.answer is False
        and not guard.moment.dead
        and (
            any(value is source for value in guard.subject for source in deaf)
            or (by_framework and any(repeat.concerns(value) for value in guard.subject))
        )
    ]
    if not attempts or repeat.lost_sight:
        return None
    return Verdict(repeat, "faulty", "the epoch of a resumed job never arrives", "deaf wrapper", attempts=attempts)


def has_own_setter(value: Object) -> bool:
    """Whether an object is of a class of the project with a ``set_epoch`` of its own."""
    return isinstance(value.cls, ProjectClass) and value.cls.function("set_epoch") is not None


def _judge_heard(repeat: Repeat) -> Verdict:
    """Judge a repeat whose target hears of an epoch between its two passes."""
    late = [epoch for epoch in repeat.heard if _is_late(repeat, epoch)]
    if len(late) == len(repeat.heard):
        if repeat.repeater() is not None and not any(e.moment.consuming for e in late):
            return Verdict(repeat, "right", "the wrapper sets the epoch on each pass")
        if is_evaluation(repeat):
            return Verdict(repeat, "right", "evaluation: its order is harmless")
        return Verdict(repeat, "faulty", "the call comes after the iterator was made", "too late", late)
    heard = [epoch for epoch in repeat.heard if epoch not in late]
    if all(_is_ranked(epoch) for epoch in heard) and not _on_both_sides(heard):
        return Verdict(repeat, "faulty", "ranks set different epochs", "some ranks only", heard)
    constant = [epoch for epoch in heard if _is_constant(repeat, epoch)]
    if len(constant) == len(heard):
        if is_evaluation(repeat):
            return Verdict(repeat, "right", "evaluation: its order is harmless")
        if is_inside_epoch(repeat):
            return Verdict(repeat, "right", "passes of one epoch, which a loop outside sets")
        return Verdict(repeat, "faulty", "the value is the same on each turn", "never changes", constant)
    return Verdict(repeat, "right", f"set_epoch arrives ({heard[0].how})", evidence=heard)


def _judge_repeater(repeat: Repeat) -> Verdict:
    repeater = repeat.repeater()
    later = [
        epoch
        for epoch in repeat.trace.epochs
        if epoch.target is repeat.target and epoch.moment.order > repeat.second.moment.order and not epoch.moment.dead
    ]
    chain = repeat.chain()
    excused = [
        epoch
        for epoch in later
        if any(one in chain for one in epoch.moment.consuming)
        or any(pull.order > epoch.moment.order for one in chain for pull in one.pulled)
    ]
    if excused and repeat.loop.kind != "cycle":
        below = repeater is not None and any(
            cls.entry.kind == "loader" for one in repeater.moment.passes for cls in _classes(one.source)
        )
        if below and _has_workers(repeat):
            return Verdict(repeat, "faulty", "the loader draws ahead of the call", "too late", excused)
        return Verdict(repeat, "right", "set_epoch arrives from the consumer", evidence=excused)
    if is_evaluation(repeat):
        return Verdict(repeat, "right", "evaluation: its order is harmless")
    if repeater is not None and isinstance(repeater.source, Object) and repeat.loop.kind != "cycle":
        return Verdict(repeat, "faulty", "the wrapper repeats without advancing", "wrapper repeats")
    return Verdict(repeat, "faulty", "the generator repeats without advancing", "generator repeats")


def _classes(source: object) -> list:  # type: ignore[type-arg]
    return library_classes(source) if isinstance(source, Object) else []


def _inner_repeats(repeat: Repeat) -> bool:
    """Whether a wrapper on the path never ends its pass, so that the consumer's loop takes one turn only."""
    return any(one.endless for one in repeat.chain()[:-1])


def _is_late(repeat: Repeat, epoch: EpochSet) -> bool:
    chain = repeat.chain()
    if any(one in chain for one in epoch.moment.consuming):
        return True
    start, end = repeat.first.moment.order, repeat.second.moment.order
    pulls = [pull.order for one in chain for pull in one.pulled if start < pull.order < end]
    if repeat.second.chain()[0].moment.restarting and any(pull < epoch.moment.order for pull in pulls):
        # The first pass was under way; where it ends, the second one starts, behind the call.
        return False
    # Without workers the order is drawn at the first `next`, so that a call before it is in time.
    drawn = _has_workers(repeat) or any(pull < epoch.moment.order for pull in pulls)
    return drawn and any(pull > epoch.moment.order for pull in pulls)


def _has_workers(repeat: Repeat) -> bool:
    """Whether a loader of the path has worker processes, which draw ahead of its consumer."""
    for source in repeat.sources():
        given = source.arguments.get("num_workers", ())
        if given and not all(isinstance(value, Const) and value.value in (0, None) for value in given):
            return True
    return False


def _is_ranked(epoch: EpochSet) -> bool:
    if any(guard.rank for guard in epoch.moment.guards):
        return True
    return any(isinstance(value, Data) and value.rank for value in epoch.values)


def _on_both_sides(heard: list[EpochSet]) -> bool:
    """Whether the ranks that pass a test set the epoch, and those that do not set it as well."""
    sides = {(id(guard.module), guard.at, guard.branch) for e in heard for guard in e.moment.guards if guard.rank}
    return any((module, at, not branch) in sides for module, at, branch in sides)


def _is_constant(repeat: Repeat, epoch: EpochSet) -> bool:
    if epoch.how == "itself":
        return False
    before = [
        other
        for other in repeat.trace.epochs
        if other.target is epoch.target
        and other.moment.site == epoch.moment.site
        and other.moment.order < epoch.moment.order
        and other.moment.turn(repeat.loop) == 0
    ]
    return bool(before) and same_value(before[-1].values, epoch.values, repeat)


def attempts_on(repeat: Repeat) -> list[GuardSeen | CallSeen]:
    """Return the guards and calls in the loop that were meant to set an epoch on the path and never do."""
    found: list[GuardSeen | CallSeen] = []
    for guard in repeat.trace.guards:
        asks = guard.name == "set_epoch" or (guard.kind == "isinstance" and "set_epoch" in guard.opens)
        if asks and guard.answer is False and not guard.moment.dead and repeat.inside_loop(guard.moment):
            if any(repeat.concerns(value) for value in guard.subject):
                found.append(guard)
    for call in repeat.trace.calls:
        if call.kind == "missing" and call.name == "set_epoch" and not call.moment.dead:
            if repeat.inside_loop(call.moment) and any(repeat.concerns(value) for value in call.values):
                found.append(call)
    return found


def _stopped_at_wrapper(repeat: Repeat) -> list[EpochSet]:
    sources = repeat.sources()[:-1]
    return [
        epoch
        for epoch in repeat.trace.epochs
        if epoch.how == "call"
        and any(epoch.target is source for source in sources)
        and repeat.first.moment.order < epoch.moment.order < repeat.second.moment.order
    ]


def _is_harmless(one: Pass, repeat: Repeat) -> bool:
    """Whether the order of a pass does not matter: it does not shuffle, or only looks at data."""
    source = one.source
    if isinstance(source, Object) and only_constant(source.arguments.get("shuffle", ())) == Const(False):
        return True
    return is_evaluation(Repeat(repeat.target, one, one, repeat.loop, repeat.trace))


def _set_elsewhere(repeat: Repeat) -> list[EpochSet]:
    read = {
        id(one.source)
        for one in repeat.trace.passes
        if repeat.inside_loop(one.moment) and not _is_harmless(one, repeat)
    }
    return [
        epoch
        for epoch in repeat.trace.epochs
        if epoch.how == "call"
        and id(epoch.target) not in read
        and epoch.moment is epoch.origin
        and not epoch.moment.dead
        and repeat.inside_loop(epoch.moment)
        and epoch.target not in repeat.sources()
        and library_classes(epoch.target)
    ]
