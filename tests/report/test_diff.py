from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from lint_epoch.fixes.rounds import FileChange
from lint_epoch.report.diff import patch, shown_patch
from lint_epoch.report.view import View

CASES = {
    "inserted": (b"a\nb\nc\n", b"a\nb\nnew\nc\n"),
    "crlf": (b"a\r\nb\r\n", b"a\r\nnew\r\nb\r\n"),
    "no final newline": (b"a\nb", b"a\nnew\nb"),
    "final newline added": (b"a\nb", b"a\nb\nnew\n"),
    "lone carriage returns": (b"a\rb\r", b"a\rnew\rb\r"),
    "byte order mark": (b"\xef\xbb\xbfa\n", b"\xef\xbb\xbfnew\na\n"),
    "form feed": (b"a\n\x0cb\n", b"a\nnew\n\x0cb\n"),
    "latin-1": ("é\nb\n".encode("latin-1"), "é\nü\nb\n".encode("latin-1")),
    "whole file": (b"a", b"b"),
}


def change_of(path: Path, before: bytes, after: bytes, encoding: str = "utf-8") -> FileChange:
    return FileChange(path=path.as_posix(), before=before, after=after, encoding=encoding)


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES.keys())
def test_the_patch_makes_exactly_the_change(tmp_path: Path, before: bytes, after: bytes) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(before)
    exact = patch([change_of(path, before, after)], tmp_path.as_posix())
    subprocess.run(["git", "apply", "-p0", "--whitespace=nowarn"], input=exact, cwd=tmp_path, check=True)
    assert path.read_bytes() == after


def test_files_follow_one_another(tmp_path: Path) -> None:
    changes = [change_of(tmp_path / name, b"x\n", b"y\n") for name in ("a.py", "b.py")]
    assert shown_patch(changes, View(folder=tmp_path.as_posix())) == (
        "--- a.py\n+++ a.py\n@@ -1 +1 @@\n-x\n+y\n--- b.py\n+++ b.py\n@@ -1 +1 @@\n-x\n+y\n"
    )


def test_a_shown_patch_is_decoded_as_its_file_is() -> None:
    change = change_of(Path("/a.py"), b"x\n", "é\n".encode("latin-1"), "latin-1")
    assert "\n+é\n" in shown_patch([change], View(folder="/"))


def test_a_shown_patch_keeps_tabs_and_line_ends_and_nothing_that_steers_a_terminal() -> None:
    change = change_of(Path("/a\x1b.py"), b"\tx\r\n\x1b[2J\n", "\ty\r\n\x1b[2J\u202e\n".encode())
    text = shown_patch([change], View(folder="/"))
    assert text.startswith("--- a\\x1b.py\n")
    assert "\n-\tx\r\n" in text
    assert "\n+\\x1b[2J\\u202e\n" in text


def test_colour_marks_what_comes_and_goes() -> None:
    text = shown_patch([change_of(Path("/a.py"), b"x\r\n", b"y\r\n")], View(folder="/", colour=True))
    assert "\x1b[1;31m-x\x1b[0m\r\n\x1b[32m+y\x1b[0m\r\n" in text
