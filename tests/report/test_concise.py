from __future__ import annotations

from pathlib import Path

import msgspec

from lint_epoch.report.concise import render
from lint_epoch.report.view import View


def test_one_line_a_finding_and_nothing_else(project: Path, guard, wrapper, report_of) -> None:
    assert render(report_of(wrapper, guard), View(folder=project.as_posix())) == (
        "train.py:1:1: LEP101 Adapter has no set_epoch\n"
        'train.py:8:12: LEP201 `hasattr(loader, "set_epoch")` is never true: '
        "loader is an Adapter, which has no set_epoch\n"
    )


def test_no_finding_no_output(report_of) -> None:
    assert render(report_of(), View(folder="/")) == ""


def test_a_finding_stays_on_one_harmless_line(guard, report_of) -> None:
    hostile = msgspec.structs.replace(guard, path="/job/a\nb.py", message="\x1b]0;title\x07\nx:1:1: LEP999 forged")
    assert render(report_of(hostile), View(folder="/job")) == (
        "a\\x0ab.py:8:12: LEP201 \\x1b]0;title\\x07\\x0ax:1:1: LEP999 forged\n"
    )
