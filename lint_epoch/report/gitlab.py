"""The format ``gitlab``: a Code Quality report, https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format.

GitLab compares the reports of two branches by their fingerprints, so these depend on no line number. It does not show
``check_name``, so that the description repeats the code. What could not be checked has no place in the format: it
stands on the error stream and in the exit status.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from lint_epoch.fingerprints import fingerprints
from lint_epoch.report.frames import SourceLines
from lint_epoch.report.paths import display
from lint_epoch.report.severity import is_error

if TYPE_CHECKING:
    from lint_epoch.diagnostics import Consequence, Finding, Report
    from lint_epoch.report.view import View

#: GitLab's words are info, minor, major, critical and blocker; what is likely, and not proved, is minor.
_SEVERITY: dict[Consequence, str] = {
    "data lost": "critical",
    "ranks overlap": "critical",
    "length unknown": "minor",
}


def render(report: Report, view: View) -> str:
    """One JSON list with an object for each finding; ``[]`` where there is none, since GitLab wants a report."""
    marks = fingerprints(report.findings, view.base, SourceLines().of)
    pairs = zip(report.findings, marks, strict=True)
    return json.dumps([_entry(finding, mark, view.base) for finding, mark in pairs], indent=2) + "\n"


def _entry(finding: Finding, mark: str, base: str) -> dict[str, Any]:
    severity = _SEVERITY.get(finding.consequence, "major") if is_error(finding) else "minor"
    return {
        "description": f"{finding.code}: {finding.message}",
        "check_name": f"{finding.code} {finding.name}",
        "fingerprint": mark,
        "severity": severity,
        "location": {"path": display(finding.path, base), "lines": {"begin": finding.line, "end": finding.end_line}},
    }
