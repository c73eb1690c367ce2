"""Advancing the epoch: a class that restarts what it holds sets the next epoch in front of each pass.

After ``set_epoch(e)`` from outside, the passes draw the epochs e, e + 1, e + 2 and so on.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from lint_epoch.fixes.filetree import FileTree, Statement
from lint_epoch.fixes.insertion import before, in_front, statements
from lint_epoch.fixes.spans import Edit
from lint_epoch.fixes.style import method_named, parameter_names
from lint_epoch.repairs import AdvanceEpoch


def passes(file: FileTree, repairs: Sequence[AdvanceEpoch], attribute: str) -> list[Edit]:
    """Return the edits that set and advance the epoch in front of each pass, those left out that are there.

    There are none for a class some of whose passes start where another one ended and some anywhere: the attribute
    would be the epoch of the last pass for the first kind, and that of the next one for the second.
    """
    if len({repair.restarts for repair in repairs}) > 1:
        return []
    edits: list[Edit] = []
    for repair in repairs:
        statement = file.statement_at(repair.before_at)
        owner = file.class_at(repair.class_at)
        method = file.enclosing_method(statement, owner)
        names = parameter_names(method) if method is not None else []
        if not names:
            continue
        receiver = names[0]
        if any(file.source(other).startswith(f"{receiver}.set_epoch(") for other in in_front(file, statement)):
            continue
        kept = f"{receiver}.{attribute}"
        if not repair.restarts:
            edits += before(file, statement, [f"{receiver}.set_epoch({kept})", f"{kept} += 1"])
        elif _setter_does(file, owner, statement):
            edits.append(Edit(file.start(statement), file.end(statement), f"{receiver}.set_epoch({kept} + 1)"))
        else:
            edits += before(file, statement, [f"{receiver}.set_epoch({kept} + 1)"])
    return edits


def _setter_does(file: FileTree, owner: cst.ClassDef, statement: Statement) -> bool:
    """Return whether the class's own ``set_epoch`` ends with a statement, so that a call of it is enough."""
    setter = method_named(owner, "set_epoch")
    return setter is not None and file.source(statements(setter.body)[-1]) == file.source(statement)
