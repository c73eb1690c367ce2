from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from lint_epoch.diagnostics import FixOffer, Hop, Problem, Verdict
from lint_epoch.report.text import render
from lint_epoch.report.view import View


@pytest.fixture
def view(project: Path) -> View:
    return View(folder=project.as_posix())


def test_a_finding_is_its_line_its_frame_and_its_epoch_path(guard, report_of, view: View) -> None:
    assert render(report_of(guard), view) == (
        'train.py:8:12: LEP201 `hasattr(loader, "set_epoch")` is never true: '
        "loader is an Adapter, which has no set_epoch\n"
        '    8 |         if hasattr(loader, "set_epoch"):\n'
        "      |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
        "    epoch path\n"
        "    ✗ train.py:8 the guard asks loader\n"
        "    └─ /elsewhere/main.py:40 Adapter\n"
        "       └─ /elsewhere/data.py:312 which draws from DistributedSampler\n"
        "\n"
        "1 finding (lint-epoch explain LEP201 says what to do)\n"
    )


def test_the_cross_stands_at_the_wrapper_that_the_finding_is_about(wrapper, report_of, view: View) -> None:
    assert render(report_of(wrapper), view).count("✗") == 1
    assert "\n    └─ ✗ /elsewhere/main.py:40 Adapter\n" in render(report_of(wrapper), view)


def test_the_cross_falls_back_to_the_consumer(guard, report_of, view: View) -> None:
    never_set = msgspec.structs.replace(guard, message="nothing sets the epoch", line=1, end_line=1)
    assert "\n    ✗ train.py:8 the guard asks loader\n" in render(report_of(never_set), view)


def test_a_reader_without_box_drawing_gets_ascii(guard, report_of, view: View) -> None:
    text = render(report_of(guard), msgspec.structs.replace(view, drawing=False))
    assert text.isascii()
    assert (
        "    x train.py:8 the guard asks loader\n    `- /elsewhere/main.py:40 Adapter\n       `- /elsewhere/data"
        in text
    )


def test_colour_adds_codes_and_changes_no_word(guard, wrapper, report_of, view: View) -> None:
    report = report_of(wrapper, guard)
    coloured = render(report, msgspec.structs.replace(view, colour=True))
    assert "\x1b[" in coloured
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == render(report, view)


def test_a_likely_finding_says_so_and_a_fix_says_how(wrapper, report_of, view: View) -> None:
    text = render(report_of(wrapper), view)
    assert "    likely, not proved: " in text
    assert "    lint-epoch fix: insert set_epoch\n" in text


def test_an_unsafe_fix_names_the_option_that_it_needs(wrapper, report_of, view: View) -> None:
    unsafe = msgspec.structs.replace(wrapper, fix=FixOffer("unsafe", "insert set_epoch"))
    text = render(report_of(unsafe), view)
    assert "    lint-epoch fix --unsafe-fixes: insert set_epoch\n" in text
    assert text.endswith("\n1 finding (1 fixable with lint-epoch fix --unsafe-fixes)\n")


def test_the_last_line_counts_and_says_what_to_do(guard, wrapper, report_of, view: View) -> None:
    unsafe = msgspec.structs.replace(wrapper, fix=FixOffer("unsafe", "insert set_epoch"))
    text = render(report_of(wrapper, wrapper, unsafe, guard), view)
    assert text.endswith("\n4 findings (2 fixable with lint-epoch fix, 1 more with --unsafe-fixes)\n")


def test_the_last_line_of_a_clean_report_tells_how_much_was_looked_at(report_of, view: View) -> None:
    assert render(report_of(), view) == "no findings in 12 files\n"


def test_the_last_line_does_not_hide_what_was_silenced_or_failed(guard, report_of, view: View) -> None:
    report = report_of(guard, errors=(Problem("/a.py", "gone"),), suppressed=2)
    assert render(report, view).endswith(
        "\n1 finding (lint-epoch explain LEP201 says what to do), 2 more silenced by a comment, 1 error\n"
    )


def test_silence_is_told_from_proof(report_of, view: View) -> None:
    verdicts = (Verdict("/a.py", 1, "right", "called"), Verdict("/a.py", 9, "unknown", "a parameter"))
    assert render(report_of(verdicts=verdicts), view) == (
        "loops on an epoch path: 1 right, 0 faulty, 1 unknown (--statistics says why)\nno findings in 12 files\n"
    )


def test_no_control_character_of_the_source_or_of_a_name_comes_through(tmp_path: Path, guard, report_of) -> None:
    path = tmp_path / "a\x1b[2J.py"
    path.write_text("x = '\x1b[31m\u202e'\n", encoding="utf-8")
    hostile = msgspec.structs.replace(
        guard,
        path=path.as_posix(),
        message="\x07",
        line=1,
        end_line=1,
        column=1,
        end_column=2,
        trace=(Hop(path.as_posix(), 1, "\x9b"),),
        fix=FixOffer("safe", "\x1b[0m"),
    )
    text = render(report_of(hostile), View(folder=tmp_path.as_posix()))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text)
