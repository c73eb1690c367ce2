"""The format ``text``: for each finding its line, a code frame and the epoch path; last, what to do next."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from lint_epoch.report.concise import headline
from lint_epoch.report.frames import SourceLines, frame
from lint_epoch.report.paths import counted, harmless, shown

if TYPE_CHECKING:
    from lint_epoch.diagnostics import Finding, Hop, Report
    from lint_epoch.report.view import View

INDENT = "    "


def render(report: Report, view: View) -> str:
    """The report for a person at a terminal, ended by one line of counts."""
    sources = SourceLines()
    blocks = [_block(finding, sources, view) for finding in report.findings]
    return "\n".join([*blocks, *_closing(report)]) + "\n"


def _block(finding: Finding, sources: SourceLines, view: View) -> str:
    lines = [headline(finding, view)]
    lines += [INDENT + line for line in frame(finding, sources.of(finding.path), view)]
    lines += [INDENT + line for line in _tree(finding, view)]
    lines += [INDENT + line for line in _notes(finding, view)]
    return "\n".join(lines) + "\n"


def _tree(finding: Finding, view: View) -> list[str]:
    """The epoch path, each hop under the one that holds it, with a cross where the call is lost."""
    if not finding.trace:
        return []
    branch, cross = ("└─ ", "✗ ") if view.drawing else ("`- ", "x ")
    lost = _lost_at(finding)
    drawn = [view.painted("epoch path", "dim")]
    for depth, hop in enumerate(finding.trace):
        stem = " " * (len(branch) * (depth - 1)) + branch if depth else ""
        mark = view.painted(cross, "red") if depth == lost else ""
        drawn.append(f"{view.painted(stem, 'dim')}{mark}{_hop(hop, view)}")
    return drawn


def _hop(hop: Hop, view: View) -> str:
    return f"{view.painted(f'{shown(hop.path, view.folder)}:{hop.line}', 'bold')} {harmless(hop.what)}"


def _lost_at(finding: Finding) -> int:
    """The index of the hop that does not pass the call on.

    It is the hop at the finding's own place; else the one for the class with which the message begins, since a trace
    names a wrapper where it is made and the finding stands at its class; else the consumer, which comes first.
    """
    places = [(hop.path, hop.line) for hop in finding.trace]
    if (finding.path, finding.line) in places:
        return places.index((finding.path, finding.line))
    subject = re.match(r"\w*", finding.message)
    names = [hop.what.split()[-1:] for hop in finding.trace]
    return names.index([subject.group()]) if subject and [subject.group()] in names else 0


def _notes(finding: Finding, view: View) -> list[str]:
    notes = []
    if finding.confidence == "likely":
        notes.append("likely, not proved: one hop rests on an annotation, or the shuffle could not be seen")
    if finding.fix is not None:
        how = _command(finding) + (" --unsafe-fixes" if finding.fix.safety == "unsafe" else "")
        notes.append(f"{how}: {harmless(finding.fix.description)}")
    return [view.painted(note, "dim") for note in notes]


def _command(finding: Finding) -> str:
    unneeded = finding.consequence == "silences nothing"
    return "lint-epoch fix --unused-suppressions" if unneeded else "lint-epoch fix"


def _closing(report: Report) -> list[str]:
    """Counts, and what to do next; what the reader must act on stands last."""
    summary = report.summary
    lines = []
    if summary.right or summary.faulty or summary.unknown:
        hint = " (--statistics says why)" if summary.unknown else ""
        states = f"{summary.right} right, {summary.faulty} faulty, {summary.unknown} unknown"
        lines.append(f"loops on an epoch path: {states}{hint}")
    if summary.outdated:
        gone = counted(summary.outdated, "finding")
        lines.append(f"{gone} of the baseline no longer there: --write-baseline makes it shorter")
    words = counted(len(report.findings), "finding") if report.findings else "no findings"
    words += f" in {counted(summary.files, 'file')}" if not report.findings else _offers(report)
    if summary.suppressed:
        words += f", {summary.suppressed} more silenced by a comment"
    if summary.baselined:
        words += f", {summary.baselined} more in the baseline"
    if report.errors:
        words += f", {counted(len(report.errors), 'error')}"
    return [*lines, words]


def _offers(report: Report) -> str:
    offered = [finding.fix.safety for finding in report.findings if finding.fix is not None]
    safe, unsafe = offered.count("safe"), offered.count("unsafe")
    if safe and unsafe:
        return f" ({safe} fixable with lint-epoch fix, {unsafe} more with --unsafe-fixes)"
    if safe:
        return f" ({safe} fixable with {_command(report.findings[0])})"  # a report has one kind of findings
    if unsafe:
        return f" ({unsafe} fixable with lint-epoch fix --unsafe-fixes)"
    # The rule with the most findings, of several the first: reading about it helps most.
    code = Counter(finding.code for finding in report.findings).most_common(1)[0][0]
    return f" (lint-epoch explain {code} says what to do)"
