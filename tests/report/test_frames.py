from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from lint_epoch.diagnostics import Finding
from lint_epoch.report.frames import MOST_CHARACTERS, SourceLines, frame
from lint_epoch.report.view import View

VIEW = View(folder="/")


@pytest.fixture
def drawn(guard: Finding):
    def draw(line: str, column: int, end_column: int, view: View = VIEW) -> list[str]:
        spot = msgspec.structs.replace(guard, line=1, end_line=1, column=column, end_column=end_column)
        return frame(spot, [line], view)

    return draw


def test_exactly_the_span_is_underlined(drawn) -> None:
    assert drawn("    x = set(y)", 9, 15) == ["1 |     x = set(y)", "  |         ^^^^^^"]


def test_tabs_become_spaces_so_that_the_marks_stand_below(drawn) -> None:
    assert drawn("\t\tx = 1", 3, 4) == ["1 |         x = 1", "  |         ^"]


def test_wide_characters_take_two_columns(drawn) -> None:
    assert drawn('f("漢字", x)', 3, 7) == ['1 | f("漢字", x)', "  |   ^^^^^^"]


def test_combining_marks_take_no_column(drawn) -> None:
    assert drawn('f("e\u0301", x)', 8, 9)[1] == "  |       ^"


def test_an_escape_in_the_source_is_shown_and_underlined_as_such(drawn) -> None:
    assert drawn('f("\x1b")', 3, 6) == ['1 | f("\\x1b")', "  |   ^^^^^^"]


def test_an_empty_span_still_gets_a_mark(drawn) -> None:
    assert drawn("x", 1, 1)[1] == "  | ^"


@pytest.mark.parametrize("column", [1, 90, 5_000, 9_990])
def test_a_very_long_line_is_cut_round_the_span(drawn, column: int) -> None:
    line = "a" * (column - 1) + "B" * 5 + "c" * (9_995 - column)
    code, marks = drawn(line, column, column + 5)
    assert len(code) <= MOST_CHARACTERS + 10
    start, stop = marks.index("^"), marks.rindex("^") + 1
    assert code[start:stop] == "BBBBB"
    assert ("…" in code[:5]) == (column > 41)


def test_the_ascii_frame_has_no_ellipsis_character(drawn) -> None:
    code, _ = drawn("a" * 1_000, 500, 501, View(folder="/", drawing=False))
    assert code.isascii()
    assert code.endswith("...")


def test_each_line_of_a_short_span_is_underlined_from_its_first_character(guard: Finding) -> None:
    spot = msgspec.structs.replace(guard, line=9, end_line=11, column=5, end_column=2)
    lines = [""] * 8 + ["x = f(", "    a,  ", ")"]
    assert frame(spot, lines, VIEW) == [
        " 9 | x = f(",
        "   |     ^^",
        "10 |     a,",
        "   |     ^^",
        "11 | )",
        "   | ^",
    ]


def test_a_long_span_keeps_its_first_lines_and_its_last(guard: Finding) -> None:
    spot = msgspec.structs.replace(guard, line=1, end_line=9, column=1, end_column=2)
    drawn = frame(spot, [f"{number}" for number in range(1, 10)], VIEW)
    assert drawn == ["1 | 1", "  | ^", "2 | 2", "  | ^", "...", "9 | 9", "  | ^"]


def test_a_file_that_became_shorter_has_no_frame(guard: Finding) -> None:
    assert frame(guard, ["x"], VIEW) == []


def test_colour_touches_only_the_gutter_and_the_marks(drawn) -> None:
    code, marks = drawn("x = 1", 1, 2, View(folder="/", colour=True))
    assert code == "\x1b[34m1 |\x1b[0m x = 1"
    assert marks == "\x1b[34m  |\x1b[0m \x1b[1;31m^\x1b[0m"


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"a\r\nb\rc\nd", ["a", "b", "c", "d"]),
        ("a\x0cb\u2028c\n".encode(), ["a\x0cb\u2028c", ""]),
        ("# coding: latin-1\nx = 'é'".encode("latin-1"), ["# coding: latin-1", "x = 'é'"]),
    ],
    ids=["every newline", "only what Python takes for a newline", "the file's own encoding"],
)
def test_lines_are_those_that_python_counts(tmp_path: Path, data: bytes, lines: list[str]) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(data)
    assert SourceLines().of(path.as_posix()) == lines


def test_a_file_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("first")
    sources = SourceLines()
    sources.of(path.as_posix())
    path.write_text("second")
    assert sources.of(path.as_posix()) == ["first"]


def test_a_file_that_is_gone_has_no_lines(tmp_path: Path) -> None:
    assert SourceLines().of((tmp_path / "gone.py").as_posix()) == []
