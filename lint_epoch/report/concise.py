"""The format ``concise``: one line a finding, for editors, grep and logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lint_epoch.report.paths import harmless, shown

if TYPE_CHECKING:
    from lint_epoch.diagnostics import Finding, Report
    from lint_epoch.report.view import View


def render(report: Report, view: View) -> str:
    """One line ``path:line:column: CODE message`` for each finding, and nothing else."""
    return "".join(f"{headline(finding, view)}\n" for finding in report.findings)


def headline(finding: Finding, view: View) -> str:
    """The line that states a finding in every format that people read."""
    where = f"{shown(finding.path, view.folder)}:{finding.line}:{finding.column}:"
    return f"{view.painted(where, 'bold')} {view.painted(finding.code, 'red')} {harmless(finding.message)}"
