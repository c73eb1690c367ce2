"""What counts the turns of a loop: the epoch that a call at its top can be given."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lint_epoch.facts import records as r
from lint_epoch.facts.text import text_of
from lint_epoch.project import walk
from lint_epoch.project.places import code_of, given_to
from lint_epoch.project.scope import names_bound, reads
from lint_epoch.project.state import Frame, Loop

#: Functions whose items are whole numbers, another one on each turn.
_NUMBERS = frozenset({"range", "xrange", "trange", "count", "tnrange"})

#: Functions that hand on the items of their first argument.
_SAME_ITEMS = frozenset({"tqdm", "track", "progress_bar", "master_bar", "prange", "reversed", "list"})

#: Names of a count of epochs.
EPOCH_NAME = re.compile(r"epoch|^ep$", re.I)

#: Names for a new counter, in order of preference.
_NEW_NAMES = ("epoch", "data_epoch", "epoch_of_data")


@dataclass(frozen=True, slots=True)
class Counter:
    """What another number stands in on each turn."""

    text: str
    """How it is written."""
    kind: str
    """``there``, ``renamed`` (the loop's unused variable must be given the name) or ``new`` (it must be made)."""


def counter_of(loop: Loop) -> Counter | None:
    """Return what counts the turns of a loop, to be read at the top of its body; ``None`` if nothing certainly does."""
    record = loop.record
    if isinstance(record, r.For):
        return _of_for(record, loop.frame)
    if isinstance(record, r.While) and loop.kind == "count":
        found = counted_in(record.body)
        if found is not None:
            return Counter(found, "there")
        name = free_name(loop.frame)
        return Counter(name, "new") if name is not None else None
    return None


def counted_in(block: r.Block) -> str | None:
    """Return the epoch that statements certainly raise by one, as source."""
    found: list[str] = []
    for statement in block:
        if _jumps(statement):
            break
        if isinstance(statement, r.AugmentedAssign) and statement.operator == "Add":
            if isinstance(statement.value, r.Constant) and statement.value.value == 1:
                if isinstance(statement.target, r.Name | r.Attribute):
                    found.append(text_of(statement.target))
    return next((name for name in found if EPOCH_NAME.search(name.rpartition(".")[2])), None)


def _of_for(record: r.For, frame: Frame) -> Counter | None:
    target, iterable = record.target, record.iterable
    if isinstance(target, r.Sequence) and walk.last_name(iterable) == "enumerate" and isinstance(iterable, r.Call):
        target = target.elements[0]
        is_number = len(iterable.arguments) == 1 or all(_is_start(one) for one in iterable.arguments[1:])
        return _named(target) if is_number else None
    is_number = _gives_numbers(iterable)
    if isinstance(target, r.Name) and target.id.startswith("_") and is_number:
        name = free_name(frame) if not reads(code_of(frame), target.id) else None
        return Counter(name, "renamed") if name is not None else None
    if is_number or EPOCH_NAME.search(_last_part(target)):
        return _named(target)
    return None


def number_of(record: r.For) -> str | None:
    """Return the variable of a loop over numbers that keeps its value in a turn, as source."""
    found = _named(record.target) if _gives_numbers(record.iterable) else None
    return found.text if found is not None and found.text not in names_bound(record.body) else None


def _is_start(argument: r.Argument) -> bool:
    return argument.keyword in (None, "start")


def _named(target: r.AnyExpression) -> Counter | None:
    match target:
        case r.Name(id=name) if not name.startswith("_"):
            return Counter(name, "there")
        case r.Attribute() | r.Subscript(index=r.Constant()) if "…" not in text_of(target):
            return Counter(text_of(target), "there")
        case _:
            return None


def _last_part(target: r.AnyExpression) -> str:
    match target:
        case r.Name(id=name) | r.Attribute(attr=name) | r.Subscript(index=r.Constant(value=str(name))):
            return name
        case _:
            return ""


def _gives_numbers(iterable: r.AnyExpression) -> bool:
    while isinstance(iterable, r.Call):
        name = walk.last_name(iterable)
        if name in _NUMBERS:
            return True
        if name not in _SAME_ITEMS or not iterable.arguments:
            return False
        iterable = iterable.arguments[0].value
    return False


def _jumps(part: object) -> bool:
    """Whether a statement may go on with the next turn of the loop in which it stands."""
    if isinstance(part, r.For | r.While | r.FunctionDef | r.ClassDef):
        return False
    if isinstance(part, r.Jump):
        return part.kind == "continue"
    return any(_jumps(inner) for inner in walk.children(part) if isinstance(inner, r.Statement | r.Handler | r.Case))


def count_in(frame: Frame, loop: Loop) -> Counter | None:
    """Return what counts a loop's turns in the code of a frame that it calls: a parameter that is given the count."""
    counter = counter_of(loop)
    if counter is None or counter.kind == "new":
        return None
    if frame is loop.frame:
        block = loop.record.body if isinstance(loop.record, r.For) else ()
        return counter if counter.text.rpartition(".")[2] not in names_bound(block) else None
    if counter.kind == "renamed":
        return None
    text = _given_to(frame, loop, counter.text)
    return Counter(text, "there") if text is not None else None


def _given_to(frame: Frame, loop: Loop, text: str) -> str | None:
    if frame is loop.frame:
        return text
    if frame.caller is None or frame.function is None or not isinstance(frame.function.record, r.FunctionDef):
        return None
    record = frame.function.record
    outer = _given_to(frame.caller, loop, text)
    if outer is not None and outer.startswith("self.") and frame.self_value is loop.frame.self_value:
        return outer if walk.self_name(record) == "self" else None
    found = (name for name, value in given_to(frame).items() if text_of(value) == outer)
    return next((name for name in found if name not in names_bound(record.body)), None)


def free_name(frame: Frame) -> str | None:
    """Return a name for a counter that nothing in a function, or in its module, uses as a variable."""
    code = code_of(frame)
    taken: set[str] = set()
    for item in walk.descendants(code):
        if isinstance(item, r.Name):
            taken.add(item.id)
        elif isinstance(item, r.Parameter | r.FunctionDef | r.ClassDef):
            taken.add(item.name)
        elif isinstance(item, r.Declaration):
            taken.update(item.names)
        elif isinstance(item, r.ImportedName):
            taken.add(item.alias)
    return next((name for name in _NEW_NAMES if name not in taken), None)
