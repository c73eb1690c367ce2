"""Settings for some files: patterns, and folders with settings of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

import lint_epoch
from lint_epoch.config import Config, ConfigError, load_config, read_config
from lint_epoch.engine import check_file
from lint_epoch.fixes.driver import fix
from lint_epoch.selection import Selection


def write(folder: Path, text: str, name: str = "lint_epoch.toml") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


def is_on(root: Path, code: str, path: str, config: Config | None = None) -> bool:
    return Selection(root, config or load_config(root)).is_on(code, (root / path).as_posix())


@pytest.mark.parametrize(
    ("pattern", "path", "on"),
    [
        ("tests/", "tests/train.py", False),
        ("tests/", "src/tests/deep/train.py", False),
        ("/tests/", "src/tests/train.py", True),
        ("*_old.py", "src/train_old.py", False),
        ("*_old.py", "src/train.py", True),
        ("src/train.py", "src/train.py", False),
        ("src/train.py", "a/src/train.py", True),
        ("src/**", "src/a/b.py", False),
    ],
)
def test_patterns_are_those_of_gitignore(tmp_path: Path, pattern: str, path: str, on: bool) -> None:
    write(tmp_path, f'[per-file-ignores]\n"{pattern}" = ["LEP1"]\n')
    assert is_on(tmp_path, "LEP101", path) is on
    assert is_on(tmp_path, "LEP201", path)


def test_a_folder_adds_what_it_ignores_and_replaces_what_is_selected(tmp_path: Path) -> None:
    write(tmp_path, 'ignore = ["LEP102"]\n')
    write(tmp_path / "a", 'ignore = ["LEP101"]\n')
    write(tmp_path / "a" / "b", '[tool.lint_epoch]\nselect = ["LEP10"]\n', "pyproject.toml")
    answers = {folder: [code for code in ("LEP101", "LEP102", "LEP201") if is_on(tmp_path, code, f"{folder}/x.py")]
               for folder in ("c", "a", "a/b", "a/b/c")}  # fmt: skip
    assert answers == {
        "c": ["LEP101", "LEP201"],
        "a": ["LEP201"],
        "a/b": ["LEP101", "LEP102"],
        "a/b/c": ["LEP101", "LEP102"],
    }


def test_patterns_of_a_folder_count_from_it(tmp_path: Path) -> None:
    write(tmp_path / "a", '[per-file-ignores]\n"/old.py" = ["LEP"]\n')
    assert not is_on(tmp_path, "LEP101", "a/old.py")
    assert is_on(tmp_path, "LEP101", "old.py")
    assert is_on(tmp_path, "LEP101", "a/b/old.py")


def test_the_command_line_has_the_last_word(tmp_path: Path) -> None:
    write(tmp_path / "a", 'ignore = ["LEP101"]\n')
    assert is_on(tmp_path, "LEP101", "a/x.py", Config().overruled(select=["LEP101"]))
    assert is_on(tmp_path, "LEP101", "a/x.py", Config().overruled(extend_select=["LEP1"]))
    write(tmp_path / "a", 'select = ["LEP101"]\n')
    assert not is_on(tmp_path, "LEP101", "a/x.py", Config().overruled(ignore=["LEP1"]))


def test_a_file_that_is_named_stands_for_all_settings(tmp_path: Path) -> None:
    write(tmp_path / "a", 'ignore = ["LEP101"]\n')
    write(tmp_path, "", "ci.toml")
    assert is_on(tmp_path, "LEP101", "a/x.py", read_config(tmp_path / "ci.toml"))


def test_what_counts_for_the_whole_project_cannot_stand_in_a_folder(tmp_path: Path) -> None:
    write(tmp_path / "a", "closed-world = true\n")
    with pytest.raises(ConfigError, match="`closed-world` counts for a whole project"):
        is_on(tmp_path, "LEP101", "a/x.py")
    assert is_on(tmp_path, "LEP101", "b/x.py")


def test_every_front_end_and_the_fixes_obey_it(tmp_path: Path, faulty_script: str) -> None:
    (tmp_path / ".git").mkdir()
    write(tmp_path / "a", 'ignore = ["LEP101"]\n')
    path = tmp_path / "a" / "train.py"
    path.write_text(faulty_script)
    assert [finding.code for finding in lint_epoch.check([tmp_path]).findings] == ["LEP201"]
    assert [finding.code for finding in check_file(path, load_config(tmp_path))] == ["LEP201"]
    assert fix([tmp_path], None, unsafe=False, write=False).changes == ()
