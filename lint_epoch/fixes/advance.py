"""Advancing the epoch: an ``__iter__`` that restarts what it holds sets the next epoch in front of each pass.

After ``set_epoch(e)`` from outside, the passes draw the epochs e, e + 1, e + 2 and so on.
"""

from __future__ import annotations

from collections.abc import Sequence

from lint_epoch.fixes.filetree import FileTree
from lint_epoch.fixes.insertion import before, in_front
from lint_epoch.fixes.spans import Edit
from lint_epoch.fixes.style import parameter_names
from lint_epoch.repairs import AdvanceEpoch


def passes(file: FileTree, repairs: Sequence[AdvanceEpoch], attribute: str) -> list[Edit]:
    """Return the edits that set and advance the epoch in front of each pass, those left out that are there."""
    edits: list[Edit] = []
    for repair in repairs:
        statement = file.statement_at(repair.before_at)
        method = file.enclosing_method(statement, file.class_at(repair.class_at))
        names = parameter_names(method) if method is not None else []
        if not names:
            continue
        receiver = names[0]
        if any(file.source(other).startswith(f"{receiver}.set_epoch(") for other in in_front(file, statement)):
            continue
        lines = [f"{receiver}.set_epoch({receiver}.{attribute})", f"{receiver}.{attribute} += 1"]
        edits += before(file, statement, lines)
    return edits
