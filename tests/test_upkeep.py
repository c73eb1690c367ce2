"""Comments, the baseline and the settings, as the command line works on them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import lint_epoch
from lint_epoch.cli import main
from lint_epoch.config import Config, load_config
from lint_epoch.engine import check_file
from lint_epoch.report import FORMATS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

#: Exit status, standard output and standard error.
Done = tuple[int, str, str]


@pytest.fixture
def train(tmp_path: Path, faulty_script: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A script with findings in lines 4 and 15, in a project that is the working folder."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "train.py"
    path.write_text(faulty_script)
    return path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    def lint(*arguments: str) -> Done:
        status = main(arguments)
        out, err = capsys.readouterr()
        return status, out, err

    return lint


def found(done: Done) -> list[tuple[str, int]]:
    return [(finding["code"], finding["line"]) for finding in json.loads(done[1])["findings"]]


JSON = ("check", "--output-format", "json")
BOTH = [("LEP101", 4), ("LEP201", 15)]


# --- comments --------------------------------------------------------------------------------------------------------


def test_every_finding_can_be_silenced_at_once_and_shown_all_the_same(train: Path, run) -> None:
    status, out, _ = run("check", "--add-noqa")
    assert (status, out) == (0, "train.py: silenced 2 findings\n2 findings silenced\n")
    assert train.read_text().count("  # noqa: LEP") == 2
    assert found(run(*JSON)) == []
    assert found(run(*JSON, "--ignore-noqa")) == BOTH
    assert run("check", "--add-noqa")[1] == "0 findings silenced\n"


def test_only_what_is_selected_is_silenced(train: Path, run) -> None:
    run("check", "--add-noqa", "--select", "LEP201")
    assert found(run(*JSON)) == BOTH[:1]


def test_comments_that_silence_nothing_are_shown_and_removed(train: Path, run) -> None:
    run("check", "--add-noqa")
    assert run("check", "--unused-suppressions") == (0, "no findings in 1 file\n", "")
    assert run("fix", "--unused-suppressions") == (0, "no unused suppressions\n", "")
    silenced = train.read_text()
    train.write_text(f"import os  # noqa: LEP301, F401\n{silenced}")
    told = "in a `# noqa` comment that silences nothing\n"
    status, out, err = run("check", "--unused-suppressions")
    assert (status, err) == (1, "")
    assert out.startswith(f"train.py:1:12: LEP001 unused LEP301 {told}    1 | import os  # noqa: LEP301, F401\n")
    assert out.endswith("1 finding (1 fixable with lint-epoch fix --unused-suppressions)\n")
    status, patch, err = run("fix", "--unused-suppressions", "--diff")
    assert (status, err) == (1, f"train.py:1:12: would remove LEP301 {told}")
    assert patch.splitlines()[3:5] == ["-import os  # noqa: LEP301, F401", "+import os  # noqa: F401"]
    assert train.read_text() == f"import os  # noqa: LEP301, F401\n{silenced}"
    assert run("fix", "--unused-suppressions")[:2] == (1, f"train.py:1:12: removed LEP301 {told}")
    assert train.read_text() == f"import os  # noqa: F401\n{silenced}"


@pytest.mark.parametrize("name", FORMATS)
def test_comments_that_silence_nothing_are_reported_in_every_format(train: Path, run, name: str) -> None:
    train.write_text("import os  # noqa: LEP301, F401\n" + train.read_text())
    status, out, err = run("check", "--unused-suppressions", "--output-format", name)
    assert (status, err) == (1, "")
    assert "unused LEP301 in a `# noqa` comment that silences nothing" in out
    assert "LEP201" not in out or name == "sarif"  # which lists all rules


def test_what_is_told_of_such_a_comment_can_be_explained(run) -> None:
    assert run("explain", "LEP001")[1].startswith("# LEP001 unused-suppression\n")


def test_a_file_that_takes_no_part_is_searched_too(train: Path, run) -> None:
    (train.parent / "other.py").write_text("x = 1  # lint-epoch: ignore[LEP101]\n")
    assert run("check", "--unused-suppressions", "other.py")[0] == 1


def test_a_file_that_cannot_be_parsed_is_an_error_and_no_comment_of_it_is_judged(train: Path, run) -> None:
    train.write_text("class DataLoader, set_epoch (  # noqa: LEP101\n")
    status, out, err = run("check", "--unused-suppressions")
    assert (status, out) == (2, "no findings in 1 file, 1 error\n")
    assert err.startswith("train.py:1: error: ")


# --- the baseline ----------------------------------------------------------------------------------------------------


def test_the_baseline_keeps_known_findings_quiet_after_lines_have_moved(train: Path, run) -> None:
    status, out, _ = run("check", "--write-baseline", "known.json")
    assert (status, out) == (0, "2 findings in the baseline\n")
    train.write_text("import os\n\n\n" + train.read_text())
    status, out, _ = run("check", "--baseline", "known.json")
    assert status == 0
    assert out.splitlines()[-1] == "no findings in 1 file, 2 more in the baseline"
    train.write_text(train.read_text().replace("class Wrapper:", "class Other:").replace("Wrapper(", "Other("))
    assert [code for code, _ in found(run(*JSON, "--baseline", "known.json"))] == ["LEP101"]


def test_the_baseline_of_the_settings_counts_everywhere(train: Path, run) -> None:
    run("check", "--write-baseline", "known.json", "--select", "LEP101")
    (train.parent / "lint_epoch.toml").write_text('baseline = "known.json"\n')
    assert found(run(*JSON)) == BOTH[1:]
    report = lint_epoch.check([train])
    assert (len(report.findings), report.summary.baselined) == (1, 1)
    assert [finding.code for finding in check_file(train, load_config(train.parent))] == ["LEP201"]
    assert run("check", "--write-baseline", "known.json")[1] == "2 findings in the baseline\n"


def test_what_is_mended_leaves_the_baseline_with_a_line_that_says_so(train: Path, run) -> None:
    other = train.parent / "other.py"
    other.write_text(train.read_text())
    run("check", "--write-baseline", "known.json")
    (train.parent / "lint_epoch.toml").write_text('baseline = "known.json"\n')
    assert "no longer there" not in run("check")[1]
    train.write_text("x = 1\n")
    line = "2 findings of the baseline no longer there: --write-baseline makes it shorter"
    assert line in run("check")[1]
    assert "no longer there" not in run("check", "other.py")[1]
    assert "1 finding of the baseline no longer there" in run("check", "--select", "LEP2")[1]
    train.unlink()
    assert line in run("check", "other.py")[1]
    assert json.loads(run(*JSON)[1])["summary"]["outdated"] == 2
    run("check", "--write-baseline", "known.json")
    assert "no longer there" not in run("check")[1]


def test_the_baseline_is_held_against_the_text_that_is_checked(train: Path, run) -> None:
    run("check", "--write-baseline", "known.json")
    (train.parent / "lint_epoch.toml").write_text('baseline = "known.json"\n')
    unsaved = "import os\n\n" + train.read_text()
    assert check_file(train, load_config(train.parent), text=unsaved) == []
    assert run("fix", "--diff")[0] == 1  # the text with the fix in it has none but known findings either


def test_the_baseline_counts_paths_from_its_own_folder(train: Path, run, monkeypatch: pytest.MonkeyPatch) -> None:
    (train.parent / "ci").mkdir()
    run("check", "--write-baseline", "ci/known.json")
    run("check", "--write-baseline", "known.json")
    paths = [entry["path"] for entry in json.loads((train.parent / "known.json").read_text())["findings"]]
    assert paths == ["train.py", "train.py"]
    monkeypatch.chdir(train.parent / "ci")
    assert found(run(*JSON, "--baseline", "known.json", "..")) == []
    assert found(run(*JSON, "--baseline", "../known.json", "..")) == []


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere file names are text")
def test_a_baseline_takes_file_names_that_are_no_text(train: Path, run) -> None:
    train.rename(train.parent / "train\udcff.py")
    run("check", "--write-baseline", "known.json")
    assert found(run(*JSON, "--baseline", "known.json")) == []


def test_findings_that_read_the_same_are_counted(train: Path, run) -> None:
    run("check", "--write-baseline", "known.json")
    document = json.loads((train.parent / "known.json").read_text())
    assert [entry.pop("count") for entry in document["findings"]] == [1, 1]
    document["findings"] = document["findings"][:1] * 2
    (train.parent / "known.json").write_text(json.dumps(document))
    assert found(run(*JSON, "--baseline", "known.json")) == BOTH[1:]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "the baseline cannot be read: No such file or directory; --write-baseline writes one"),
        ("[]", "is no baseline: "),
        ("{", "is no baseline: "),
        pytest.param("[" * 100_000, "is no baseline: ", id="nested"),
        ('{"version": 1, "findings": [{"code": 1}]}', "is no baseline: "),
        ('{"version": 2, "findings": []}', "is a baseline of version 2, and this lint-epoch reads version 1"),
    ],
)
def test_a_baseline_that_cannot_be_used_is_refused(train: Path, run, text: str | None, message: str) -> None:
    if text is not None:
        (train.parent / "known.json").write_text(text)
    train.write_text("x = 1\n" if text is None else train.read_text())  # also where nothing is to be compared
    status, out, err = run("check", "--baseline", "known.json")
    assert (status, out) == (2, "")
    assert err.startswith(f"known.json: error: {message}")


@pytest.mark.parametrize(
    "option", [("--add-noqa",), ("--unused-suppressions",), ("--write-baseline", "known.json")], ids=lambda one: one[0]
)
def test_the_cache_that_was_asked_for_is_the_one_that_is_used(train: Path, run, option: tuple[str, ...]) -> None:
    run("check", *option, "--cache-dir", "kept")
    assert any(path.is_file() for path in Path("kept").rglob("*"))


# --- settings --------------------------------------------------------------------------------------------------------


def test_the_settings_that_are_shown_are_those_that_count(train: Path, run) -> None:
    text = 'ignore = ["LEP102"]\nclosed-world = true\n[per-file-ignores]\n"tests/" = ["LEP3"]\n'
    (train.parent / "lint_epoch.toml").write_text(text)
    status, out, _ = run("check", "--show-settings", "--extend-select", "LEP1")
    assert status == 0
    assert f"# settings: {(train.parent / 'lint_epoch.toml').as_posix()}\n" in out
    assert tomllib.loads(out) == {
        "select": ["LEP", "LEP1"],
        "ignore": [],
        "per-file-ignores": {"tests/": ["LEP3"]},
        "exclude": [],
        "closed-world": True,
        "baseline": "",
        "libraries": [],
        "cache": True,
    }


def test_what_is_shown_can_be_read_back(train: Path, run, tmp_path: Path) -> None:
    _, out, _ = run("check", "--show-settings")
    (train.parent / "lint_epoch.toml").write_text(out)
    assert load_config(train.parent) == Config()


def test_the_settings_of_folders_are_shown_too(train: Path, run) -> None:
    package = train.parent / "packages" / "one"
    package.mkdir(parents=True)
    (package / "a.py").write_text("")
    (train.parent / "lint_epoch.toml").write_text('ignore = ["LEP5"]\n')
    (package / "lint_epoch.toml").write_text('select = ["LEP1"]\n[per-file-ignores]\n"a.py" = ["LEP102"]\n')
    told = '# in packages/one: select = ["LEP1"], ignore = []\n#   and per-file-ignores = {"a.py" = ["LEP102"]}\n'
    for named in (".", "packages/one/a.py"):
        assert run("check", "--show-settings", named)[1].endswith(told)
    assert "# in" not in run("check", "--show-settings", "train.py")[1]
    assert "# in" not in run("check", "--show-settings", "--config", "lint_epoch.toml", ".")[1]


def test_the_files_that_are_shown_are_those_that_are_checked(train: Path, run) -> None:
    (train.parent / "src").mkdir()
    (train.parent / "src" / "a.py").write_text("")
    (train.parent / "notes.txt").write_text("")
    assert run("check", "--show-files") == (0, "src/a.py\ntrain.py\n", "")
    assert run("check", "--show-files", "src", "missing")[0] == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("--add-noqa", "--show-files"),
        ("--add-noqa", "--fix"),
        ("--show-settings", "--output-format", "json"),
        ("--write-baseline", "a", "--statistics"),
        ("--unused-suppressions", "--ignore-noqa"),
        ("--unused-suppressions", "--fix"),
        ("--unused-suppressions", "--statistics"),
        ("--unused-suppressions", "--show-files"),
        ("--ignore-noqa", "--fix"),
    ],
)
def test_options_that_ask_for_different_things_do_not_go_together(train: Path, run, arguments) -> None:
    status, out, err = run("check", *arguments)
    assert (status, out) == (2, "")
    assert "does not go" in err or "goes with no other" in err
