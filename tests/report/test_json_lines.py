from __future__ import annotations

import json
from pathlib import Path

from lint_epoch.diagnostics import Problem
from lint_epoch.report.json import render as render_whole
from lint_epoch.report.json_lines import render
from lint_epoch.report.view import View


def test_the_lines_are_the_whole_document_in_pieces(project: Path, guard, wrapper, report_of) -> None:
    report = report_of(wrapper, guard, errors=(Problem("/elsewhere/bad.py", "invalid syntax", 3),))
    view = View(folder=project.as_posix())
    lines = [json.loads(line) for line in render(report, view).splitlines()]
    assert [line.pop("kind") for line in lines] == ["finding", "finding", "error", "summary"]
    whole = json.loads(render_whole(report, view))
    assert lines == [*whole["findings"], *whole["errors"], {"version": 1, **whole["summary"]}]


def test_a_clean_report_is_its_summary(report_of) -> None:
    [line] = render(report_of(), View(folder="/")).splitlines()
    assert json.loads(line)["findings"] == 0
