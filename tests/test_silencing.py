"""Comments are changed where they silence nothing, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from lint_epoch.config import Config
from lint_epoch.diagnostics import Finding
from lint_epoch.fixes.errors import FixError
from lint_epoch.fixes.spans import apply
from lint_epoch.selection import Selection
from lint_epoch.silencing import addition, removal, rewrite, unused
from lint_epoch.source.suppressions import Suppressions


def finding(line: int, code: str = "LEP101", path: str = "/job/train.py") -> Finding:
    return Finding(code, "name", "message", path, line, 1, line, 2, "proved", "same order every epoch")


def cleaned(tmp_path: Path, text: str, *found: Finding, config: Config | None = None) -> str:
    path = tmp_path / "train.py"
    path.write_bytes(text.encode())
    ones = unused(path, found, Selection(tmp_path, config or Config()))
    after, left = apply(text, removal(text, ones))
    assert not left
    compile(after, "train.py", "exec")
    return after


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("x = 1  # noqa: LEP101", "x = 1"),
        ("x = 1  # noqa: LEP101, E501", "x = 1  # noqa: E501"),
        ("x = 1  # noqa:E501,LEP1 because", "x = 1  # noqa: E501 because"),
        ("x = 1  # noqa: LEP101 since it is fine", "x = 1  # since it is fine"),
        ('x = "#"  # noqa: LEP101 since it is fine', 'x = "#"  # since it is fine'),
        ("x = 1  # type: ignore # noqa: LEP101", "x = 1  # type: ignore"),
        ("x = 1  # noqa: LEP101  # type: ignore", "x = 1  # type: ignore"),
        ("x = 1  # lint-epoch: ignore[LEP101] a reason", "x = 1"),
        ("x = 1  # lint-epoch: ignore[LEP101] a reason  # noqa: E501", "x = 1  # noqa: E501"),
        ("x = 1  # lint-epoch: ignore[LEP999]", "x = 1"),
        ("x = 1  # noqa: lep101", "x = 1"),
        ("x = 1\t# noqa: LEP101  ", "x = 1"),
        ("x = 1  # noqa: LEP101, F401, LEP2,E501", "x = 1  # noqa: F401, E501"),
        ("x = 1  # noqa: E501  # noqa: LEP101", "x = 1  # noqa: E501"),  # flake8 reads the first alone
        ("x = 1  # lint-epoch: ignore[LEP1] it  # noqa: LEP2", "x = 1"),
        ("x = 1  # noqa: LEP2  # lint-epoch: ignore[LEP1, LEP9] it", "x = 1"),
        # What only ruff reads so.
        ("x = 1  #noqa:LEP101", "x = 1"),
        ("x = 1  #noqa: LEP101,E501", "x = 1  #noqa: E501"),
        ("x = 1  #  noqa: E501 LEP101", "x = 1  #  noqa: E501"),
        ("x = 1  # noqa : LEP101, E501", "x = 1  # noqa : E501"),
        ("x = 1  # noqa:  LEP101", "x = 1"),
        # For a file.
        ("# flake8: noqa: LEP101, E501", "# flake8: noqa: E501"),
        ("# FLAKE8=NOQA:E501,LEP101", "# FLAKE8=NOQA: E501"),
        ("# ruff: noqa: LEP101,E501 generated", "# ruff: noqa: E501 generated"),
        ("x = 1  # flake8: noqa: LEP101", "x = 1"),  # nothing, behind code
    ],
)
def test_a_code_that_silences_nothing_goes(tmp_path: Path, line: str, left: str) -> None:
    assert cleaned(tmp_path, f"import a\r\n{line}\r\nimport b\n") == f"import a\r\n{left}\r\nimport b\n"


@pytest.mark.parametrize(
    "line",
    [
        "x = 1  # noqa",
        "x = 1  # noqa: E501",
        "x = 1  # noqa: L1",
        "x = 1  # noqa: LEP101E501",  # two codes for ruff, and no code of ours for flake8
        "# flake8: noqa",
        "# ruff: noqa: E501",
        "x = '# noqa: LEP101'",
        "x = '# noqa LEP101'",
        "x = '# lint-epoch: ignore[LEP101]'",
    ],
)
def test_what_is_not_ours_stays(tmp_path: Path, line: str) -> None:
    assert cleaned(tmp_path, f"{line}\n") == f"{line}\n"


@pytest.mark.parametrize(
    "comment",
    ["# noqa: LEP101", "# noqa: LEP", "# lint-epoch: ignore[LEP10, LEP101] reason", "# noqa : LEP301", "# noqa:  LEP3"],
)
def test_what_silences_something_stays(tmp_path: Path, comment: str) -> None:
    text = f"x = 1  {comment}\n"
    assert cleaned(tmp_path, text, finding(1)) == text


def test_a_comment_for_the_file_stays_where_the_file_has_a_finding(tmp_path: Path) -> None:
    text = "# flake8: noqa: LEP301\n\nx = 1\n"
    assert cleaned(tmp_path, text, finding(3)) == text
    assert cleaned(tmp_path, text) == "\nx = 1\n"


def test_what_no_spelling_makes_heeded_goes_though_there_is_a_finding(tmp_path: Path) -> None:
    assert cleaned(tmp_path, "# ruff: noqa: LEP101\nx = 1  #noqa: LEP101\n", finding(2)) == "x = 1\n"


def test_a_code_of_a_rule_that_is_off_is_not_judged(tmp_path: Path) -> None:
    text = "# flake8: noqa: LEP3\nx = 1  # noqa: LEP101\ny = 1  # noqa: LEP1\n"
    assert cleaned(tmp_path, text, config=Config(ignore=("LEP101",))) == text


def test_a_comment_alone_on_its_line_goes_with_the_line(tmp_path: Path) -> None:
    assert cleaned(tmp_path, "import a\n    # lint-epoch: ignore[LEP101]\nimport b\n") == "import a\nimport b\n"


def test_a_comment_counts_for_all_lines_of_its_row(tmp_path: Path) -> None:
    text = 'x = """\na\n"""  # noqa: LEP101\n'
    assert cleaned(tmp_path, text, finding(2)) == text
    assert cleaned(tmp_path, text) == 'x = """\na\n"""\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = 1\n", "x = 1  # noqa: LEP101, LEP104\n"),
        ("x = 1  \r\n", "x = 1  # noqa: LEP101, LEP104  \r\n"),
        ("x = 1  # why\n", "x = 1  # why  # noqa: LEP101, LEP104\n"),
        ("x = 1  # noqa: E501\n", "x = 1  # noqa: E501, LEP101, LEP104\n"),
        ("x = 1  # noqa: E501 why\n", "x = 1  # noqa: E501, LEP101, LEP104 why\n"),
        ('x = """\n"""\n', 'x = """\n"""  # noqa: LEP101, LEP104\n'),
        ("x = 1 + \\\n  2", "x = 1 + \\\n  2  # noqa: LEP101, LEP104"),
    ],
)
def test_a_new_comment_silences_what_it_is_for(before: str, after: str) -> None:
    changed, _ = apply(before, addition(before, [finding(1, "LEP104"), finding(1)]))
    assert changed == after
    assert all(Suppressions.of(changed).silences(code, 1) for code in ("LEP101", "LEP104"))


def test_a_file_is_rewritten_byte_for_byte_but_for_the_comment(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    data = b"\xef\xbb\xbfclass A:\r\n\tpass\r\n\r\n# \xc3\xa9"
    path.write_bytes(data)
    rewrite(path, tmp_path, lambda text: addition(text, [finding(1)]), write=True)
    assert path.read_bytes() == data.replace(b"A:\r", b"A:  # noqa: LEP101\r")


def test_a_file_that_does_not_parse_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("class (\n")
    with pytest.raises(FixError):
        rewrite(path, tmp_path, lambda text: addition(text, [finding(1)]), write=True)
