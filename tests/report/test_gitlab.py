"""Code Quality as GitLab documents it: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from lint_epoch.report.gitlab import render
from lint_epoch.report.severity import ORDER
from lint_epoch.report.view import View

#: The table of that page as a schema; GitLab publishes none. An empty string does not count as a value.
SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "location", "severity"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": "^(?!\\./)"},
                    "lines": {"type": "object", "required": ["begin"], "properties": {"begin": {"type": "integer"}}},
                },
            },
        },
    },
}


def entries(text: str) -> list[dict[str, Any]]:
    found = json.loads(text)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    return found


def test_a_clean_report_is_an_empty_list(report_of) -> None:
    assert render(report_of(), View(folder="/")) == "[]\n"


def test_an_entry_has_what_gitlab_reads(project: Path, guard, wrapper, report_of) -> None:
    view = View(folder=project.as_posix(), repository=project.parent.as_posix())
    likely, proved = entries(render(report_of(wrapper, guard), view))
    assert proved["description"] == f"LEP201: {guard.message}"
    assert proved["location"] == {"path": f"{project.name}/train.py", "lines": {"begin": 8, "end": 8}}
    assert (likely["severity"], proved["severity"]) == ("minor", "major")


@pytest.mark.parametrize("consequence", ORDER)
def test_every_consequence_has_a_severity_that_gitlab_knows(consequence, guard, report_of) -> None:
    entries(render(report_of(msgspec.structs.replace(guard, consequence=consequence)), View(folder="/")))


def test_fingerprints_are_unique_and_independent_of_line_numbers(project: Path, guard, wrapper, report_of) -> None:
    view = View(folder=project.as_posix())
    before = [entry["fingerprint"] for entry in entries(render(report_of(wrapper, guard), view))]
    assert len(set(before)) == 2
    path = project / "train.py"
    path.write_text("\n\n" + path.read_text())
    moved = [msgspec.structs.replace(f, line=f.line + 2, end_line=f.end_line + 2) for f in (wrapper, guard)]
    assert [entry["fingerprint"] for entry in entries(render(report_of(*moved), view))] == before
