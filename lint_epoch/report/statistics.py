"""What ``--statistics`` prints in place of the findings: how many of each rule, and what became of each loop."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from lint_epoch.report.paths import harmless, shown

if TYPE_CHECKING:
    from lint_epoch.diagnostics import Report, Verdict
    from lint_epoch.report.view import View

#: Reasons for "unknown" that are listed; they are sorted by frequency and the tail is rarely worth a look.
MOST_REASONS = 20


def render(report: Report, view: View) -> str:
    """A table of findings by rule, the verdicts on the loops, and why some of them are unknown."""
    return "\n".join([*_rules(report), "", *_verdicts(report, view)]) + "\n"


def _rules(report: Report) -> list[str]:
    counts = Counter((finding.code, finding.name) for finding in report.findings)
    fixable = Counter(finding.code for finding in report.findings if finding.fix is not None)
    rows = [("findings", "fixable", "rule")]
    ordered = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    rows += [(str(count), str(fixable[code]), f"{code} {name}") for (code, name), count in ordered]
    rows.append((str(counts.total()), str(fixable.total()), "in all"))
    return [f"{count:>8} {offers:>8}  {rule}" for count, offers, rule in rows]


def _verdicts(report: Report, view: View) -> list[str]:
    summary = report.summary
    lines = ["   loops  on an epoch path"]
    lines += [f"{getattr(summary, state):>8}  {state}" for state in ("right", "faulty", "unknown")]
    groups: dict[str, list[Verdict]] = {}
    for verdict in report.verdicts:
        if verdict.state == "unknown":
            groups.setdefault(verdict.why, []).append(verdict)
    if not groups:
        return lines
    reasons = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
    lines += ["", " unknown  because"]
    for why, verdicts in reasons[:MOST_REASONS]:
        first = verdicts[0]
        lines.append(f"{len(verdicts):>8}  {harmless(why)}, as at {shown(first.path, view.folder)}:{first.line}")
    if len(reasons) > MOST_REASONS:
        lines.append(f"{'':>8}  and {len(reasons) - MOST_REASONS} rarer reasons")
    return lines
