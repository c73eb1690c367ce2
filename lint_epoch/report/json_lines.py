"""The format ``json-lines``: one JSON object a line, for programs that read as they go and for ``grep`` and ``jq``.

Each line is what the format ``json`` has in its lists, with ``kind`` in front: findings, then errors, then one line
with the summary and the version, so that a reader can tell a report that was cut off from a whole one.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec

from lint_epoch.report.json import VERSION, error_object, finding_object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lint_epoch.diagnostics import Report
    from lint_epoch.report.view import View


def render(report: Report, view: View) -> str:
    """One line for each finding, one for each error, and one for the summary."""
    return "".join(f"{json.dumps(line)}\n" for line in _lines(report, view.folder))


def _lines(report: Report, folder: str) -> Iterator[dict[str, Any]]:
    for finding in report.findings:
        yield {"kind": "finding", **finding_object(finding, folder)}
    for problem in report.errors:
        yield {"kind": "error", **error_object(problem, folder)}
    yield {"kind": "summary", "version": VERSION, **msgspec.to_builtins(report.summary)}
