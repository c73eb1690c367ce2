from __future__ import annotations

from pathlib import Path

import pytest

from lint_epoch.config import Config, ConfigError, load_config, project_config, read_config, unknown_code


def write(root: Path, text: str, name: str = "lint_epoch.toml") -> Path:
    path = root / name
    path.write_text(text, encoding="utf-8")
    return path


def complaint(root: Path) -> str:
    with pytest.raises(ConfigError) as refused:
        load_config(root)
    assert Path(refused.value.path).parent == root
    return refused.value.message


def test_a_project_that_says_nothing_gets_the_defaults(tmp_path: Path) -> None:
    assert load_config(tmp_path) == Config()


def test_every_key_of_the_own_file_counts(tmp_path: Path) -> None:
    write(tmp_path, 'select = ["LEP1"]\nignore = ["LEP102"]\nexclude = ["old/"]\nclosed-world = true\n')
    assert load_config(tmp_path) == Config(select=("LEP1",), ignore=("LEP102",), exclude=("old/",), closed_world=True)


def test_the_table_of_pyproject_counts(tmp_path: Path) -> None:
    write(tmp_path, '[tool.lint_epoch]\nignore = ["LEP102"]\n', "pyproject.toml")
    assert load_config(tmp_path) == Config(ignore=("LEP102",))


@pytest.mark.parametrize(
    "text",
    [
        "[tool.ruff]\n",
        "this is no TOML, and nothing that concerns us\n",
        'tool = "lint_epoch"\n',
        '[project]\ndependencies = ["lint-epoch"]\n',
    ],
)
def test_a_pyproject_without_the_table_says_nothing(tmp_path: Path, text: str) -> None:
    write(tmp_path, text, "pyproject.toml")
    assert load_config(tmp_path) == Config()


def test_settings_in_both_files_are_refused(tmp_path: Path) -> None:
    write(tmp_path, "[tool.lint_epoch]\n", "pyproject.toml")
    write(tmp_path, "")
    assert complaint(tmp_path) == "pyproject.toml holds [tool.lint_epoch] as well; keep the settings in one of the two"


def test_the_own_file_beside_a_pyproject_without_the_table_is_fine(tmp_path: Path) -> None:
    write(tmp_path, "[tool.ruff]\n", "pyproject.toml")
    write(tmp_path, "closed-world = true\n")
    assert load_config(tmp_path).closed_world


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("closed_world = true", 'unknown key `closed_world`; did you mean "closed-world"?'),
        ('selct = ["LEP"]', 'unknown key `selct`; did you mean "select"?'),
        (
            "jobs = 4",
            "unknown key `jobs`; the keys are select, ignore, per-file-ignores, exclude, closed-world, "
            "baseline, libraries, cache",
        ),
        (
            "[tool.lint_epoch]",
            "unknown key `tool`; outside pyproject.toml the keys stand at the top level, without [tool.lint_epoch]",
        ),
        ('select = "LEP101"', "`select` must be a list of strings, not a string"),
        ('select = ["LEP101", 1]', "`select` must be a list of strings; entry 2 is an integer"),
        ("exclude = [true]", "`exclude` must be a list of strings; entry 1 is a boolean"),
        ("exclude = 2020-01-01", "`exclude` must be a list of strings, not a date or time"),
        ('closed-world = "yes"', "`closed-world` must be true or false, not a string"),
        ("closed-world = 1", "`closed-world` must be true or false, not an integer"),
        ('ignore = ["LPE101"]', '`ignore`: no rule\'s code begins with "LPE101"; did you mean "LEP101"?'),
        ('ignore = [""]', '`ignore`: no rule\'s code begins with ""'),
    ],
)
def test_what_cannot_be_meant_is_refused_by_name(tmp_path: Path, text: str, message: str) -> None:
    write(tmp_path, text)
    assert complaint(tmp_path) == message


def test_the_name_of_the_distribution_is_not_the_name_of_the_table(tmp_path: Path) -> None:
    write(tmp_path, "[tool.lint-epoch]\n", "pyproject.toml")
    assert complaint(tmp_path) == "[tool.lint-epoch] is not read; did you mean [tool.lint_epoch]?"


def test_a_value_in_place_of_the_table_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "[tool]\nlint_epoch = 1.5\n", "pyproject.toml")
    assert complaint(tmp_path) == "tool.lint_epoch must be a table, not a float"


def test_broken_toml_is_refused_with_its_place(tmp_path: Path) -> None:
    write(tmp_path, "select = [\n")
    assert complaint(tmp_path).startswith("not valid TOML: ")


def test_toml_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "lint_epoch.toml").write_bytes(b'exclude = ["\xe9"]')
    assert complaint(tmp_path) == "not UTF-8, as TOML must be: invalid continuation byte at byte 12"


def test_a_byte_order_mark_and_carriage_returns_are_no_part_of_the_settings(tmp_path: Path) -> None:
    (tmp_path / "lint_epoch.toml").write_bytes(b'\xef\xbb\xbfselect = ["LEP1"]\r\nclosed-world = true\r\n')
    assert load_config(tmp_path) == Config(select=("LEP1",), closed_world=True)


def test_toml_nested_beyond_reason_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "exclude = " + "[" * 100_000)
    assert complaint(tmp_path).startswith("not valid TOML: ")


def test_a_named_file_holds_the_keys_whatever_its_name(tmp_path: Path) -> None:
    assert read_config(write(tmp_path, "closed-world = true", "ci.toml")) == Config(closed_world=True, flat=True)


def test_a_named_pyproject_holds_them_in_the_table(tmp_path: Path) -> None:
    path = write(tmp_path, "[tool.lint_epoch]\nclosed-world = true\n", "pyproject.toml")
    assert read_config(path) == Config(closed_world=True, flat=True)


def test_a_named_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        read_config(tmp_path / "missing.toml")


def test_a_project_is_asked_for_through_any_of_its_files(tmp_path: Path) -> None:
    write(tmp_path, "closed-world = true\n")
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    assert project_config(tmp_path / "src" / "train.py").closed_world


@pytest.mark.parametrize(
    ("select", "ignore", "on"),
    [
        (("LEP",), (), True),
        ((), (), False),
        (("LEP2",), (), False),
        (("LEP",), ("LEP101",), False),
        (("LEP101",), ("LEP1",), True),
        (("LEP1",), ("LEP1",), False),
        (("LEP101",), ("LEP101",), False),
        (("LEP", "LEP101"), ("LEP10",), True),
    ],
)
def test_the_most_specific_entry_decides(select: tuple[str, ...], ignore: tuple[str, ...], on: bool) -> None:
    assert Config(select=select, ignore=ignore).is_on("LEP101") is on


@pytest.mark.parametrize(
    ("asked", "on"),
    [
        ({}, {"LEP101"}),
        ({"select": ["LEP102"]}, {"LEP102"}),
        ({"select": ["LEP"]}, {"LEP101", "LEP102", "LEP201"}),
        ({"select": ["LEP"], "ignore": ["LEP2"]}, {"LEP101", "LEP102"}),
        ({"select": ["LEP201"], "ignore": ["LEP2"]}, {"LEP201"}),
        ({"ignore": ["LEP101"]}, set()),
        ({"ignore": ["LEP1"]}, set()),
        ({"extend_select": ["LEP201"]}, {"LEP101", "LEP201"}),
        ({"extend_select": ["LEP102"]}, {"LEP101", "LEP102"}),
        ({"extend_select": ["LEP1"]}, {"LEP101", "LEP102"}),
    ],
)
def test_the_command_line_is_the_later_word(asked: dict[str, list[str]], on: set[str]) -> None:
    config = Config(select=("LEP1", "LEP101"), ignore=("LEP102",)).layered(**asked)
    assert {code for code in ("LEP101", "LEP102", "LEP201") if config.is_on(code)} == on


def test_a_rule_named_in_place_of_its_code_is_answered_with_the_code() -> None:
    assert unknown_code("wrapper-drops-len") == (
        'no rule\'s code begins with "wrapper-drops-len"; did you mean "LEP102"?'
    )


@pytest.mark.parametrize("code", ["LEP", "LEP1", "LEP101", "L"])
def test_codes_and_their_beginnings_are_known(code: str) -> None:
    assert unknown_code(code) is None
