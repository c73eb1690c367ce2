from __future__ import annotations

import pytest

from lint_epoch.report.paths import counted, display, harmless, shown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain é 漢字 🎉", "plain é 漢字 🎉"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("bell\x07", r"bell\x07"),
        ("two\nlines\r", r"two\x0alines\x0d"),
        ("c1 \x9b31m", r"c1 \x9b31m"),
        ("delete \x7f", r"delete \x7f"),
        ("reorder \u202e\u2066", r"reorder \u202e\u2066"),
        ("mark \u200f", r"mark \u200f"),
        ("separator \u2028", r"separator \u2028"),
        ("byte \udcff", r"byte \xff"),
        ("lone \ud800", r"lone \ud800"),
    ],
)
def test_what_steers_a_terminal_is_written_out(text: str, expected: str) -> None:
    assert harmless(text) == expected


@pytest.mark.parametrize(
    ("path", "folder", "expected"),
    [
        ("/home/me/job/src/a.py", "/home/me/job", "src/a.py"),
        ("/home/me/job", "/home/me/job", "."),
        ("/home/me/jobs/a.py", "/home/me/job", "/home/me/jobs/a.py"),
        ("/other/a.py", "/home/me/job", "/other/a.py"),
        ("/a.py", "/", "a.py"),
    ],
)
def test_paths_are_relative_only_inside_the_working_folder(path: str, folder: str, expected: str) -> None:
    assert display(path, folder) == expected


def test_a_shown_path_is_relative_and_harmless() -> None:
    assert shown("/job/a\x1b[2J.py", "/job") == r"a\x1b[2J.py"


def test_counts_agree_with_their_noun() -> None:
    assert [counted(number, "file") for number in (0, 1, 2)] == ["0 files", "1 file", "2 files"]
