"""Mends that several rules share: a call of ``set_epoch`` at the top of a loop, with the loop's own count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lint_epoch.diagnostics import FixOffer
from lint_epoch.facts import records as r
from lint_epoch.project.counters import Counter, count_in, counted_in, counter_of, free_name
from lint_epoch.project.epochs import Repeat
from lint_epoch.project.model import library_classes
from lint_epoch.project.places import block_with, statements_to
from lint_epoch.project.receivers import Reach, Reached
from lint_epoch.project.state import Loop
from lint_epoch.project.values import GeneratorValue
from lint_epoch.project.view import Model
from lint_epoch.repairs import InsertAtTop, InsertStatement, Repair, Single, Together
from lint_epoch.rules.base import Draft


@dataclass(frozen=True, slots=True)
class Mend:
    """What can be done about a finding: repairs and their description, or else what the person should do."""

    offer: FixOffer | None = None
    repairs: tuple[Repair, ...] = ()
    advice: str = ""

    def offered_by(self, draft: Draft) -> None:
        """Let a draft offer the mend, or say what to do."""
        draft.offer, draft.repairs = self.offer, self.repairs
        if self.advice:
            draft.message += f"; {self.advice}"


def after_wrapper(loop: Loop) -> Mend:
    """Return the mend of a loop that must wait until a wrapper of its path has a ``set_epoch`` to call."""
    if counter_of(loop) is None:
        return Mend()
    return Mend(FixOffer("safe", "call set_epoch of the wrapper, once it has one (LEP101)"))


def set_at_top(model: Model, repeats: Sequence[Repeat]) -> Mend:
    """Return the mend that lets a loop set the epoch, at its top or in front of the statement that starts over.

    Args:
        model: the model.
        repeats: what the loop repeats without an epoch.
    """
    loop = repeats[0].loop
    reached = Reach.of_loop(model.project, loop).reach(repeats)
    if reached is None:
        return _set_in_front_of_pass(model, repeats)
    if any(repeat.started().moment.restarting for repeat in repeats):
        return _set_at_restart(repeats, reached)
    counter = counter_of(loop)
    start = _start(counter, repeats, reached) if counter is not None else None
    if counter is None or start is None:
        names = " and ".join(one.receiver.text for one in reached)
        return Mend(advice=f"count the passes, and give {names}.set_epoch the count in front of each")
    offer = FixOffer("safe", f"call {_calls(reached, counter)} at the top of the loop")
    return Mend(offer, (_at_top(loop, reached, counter, start),))


def _at_top(loop: Loop, reached: Sequence[Reached], counter: Counter, start: str) -> Repair:
    path, at = loop.module.path, loop.record.at
    lines = tuple(line for one in reached for line in one.lines(counter.text))
    if counter.kind == "renamed":
        return InsertAtTop(path, at, lines, counter.text)
    if counter.kind == "new":
        counted = InsertAtTop(path, at, (*lines, f"{counter.text} += 1"))
        return Together(path, (InsertStatement(path, at, f"{counter.text} = {start}"), counted))
    return InsertAtTop(path, at, lines)


def _set_in_front_of_pass(model: Model, repeats: Sequence[Repeat]) -> Mend:
    """Return the mend for a loop that comes by its loader in the course of a turn, as one that makes it anew does."""
    loop, path = repeats[0].loop, repeats[0].loop.module.path
    taken = [Repeat(one.target, one.second, one.second, one.loop, one.trace) for one in repeats]
    started = taken[0].started()
    advice = Mend(advice="hand this code the sampler, and call its set_epoch in front of each pass")
    is_alone = all(one.started().moment.site == started.moment.site for one in taken)
    is_own = all(one.started().moment.frame is one.loop.frame for one in taken)
    statement = next(reversed(statements_to(started.moment.frame, started.moment.at)), None)
    if not is_alone or not is_own or not isinstance(statement, r.For | r.Assign) or statement is loop.record:
        return advice
    reached = Reach.of_pass(model.project, started).reach(taken)
    counter = count_in(loop.frame, loop)
    if reached is None or counter is None or started.moment.restarting:
        return advice
    lines = [line for one in reached for line in one.lines(counter.text)]
    call: Single = InsertStatement(path, started.moment.at, "\n".join(lines))
    offer = FixOffer("safe", f"call {_calls(reached, counter)} in front of each pass")
    if counter.kind == "renamed":
        named = InsertAtTop(path, loop.record.at, (), counter.text)
        return Mend(offer, (Together(path, (named, call)),))
    return Mend(offer, (call,))


def _calls(reached: Sequence[Reached], counter: Counter) -> str:
    return " and ".join(one.receiver.call(counter.text) for one in reached)


def _set_at_restart(repeats: Sequence[Repeat], reached: Sequence[Reached]) -> Mend:
    """Return the mend for a loop that makes a new iterator when the last one is used up."""
    loop, start = repeats[0].loop, repeats[0].started().moment
    advice = "count the passes, and call set_epoch with the count in front of the new iterator"
    if start.frame is not loop.frame or any(repeat.started().moment.site != start.site for repeat in repeats):
        return Mend(advice=advice)
    statements = statements_to(start.frame, start.at)
    block = block_with(start.frame, statements[-1]) if statements else ()
    in_front = tuple(statement for statement in block if statement.at < statements[-1].at)
    path = loop.module.path
    if (counted := counted_in(in_front)) is not None:
        lines = [line for one in reached for line in one.lines(counted)]
        repair: Repair = InsertStatement(path, start.at, "\n".join(lines))
        return Mend(FixOffer("safe", "set the epoch in front of each new iterator"), (repair,))
    name = free_name(loop.frame)
    first = _start(Counter(name, "new"), repeats, reached) if name is not None and block else None
    if first is None:
        return Mend(advice=advice)
    lines = [f"{name} += 1", *(line for one in reached for line in one.lines(name or ""))]
    parts = (
        InsertStatement(path, loop.record.at, f"{name} = {first}"),
        InsertStatement(path, start.at, "\n".join(lines)),
    )
    return Mend(
        FixOffer("safe", "count the passes, and set the epoch in front of each new iterator"), (Together(path, parts),)
    )


def _start(counter: Counter, repeats: Sequence[Repeat], reached: Sequence[Reached]) -> str | None:
    """Return what a new counter starts with; ``None`` if it would start again, or forget an epoch set before."""
    if counter.kind != "new":
        return ""
    repeat = repeats[0]
    outside = [loop for loop, _ in repeat.started().moment.turns if loop is not repeat.loop]
    repeater = repeat.repeater()
    made = repeater.source.uid if repeater is not None and isinstance(repeater.source, GeneratorValue) else None
    for loop in outside:
        # A generator that was made before a loop is the same one on each of its turns.
        if loop.repeats and (made is None or loop.frame is repeat.loop.frame or made > loop.uid):
            return None
    if not any(was_set_before(one) for one in repeats):
        return "0"
    attributes = {cls.entry.epoch_attribute for cls in library_classes(repeat.target)}
    is_kept = len(repeats) == len(reached) == 1 and not reached[0].test and "epoch" in attributes
    return f"{reached[0].receiver.text}.epoch" if is_kept else None


def was_set_before(repeat: Repeat) -> bool:
    """Whether the job tells the sampler an epoch before the first pass, as one that is resumed does."""
    return any(
        epoch.target is repeat.target and epoch.moment.order < repeat.first.moment.order and not epoch.moment.dead
        for epoch in repeat.trace.epochs
    )
