"""From the repairs of one file to the edits of its text.

The repairs of one class are carried out together, since they share its ``set_epoch`` and the place of its new methods.
What would touch the place of another repair is deferred: it is asked for again once that one is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import libcst as cst

from lint_epoch.fixes import advance, forward, statements
from lint_epoch.fixes.filetree import FileTree
from lint_epoch.fixes.spans import Edit
from lint_epoch.fixes.store import store_for
from lint_epoch.repairs import (
    AdvanceEpoch,
    ForwardInside,
    ForwardMethod,
    InsertAtTop,
    InsertStatement,
    MoveBefore,
    Repair,
    ReplaceExpression,
    ReplaceStatement,
    Single,
    Together,
)

_BLANK_LINES = re.compile(r"[\r\n]*")


@dataclass(frozen=True, slots=True)
class Plan:
    """What one round does to one file."""

    edits: list[Edit]
    """The edits; none of them overlap."""
    deferred: list[Repair]
    """Repairs that touch the place of another one, to be asked for again in the next round."""
    idle: list[Repair]
    """Repairs without edits: carried out already, or not possible without harm."""


def plan_file(repairs: Sequence[Repair], tree: cst.Module, text: str, nodes: Sequence[cst.CSTNode]) -> Plan:
    """Return what carries out the repairs of one file.

    Args:
        repairs: the repairs, in the order of their importance; one given twice counts once.
        tree: the file's tree, fresh from the parser.
        text: the file's decoded text without a byte order mark.
        nodes: the tree's nodes in the order of the facts visitor.

    Raises:
        FixError: a repair names a node of the wrong kind or asks for text that is not valid, or the place of a node
            is uncertain.
    """
    file = FileTree(text, tree, nodes)
    plan = Plan([], [], [])
    for group in _groups(file, repairs):
        wanted = _edits(file, group)
        while any(one.overlaps(other) for one, other in combinations(wanted, 2)):
            plan.deferred.append(group.pop())
            wanted = _edits(file, group)
        if any(_conflict(one, other) for one in wanted for other in plan.edits):
            plan.deferred.extend(group)
            continue
        plan.idle.extend(repair for repair in group if _is_idle(file, repair, group, wanted))
        for edit in wanted:
            if edit.start == edit.end or edit not in plan.edits:
                plan.edits.append(edit)
    return plan


def edits_for_file(
    repairs: Sequence[Repair], tree: cst.Module, text: str, nodes: Sequence[cst.CSTNode]
) -> tuple[list[Edit], list[Repair]]:
    """Return the edits and the deferred repairs of ``plan_file``."""
    plan = plan_file(repairs, tree, text, nodes)
    return plan.edits, plan.deferred


def _groups(file: FileTree, repairs: Iterable[Repair]) -> list[list[Repair]]:
    """Return the repairs one by one, but those of one class together, in the order of the first of them."""
    groups: dict[object, list[Repair]] = {}
    for repair in dict.fromkeys(repairs):
        match repair:
            case ForwardMethod() | AdvanceEpoch():
                key: object = file.class_at(repair.class_at)
            case ForwardInside():
                key = file.enclosing_class(file.node(repair.method_at))
            case _:
                key = repair
        groups.setdefault(key, []).append(repair)
    return list(groups.values())


def _is_idle(file: FileTree, repair: Repair, group: Sequence[Repair], wanted: Sequence[Edit]) -> bool:
    """Return whether a repair does nothing, neither alone nor beside the others of its class."""
    if len(group) == 1 or not wanted:
        return not wanted
    others = [other for other in group if other is not repair]
    return not _edits(file, [repair]) and _edits(file, others) == wanted


def _edits(file: FileTree, group: Sequence[Repair]) -> list[Edit]:
    match group[0]:
        case Together(parts=parts):
            edits = [_single(file, part) for part in parts]
            return [edit for some in edits for edit in some] if all(edits) else []
        case InsertStatement() | InsertAtTop() | MoveBefore() | ReplaceExpression() | ReplaceStatement() as repair:
            return _single(file, repair)
        case _:
            return _class_edits(file, group)


def _single(file: FileTree, repair: Single) -> list[Edit]:
    match repair:
        case InsertStatement():
            return statements.insert(file, repair)
        case InsertAtTop():
            return statements.insert_at_top(file, repair)
        case MoveBefore():
            return statements.move(file, repair)
        case ReplaceExpression():
            return statements.replace(file, repair)
        case ReplaceStatement():
            return statements.replace_statement(file, repair)


def _class_edits(file: FileTree, group: Sequence[Repair]) -> list[Edit]:
    """Return the edits of one class's repairs; where they meet, they are in the order in which they must stand."""
    methods = [repair for repair in group if isinstance(repair, ForwardMethod)]
    advances = [repair for repair in group if isinstance(repair, AdvanceEpoch)]
    edits: list[Edit] = []
    attribute: str | None = None
    if advances:
        wanted = advances[0]
        owner = file.class_at(wanted.class_at)
        setter_comes = any(repair.method == "set_epoch" for repair in methods)
        store = store_for(file, owner, wanted.targets[0].attribute, setter_comes=setter_comes)
        passes = advance.passes(file, advances, store.attribute) if store is not None else []
        if store is not None and passes:
            attribute = store.attribute
            edits += [*store.edits, *passes]
            if not setter_comes:
                methods += [ForwardMethod(one.path, one.class_at, "set_epoch", one.targets) for one in advances]
    for repair in group:
        if isinstance(repair, ForwardInside):
            edits += forward.inside(file, repair)
    return edits + (forward.methods(file, methods, attribute) if methods else [])


def _conflict(one: Edit, other: Edit) -> bool:
    """Return whether edits of two repairs cannot be made in one round.

    The same replacement can, and so can insertions at one place if both belong to the block that stands there. An
    insertion at either end of a replaced span cannot, since what it was to stand beside may be gone.
    """
    if one.start < one.end and other.start < other.end:
        return one.overlaps(other)
    if one.start == one.end == other.start == other.end:
        return _indentation(one.text) != _indentation(other.text)
    return one.start <= other.end and other.start <= one.end and (one.start < one.end or other.start < other.end)


def _indentation(text: str) -> str:
    content = _BLANK_LINES.sub("", text, count=1)
    return content[: len(content) - len(content.lstrip(" \t"))]
