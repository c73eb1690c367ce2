"""Where a record stands in its function: what is round it, and what stands in front of it in its block."""

from __future__ import annotations

from typing import Any

from lint_epoch.facts import records as r
from lint_epoch.project import walk
from lint_epoch.project.passes import Moment
from lint_epoch.project.state import Frame


def code_of(frame: Frame) -> Any:
    """Return the record of a frame's function, or of its module."""
    return frame.function.record if frame.function is not None else frame.module.record


def path_to(root: Any, at: int) -> list[Any]:
    """Return the records from the root to the one at a place, each inside the one before; none if it is not there."""
    holders: dict[int, Any] = {}
    waiting = [root] if root is not None else []
    while waiting:
        current = waiting.pop()
        if getattr(current, "at", None) == at and current is not root:
            path = [current]
            while id(path[-1]) in holders:
                path.append(holders[id(path[-1])])
            return path[::-1]
        for inner in walk.children(current):
            holders[id(inner)] = current
            waiting.append(inner)
    return []


def statements_to(frame: Frame, at: int) -> list[r.Statement]:
    """Return the statements of a frame's code that stand round a place, outermost first."""
    path = path_to(code_of(frame), at)
    return [record for record in path[1:] if isinstance(record, r.Statement)]


def block_with(frame: Frame, statement: r.Statement) -> r.Block:
    """Return the block in which a statement of a frame's code stands; empty if it is not there."""
    path = path_to(code_of(frame), statement.at)
    for holder in reversed(path[:-1] if path and path[-1] is statement else path):
        for name in ("body", "orelse", "final"):
            block = getattr(holder, name, ())
            if isinstance(block, tuple) and any(item is statement for item in block):
                return block
    return ()


def call_at(frame: Frame, at: int) -> r.Call | None:
    """Return the call at a place of a frame's code."""
    path = path_to(code_of(frame), at)
    return path[-1] if path and isinstance(path[-1], r.Call) else None


def given_to(frame: Frame) -> dict[str, r.AnyExpression]:
    """Return what the call of a frame's function gives to each parameter, as it is written there."""
    call = call_at(frame.caller, frame.call_site[1]) if frame.caller is not None else None
    if call is None or frame.function is None or any(argument.star for argument in call.arguments):
        return {}
    names = [parameter.name for parameter in frame.function.record.parameters if parameter.kind == "positional"]
    names = names[1:] if frame.function.bound is not None else names
    positional = [argument.value for argument in call.arguments if not argument.keyword]
    given = dict(zip(names, positional, strict=False))
    return given | {argument.keyword: argument.value for argument in call.arguments if argument.keyword}


def place_in(frame: Frame, moment: Moment) -> int | None:
    """Return where in a frame's code something happened: there, or the call that led to it; ``None`` if elsewhere."""
    current: Frame | None = moment.frame
    at = moment.at
    while current is not None and current is not frame:
        at = current.call_site[1]
        current = current.caller
    return at if current is frame else None
