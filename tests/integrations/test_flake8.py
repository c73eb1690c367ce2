from __future__ import annotations

import ast
import inspect
import json
import re
import sys
from pathlib import Path

import pytest

from lint_epoch.config import ConfigError
from lint_epoch.integrations.flake8 import Plugin
from lint_epoch.rules import all_rules


def found(output: str) -> list[tuple[str, int, int, str]]:
    """Path, line, column and code of each line."""
    lines = [re.fullmatch(r"(?:\./)?(.+?):(\d+):(\d+): (LEP\d{3}) .*", line) for line in output.splitlines()]
    return [(m[1], int(m[2]), int(m[3]), m[4]) for m in lines if m is not None]


def test_the_findings_are_those_of_the_command_line(repository: Path, run, flake8, faulty_script: str) -> None:
    (repository / "train.py").write_text(faulty_script)
    done = run(*flake8, ".")
    assert (done.returncode, done.stderr) == (1, "")
    report = json.loads(run(sys.executable, "-m", "lint_epoch", "check", "--output-format", "json").stdout)
    cli = [(f["path"], f["line"], f["column"], f["code"]) for f in report["findings"]]
    assert found(done.stdout) == cli
    assert {code for *_, code in cli} >= {"LEP101", "LEP201"}


def test_evidence_in_files_that_were_not_named_counts(repository: Path, run, flake8, faulty_script: str) -> None:
    wrapper, script = faulty_script.split("def main")
    (repository / "data.py").write_text(wrapper)
    (repository / "train.py").write_text(f"from data import Wrapper\n\n\ndef main{script}")
    assert [(path, code) for path, *_, code in found(run(*flake8, "train.py").stdout)] == [("train.py", "LEP201")]


def test_comments_silence_both_front_ends(repository: Path, run, flake8, faulty_script: str) -> None:
    silenced = faulty_script.replace("class Wrapper:", "class Wrapper:  # noqa: LEP1").replace(
        '"set_epoch"):', '"set_epoch"):  # lint-epoch: ignore[LEP201] the loader is chosen elsewhere'
    )
    (repository / "train.py").write_text(silenced)
    assert run(*flake8, ".").returncode == 0
    assert run(sys.executable, "-m", "lint_epoch", "check").returncode == 0
    # flake8's switch shows what flake8's comments hide, and only that.
    codes = {code for *_, code in found(run(*flake8, "--disable-noqa", ".").stdout)}
    assert "LEP101" in codes
    assert "LEP201" not in codes


def test_flake8_selects_and_ignores_as_it_does_for_every_plugin(
    repository: Path, run, flake8, faulty_script: str
) -> None:
    (repository / "train.py").write_text(faulty_script)
    assert {code for *_, code in found(run(*flake8, "--select", "LEP201", ".").stdout)} == {"LEP201"}
    assert run(*flake8, "--per-file-ignores", "train.py:LEP", ".").returncode == 0


def test_the_settings_of_the_project_count(repository: Path, run, flake8, faulty_script: str) -> None:
    (repository / "train.py").write_text(faulty_script)
    (repository / "lint_epoch.toml").write_text('select = ["LEP201"]\n')
    assert {code for *_, code in found(run(*flake8, ".").stdout)} == {"LEP201"}


def test_settings_that_cannot_be_used_are_one_violation(repository: Path, run, flake8, faulty_script: str) -> None:
    (repository / "train.py").write_text(faulty_script)
    (repository / "lint_epoch.toml").write_text("selct = []\n")
    done = run(*flake8, ".")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("./train.py:1:1: LEP000 not checked: ")
    assert done.stdout.endswith('lint_epoch.toml: unknown key `selct`; did you mean "select"?\n')


def test_standard_input_is_checked_and_not_the_stale_file(repository: Path, run, flake8, faulty_script: str) -> None:
    (repository / "train.py").write_text("# as it was saved last\n")
    done = run(*flake8, "--stdin-display-name", "train.py", "-", input=faulty_script)
    assert {path for path, *_ in found(done.stdout)} == {"train.py"}
    assert {code for *_, code in found(done.stdout)} >= {"LEP101", "LEP201"}
    (repository / "train.py").write_text(faulty_script)
    assert run(*flake8, "--stdin-display-name", "train.py", "-", input="# mended\n").stdout == ""


def test_a_closed_world_can_be_asked_for(repository: Path, run, flake8, faulty_script: str) -> None:
    wrapper, _ = faulty_script.split("def main")
    (repository / "library").mkdir()
    (repository / "library" / "__init__.py").touch()
    (repository / "library" / "loops.py").write_text(
        "def train(loader, epochs):\n"
        "    for epoch in range(epochs):\n"
        '        if hasattr(loader, "set_epoch"):\n'
        "            loader.set_epoch(epoch)\n"
        "        for batch in loader:\n"
        "            print(batch)\n"
    )
    (repository / "library" / "data.py").write_text(
        f"from library.loops import train\n{wrapper}def main(dataset):\n    train(Wrapper(dataset), 3)\n"
    )
    loops = ("library/loops.py",)
    assert run(*flake8, *loops).stdout == ""
    assert {code for *_, code in found(run(*flake8, "--lep-closed-world", *loops).stdout)} == {"LEP201"}


def test_a_file_that_cannot_take_part_costs_no_libcst(repository: Path, run, flake8) -> None:
    (repository / "a.py").write_text("x = 1\n")
    python, *rest = flake8
    done = run(python, "-X", "importtime", *rest, "a.py")
    assert done.returncode == 0
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "lint_epoch.engine" in loaded  # the plugin ran
    assert not {name for name in loaded if name.split(".")[0] in ("libcst", "click", "pathspec")}


def violations_of(source: str, filename: str) -> list[tuple[int, int, str]]:
    plugin = Plugin(ast.parse(source), filename, source.splitlines(keepends=True))
    return [(line, column, text) for line, column, text, _ in plugin.run()]


@pytest.mark.parametrize("error", [RecursionError("too deep"), AttributeError("x"), TypeError("two\nlines")])
def test_a_fault_of_ours_is_one_violation_and_ends_no_run(
    tmp_path: Path, faulty_script: str, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("lint_epoch.engine.check_file", broken)
    [(line, column, text)] = violations_of(faulty_script, str(tmp_path / "train.py"))
    assert (line, column) == (1, 0)
    assert text.startswith(f"LEP000 internal error in lint-epoch {Plugin.version}, please report it: ")
    assert type(error).__name__ in text
    assert "\n" not in text


def test_an_interrupt_is_not_swallowed(tmp_path: Path, faulty_script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("lint_epoch.engine.check_file", interrupted)
    with pytest.raises(KeyboardInterrupt):
        violations_of(faulty_script, str(tmp_path / "train.py"))


def test_a_refused_setting_is_told_without_the_word_internal(
    tmp_path: Path, faulty_script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_: object) -> None:
        raise ConfigError("lint_epoch.toml", "no")

    monkeypatch.setattr("lint_epoch.config.project_config", refused)
    assert violations_of(faulty_script, str(tmp_path / "train.py")) == [
        (1, 0, "LEP000 not checked: lint_epoch.toml: no")
    ]


def test_flake8_can_tell_what_the_plugin_wants() -> None:
    parameters = inspect.signature(Plugin.__init__).parameters.values()
    assert [parameter.name for parameter in parameters] == ["self", "tree", "filename", "lines"]
    assert all(parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD for parameter in parameters)
    # With two parameters, flake8 could take a TypeError raised inside for a wish to be called with one.
    assert len(inspect.signature(Plugin.parse_options).parameters) == 1


def test_every_code_begins_with_the_name_under_which_flake8_knows_the_plugin(root: Path) -> None:
    declared = (root / "pyproject.toml").read_text(encoding="utf-8")
    assert '[project.entry-points."flake8.extension"]\nLEP = "lint_epoch.integrations.flake8:Plugin"\n' in declared
    assert all(re.fullmatch("LEP[0-9]{3}", rule.code) for rule in all_rules())
