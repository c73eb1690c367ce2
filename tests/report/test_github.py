"""Workflow commands, read back as GitHub's runner reads them."""

from __future__ import annotations

import re

import msgspec

from lint_epoch.diagnostics import Consequence, Finding, Problem
from lint_epoch.report.github import MOST_ROWS, render, summary
from lint_epoch.report.severity import ORDER
from lint_epoch.report.view import View

VIEW = View(folder="/job")


def commands(text: str) -> list[tuple[str, dict[str, str], str]]:
    """Name, properties and message of each line, unescaped in the order in which the runner does it."""
    found = []
    for line in text.split("\n")[:-1]:
        matched = re.fullmatch(r"::(\w+) ([^\n]*?)::(.*)", line)
        assert matched is not None, line
        pairs = (part.split("=", 1) for part in matched[2].split(","))
        found.append((matched[1], {key: unescaped(value) for key, value in pairs}, unescaped(matched[3])))
    return found


def unescaped(text: str) -> str:
    for escape, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(escape, character)
    return text


def of(guard: Finding, **changes: object) -> Finding:
    return msgspec.structs.replace(guard, path="/job/train.py", trace=(), **changes)


def test_nothing_is_said_of_a_clean_report(report_of) -> None:
    assert render(report_of(), VIEW) == ""


def test_an_annotation_stands_at_the_span_and_repeats_its_place_for_the_log(guard, report_of) -> None:
    [(name, properties, message)] = commands(render(report_of(of(guard)), VIEW))
    assert name == "error"
    assert properties == {
        "file": "train.py",
        "line": "8",
        "col": "12",
        "endColumn": "40",
        "endLine": "8",
        "title": "LEP201 dead-set-epoch-guard",
    }
    assert message == f"train.py:8:12: LEP201 {guard.message}"


def test_several_lines_have_no_columns(guard, report_of) -> None:
    [(_, properties, _)] = commands(render(report_of(of(guard, end_line=9)), VIEW))
    assert properties.keys() == {"file", "line", "endLine", "title"}


def test_names_and_messages_cannot_break_out_of_their_place(guard, report_of) -> None:
    path, message = "/job/a,b:c%2C::error ::x\n.py", "100% ::warning::\r\nnext %0A"
    hostile = msgspec.structs.replace(guard, path=path, message=message)
    [(_, properties, told)] = commands(render(report_of(hostile), VIEW))
    assert properties["file"] == path.removeprefix("/job/")
    assert told.endswith(f"LEP201 {message}")


def test_the_worst_come_first(guard, report_of) -> None:
    def one(consequence: Consequence, line: int, confidence: str = "proved") -> Finding:
        return of(guard, consequence=consequence, line=line, end_line=line, confidence=confidence)

    report = report_of(one("length unknown", 1), one("data lost", 2, "likely"), one("data lost", 3))
    told = commands(render(report, VIEW))
    assert [(name, properties["line"]) for name, properties, _ in told] == [
        ("error", "3"),
        ("error", "1"),
        ("warning", "2"),
    ]


def test_every_consequence_has_its_place_in_the_order() -> None:
    assert set(ORDER) == set(Consequence.__args__)


def test_what_could_not_be_checked_is_an_error_before_the_findings(guard, report_of) -> None:
    problems = (Problem("/job/bad.py", "invalid syntax", 3), Problem("/job/gone.py", "no such file"))
    first, second, third = commands(render(report_of(of(guard), errors=problems), VIEW))
    assert (first[1]["file"], first[1]["line"], first[2]) == ("bad.py", "3", "bad.py: invalid syntax")
    assert "line" not in second[1]
    assert third[1]["file"] == "train.py"


def test_the_summary_is_a_table_that_no_text_can_break(guard, report_of) -> None:
    text = summary(report_of(of(guard, message="`a | b` <script> [x](y) __init__")), VIEW)
    [row] = [line for line in text.splitlines() if line.startswith("| train.py")]
    assert row.count("|") == 4
    assert "<script>" not in text
    assert r"\_\_init\_\_" in row
    assert "1 finding in 12 files" in text


def test_the_summary_is_bounded(guard, report_of) -> None:
    text = summary(report_of(*[of(guard)] * (MOST_ROWS + 3)), VIEW)
    assert text.count("| train.py") == MOST_ROWS
    assert "and 3 more" in text
    assert "more" not in summary(report_of(*[of(guard)] * MOST_ROWS), VIEW)
