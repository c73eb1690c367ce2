"""The format ``json``, version 1: the whole report as one object, for programs.

The shape is documented and only ever grows; a change that could break a reader raises ``version``. Lines and columns
count from 1, columns in code points; paths are relative to the working folder where they lie inside it, else absolute,
with forward slashes. Everything outside ASCII is escaped, so that the output is safe to show and independent of the
terminal's encoding.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec

from lint_epoch.report.paths import display

if TYPE_CHECKING:
    from lint_epoch.diagnostics import Finding, Problem, Report
    from lint_epoch.report.view import View

VERSION = 1


def render(report: Report, view: View) -> str:
    """One JSON object with ``version``, ``findings``, ``errors`` and ``summary``, ended by a newline."""
    document = {
        "version": VERSION,
        "findings": [finding_object(finding, view.folder) for finding in report.findings],
        "errors": [error_object(problem, view.folder) for problem in report.errors],
        "summary": msgspec.to_builtins(report.summary),
    }
    return json.dumps(document, indent=2) + "\n"


def error_object(problem: Problem, folder: str) -> dict[str, Any]:
    """What could not be checked, as the documentation describes it."""
    return {"path": display(problem.path, folder), "line": problem.line, "message": problem.message}


def finding_object(finding: Finding, folder: str) -> dict[str, Any]:
    """A finding as the documentation describes it."""
    fix = finding.fix
    return {
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "path": display(finding.path, folder),
        "line": finding.line,
        "column": finding.column,
        "end_line": finding.end_line,
        "end_column": finding.end_column,
        "confidence": finding.confidence,
        "consequence": finding.consequence,
        "trace": [{"path": display(hop.path, folder), "line": hop.line, "what": hop.what} for hop in finding.trace],
        "fix": None if fix is None else {"safety": fix.safety, "description": fix.description},
    }
