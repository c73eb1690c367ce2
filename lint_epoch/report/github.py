"""The format ``github``: annotations on the lines of a pull request, by workflow commands on the standard output.

The grammar is that of https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands, the
escapes those of GitHub's toolkit. GitHub shows ten errors and ten warnings of a step and drops the rest, so the worst
come first, and ``summary`` gives the page of the job all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lint_epoch.report.paths import counted, display, harmless
from lint_epoch.report.severity import is_error, worst_first

if TYPE_CHECKING:
    from lint_epoch.diagnostics import Finding, Problem, Report
    from lint_epoch.report.view import View

#: Rows of the table on the job's page: GitHub refuses a summary of more than 1 MiB, and nobody reads so far.
MOST_ROWS = 500


def render(report: Report, view: View) -> str:
    """One command for each error and each finding; nothing for a clean report."""
    lines = [_problem(problem, view) for problem in report.errors]
    lines += [_annotation(finding, view) for finding in worst_first(report.findings)]
    return "".join(f"{line}\n" for line in lines)


def _annotation(finding: Finding, view: View) -> str:
    properties: dict[str, object] = {"file": display(finding.path, view.base), "line": finding.line}
    if finding.line == finding.end_line:
        # GitHub takes columns only for a span within one line.
        properties |= {"col": finding.column, "endColumn": finding.end_column}
    properties |= {"endLine": finding.end_line, "title": f"{finding.code} {finding.name}"}
    # The log of the job shows the message alone, so the place stands in it as well.
    place = f"{display(finding.path, view.base)}:{finding.line}:{finding.column}"
    return _command(
        "error" if is_error(finding) else "warning", properties, f"{place}: {finding.code} {finding.message}"
    )


def _problem(problem: Problem, view: View) -> str:
    properties: dict[str, object] = {"file": display(problem.path, view.base)}
    if problem.line is not None:
        properties["line"] = problem.line
    properties["title"] = "lint-epoch could not check this file"
    return _command("error", properties, f"{display(problem.path, view.base)}: {problem.message}")


def _command(name: str, properties: dict[str, object], message: str) -> str:
    given = ",".join(f"{key}={_escaped(str(value), _IN_PROPERTY)}" for key, value in properties.items())
    return harmless(f"::{name} {given}::{_escaped(message, _IN_MESSAGE)}")


#: The percent sign comes first: the others bring new ones.
_IN_MESSAGE = (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"))
_IN_PROPERTY = (*_IN_MESSAGE, (":", "%3A"), (",", "%2C"))


def _escaped(text: str, escapes: tuple[tuple[str, str], ...]) -> str:
    for character, escape in escapes:
        text = text.replace(character, escape)
    return text


def summary(report: Report, view: View) -> str:
    """The report as a table in Markdown, for the file that ``GITHUB_STEP_SUMMARY`` names."""
    counts = f"{counted(len(report.findings), 'finding')} in {counted(report.summary.files, 'file')}"
    if report.errors:
        counts += f", {counted(len(report.errors), 'error')}"
    lines = ["### lint-epoch", "", counts, ""]
    if report.findings:
        lines += ["| place | rule | message |", "| --- | --- | --- |"]
        shown = worst_first(report.findings)[:MOST_ROWS]
        lines += [_row(finding, view) for finding in shown]
        lines += ["", f"and {len(report.findings) - MOST_ROWS} more"] * (len(report.findings) > MOST_ROWS)
        lines.append("")
    return "\n".join(lines)


def _row(finding: Finding, view: View) -> str:
    place = _cell(f"{display(finding.path, view.base)}:{finding.line}")
    return f"| {place} | {finding.code} {finding.name} | {_cell(finding.message)} |"


def _cell(text: str) -> str:
    """Text that Markdown and HTML show as it is, in a cell of a table."""
    safe = harmless(text).replace("&", "&amp;").replace("<", "&lt;").replace("|", "&#124;")
    return "".join("\\" + character if character in "\\[]_*" else character for character in safe)
