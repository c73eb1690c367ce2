"""JUnit, read back by a parser that others wrote."""

from __future__ import annotations

from pathlib import Path

import msgspec
from junitparser import Error, Failure, JUnitXml

from lint_epoch.diagnostics import Problem
from lint_epoch.report.junit import render
from lint_epoch.report.view import View


def parsed(text: str) -> JUnitXml:
    return JUnitXml.fromstring(text.encode())


def test_a_clean_run_is_one_case_that_passed(report_of) -> None:
    document = parsed(render(report_of(), View(folder="/job")))
    [suite] = document
    [case] = suite
    assert case.is_passed
    assert (document.tests, document.failures, document.errors) == (1, 0, 0)


def test_each_finding_is_a_failure_in_the_suite_of_its_file(project: Path, guard, wrapper, report_of) -> None:
    document = parsed(render(report_of(wrapper, guard), View(folder=project.as_posix())))
    [suite] = document
    assert suite.name == "train.py"
    assert (suite.tests, suite.failures) == (document.tests, document.failures) == (2, 2)
    first, second = suite
    assert (first.name, first.classname) == ("LEP101 wrapper-drops-set-epoch", "train.py")
    [failure] = second.result
    assert isinstance(failure, Failure)
    assert (failure.type, failure.message) == ("LEP201", guard.message)
    assert failure.text.splitlines() == [
        f"train.py:8:12: LEP201 {guard.message}",
        "  train.py:8 the guard asks loader",
        "  /elsewhere/main.py:40 Adapter",
        "  /elsewhere/data.py:312 which draws from DistributedSampler",
    ]


def test_names_of_cases_are_unique_and_hold_no_line_number(project: Path, guard, report_of) -> None:
    [suite] = parsed(render(report_of(guard, guard), View(folder=project.as_posix())))
    assert [case.name for case in suite] == ["LEP201 dead-set-epoch-guard", "LEP201 dead-set-epoch-guard (2)"]


def test_what_could_not_be_checked_is_an_error(report_of) -> None:
    [suite] = parsed(render(report_of(errors=(Problem("/job/bad.py", "invalid syntax", 3),)), View(folder="/job")))
    [case] = suite
    [error] = case.result
    assert isinstance(error, Error)
    assert error.message == "invalid syntax"
    assert suite.errors == 1


def test_no_character_that_xml_forbids_gets_through(guard, report_of) -> None:
    hostile = msgspec.structs.replace(guard, path="/job/\udcff\x1b.py", message='<&"\x00\ufffe\uffff]]>', trace=())
    [suite] = parsed(render(report_of(hostile), View(folder="/job")))
    [case] = suite
    assert suite.name == r"\xff\x1b.py"
    assert case.result[0].message == r'<&"\x00\ufffe\uffff]]>'
