"""The format ``sarif``: SARIF 2.1.0, as GitHub code scanning and editors read it.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html; what GitHub asks for beyond it stands at
https://docs.github.com/en/code-security/reference/code-scanning/sarif-files/sarif-support. Paths are relative to the
repository, regions are one line long, since GitHub shows an alert only where all its lines are in the diff, and the
epoch path is a code flow. The rules are listed in every run, also in one without results.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from lint_epoch import __version__
from lint_epoch.fingerprints import fingerprints
from lint_epoch.report.frames import SourceLines
from lint_epoch.report.paths import display
from lint_epoch.report.severity import is_error
from lint_epoch.rules import UNUSED, all_rules

if TYPE_CHECKING:
    from lint_epoch.diagnostics import Finding, Hop, Problem, Report
    from lint_epoch.report.view import View
    from lint_epoch.rules.base import Rule

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
#: The name under which relative paths are resolved; viewers ask where it is.
_ROOT = "SRCROOT"


def render(report: Report, view: View) -> str:
    """One SARIF log with one run."""
    rules = (*all_rules(), UNUSED)
    order = {rule.code: index for index, rule in enumerate(rules)}
    marks = fingerprints(report.findings, view.base, SourceLines().of)
    pairs = zip(report.findings, marks, strict=True)
    driver = {
        "name": "lint-epoch",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(rule) for rule in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "invocations": [
            {
                "executionSuccessful": not report.errors,
                "toolExecutionNotifications": [_notification(problem, view.base) for problem in report.errors],
            }
        ],
        "results": [_result(finding, mark, order[finding.code], view.base) for finding, mark in pairs],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    plain = rule.summary.replace("`", "")
    level = "warning" if rule is UNUSED else "error"
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": plain},
        "fullDescription": {"text": f"{plain}: {rule.consequence}"},
        "help": {"text": rule.documentation, "markdown": f"# {rule.code} {rule.name}\n\n{rule.documentation}"},
        "defaultConfiguration": {"level": level},
        "properties": {
            "precision": "very-high",
            "problem.severity": level,
            "tags": ["correctness", "pytorch", "reproducibility"],
        },
    }


def _result(finding: Finding, mark: str, index: int, base: str) -> dict[str, Any]:
    region = {
        "startLine": finding.line,
        "startColumn": finding.column,
        "endLine": finding.end_line,
        "endColumn": finding.end_column,
    }
    hops = [_hop(hop, base) for hop in finding.trace]
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": "error" if is_error(finding) else "warning",
        "message": {"text": finding.message},
        "locations": [_location(finding.path, base, region)],
        # GitHub reads the first, which the SARIF upload would else compute from the line; others read all.
        "partialFingerprints": {"primaryLocationLineHash": f"{mark}:1", "lintEpoch/v1": mark},
        "properties": {"confidence": finding.confidence, "consequence": finding.consequence},
    }
    if hops:
        flow = [{"location": hop, "executionOrder": number} for number, hop in enumerate(hops, 1)]
        result["codeFlows"] = [{"message": {"text": "The epoch path."}, "threadFlows": [{"locations": flow}]}]
        result["relatedLocations"] = [{"id": number, **hop} for number, hop in enumerate(hops, 1)]
    if finding.fix is not None:
        result["properties"]["fix"] = {"safety": finding.fix.safety, "description": finding.fix.description}
    return result


def _hop(hop: Hop, base: str) -> dict[str, Any]:
    return {**_location(hop.path, base, {"startLine": hop.line}), "message": {"text": hop.what}}


def _notification(problem: Problem, base: str) -> dict[str, Any]:
    region = None if problem.line is None else {"startLine": problem.line}
    return {
        "level": "error",
        "message": {"text": problem.message},
        "locations": [_location(problem.path, base, region)],
    }


def _location(path: str, base: str, region: dict[str, int] | None) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": _artifact(path, base)}
    if region is not None:
        physical["region"] = region
    return {"physicalLocation": physical}


def _artifact(path: str, base: str) -> dict[str, str]:
    # A file name that is no UTF-8 is percent-encoded byte by byte, as it is on the disk.
    inside = display(path, base)
    uri = quote(inside.encode("utf-8", "surrogateescape"))
    if inside == path:
        return {"uri": f"file://{uri}"}
    return {"uri": uri, "uriBaseId": _ROOT}
