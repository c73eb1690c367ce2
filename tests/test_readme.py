"""What the README and docs/ say is so: tables against the code, and every command that they print is run."""

from __future__ import annotations

import ast
import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
import yaml

import lint_epoch
from lint_epoch.config import Config, load_config
from lint_epoch.diagnostics import Consequence, Finding, FixOffer, Hop, Problem, Summary
from lint_epoch.project.libraries import LibraryEntry, load
from lint_epoch.report import FORMATS
from lint_epoch.report.json import VERSION
from lint_epoch.rules import all_rules
from lint_epoch.schema import schema

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(lint_epoch.__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "fixtures/README.md"]
DOCUMENTS += [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs").glob("*.md"))]
FIXTURES = ROOT / "fixtures"
TRAINER = FIXTURES / "robot_trainer"


def text_of(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def blocks(document: str, language: str) -> list[str]:
    """The fenced code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text_of(document), re.M | re.S)


def table(document: str, *head: str) -> list[list[str]]:
    """The rows of the table with these column names."""
    lines = iter(text_of(document).splitlines())
    assert f"| {' | '.join(head)} |" in lines, f"no such table in {document}: {head}"
    next(lines)
    rows: list[list[str]] = []
    for line in lines:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return rows


def commands(document: str) -> Iterator[str]:
    """The commands in the shell blocks, one by one, without their comments."""
    for block in blocks(document, "bash"):
        for line in block.splitlines():
            for command in line.split("&&"):
                if words := shlex.split(command, comments=True):
                    yield shlex.join(words)


def run(*command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command; ``lint-epoch`` and ``flake8`` are those of this interpreter. What asks is told to quit."""
    python = sys.executable
    programs = {"lint-epoch": (python, "-m", "lint_epoch"), "flake8": (python, "-m", "flake8"), "python": (python,)}
    environment = {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "PATH": "", "NO_COLOR": "1"}
    return subprocess.run(
        [*programs[command[0]], *command[1:]],
        cwd=cwd,
        env=environment,
        input="q\n",
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


@pytest.fixture
def trainer(tmp_path: Path) -> Path:
    """A copy of the faulty trainer."""
    return shutil.copytree(TRAINER / "faulty", tmp_path / "project")


# --- the rules ------------------------------------------------------------------------------------------------------


def test_the_rule_table_lists_every_rule_in_order() -> None:
    rows = table("README.md", "code", "name", "says", "fix")
    assert [(code, name) for code, name, _, _ in rows] == [(rule.code, rule.name) for rule in all_rules()]


@pytest.fixture(scope="module")
def offered(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bool]:
    """For each code that is found in a faulty fixture, whether some finding of it comes with a fix."""
    found: dict[str, bool] = {}
    for faulty in sorted(FIXTURES.glob("*/faulty")):
        project = shutil.copytree(faulty, tmp_path_factory.mktemp(faulty.parent.name) / "project")
        for finding in lint_epoch.check([project]).findings:
            found[finding.code] = found.get(finding.code, False) or finding.fix is not None
    return found


def test_the_rule_table_promises_the_fixes_that_there_are(offered: dict[str, bool]) -> None:
    promised = {code: fix == "yes" for code, _, _, fix in table("README.md", "code", "name", "says", "fix")}
    assert promised == {rule.code: rule.fixable for rule in all_rules()}
    wrong = {code: offered[code] for code in promised if promised[code] is not offered[code]}
    assert not wrong, f"the column `fix` of the README must follow what the rules offer: {wrong}"


# --- commands -------------------------------------------------------------------------------------------------------


def test_the_first_command_finds_what_the_fixture_expects() -> None:
    [command] = [command for command in commands("README.md") if "fixtures/" in command]
    done = run(*shlex.split(command), "--output-format", "json", cwd=ROOT)
    folder = command.split()[-1]
    found = [(f["code"], f["path"], f["line"]) for f in json.loads(done.stdout)["findings"]]
    expected = json.loads((TRAINER / "expected.json").read_text(encoding="utf-8"))["faulty"]
    assert sorted(found) == sorted((f["code"], f"{folder}/{f['path']}", f["line"]) for f in expected)
    assert done.returncode == 0
    assert f"it reports {['no', 'one', 'two', 'three', 'four', 'five', 'six'][len(found)]} findings" in README


OWN_COMMANDS = [
    command
    for command in dict.fromkeys(commands("README.md"))
    if command.startswith(("lint-epoch", "flake8", "python -m libcst")) and "fixtures/" not in command
]


@pytest.mark.parametrize("command", OWN_COMMANDS)
def test_every_command_of_the_readme_runs(command: str, trainer: Path) -> None:
    if "trace" in command:
        (trainer / "scripts" / "train.py").rename(trainer / "train.py")
    if "--baseline" in command:
        run(*shlex.split(command.replace("--baseline", "--write-baseline")), cwd=trainer)
    done = run(*shlex.split(command), cwd=trainer)
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout or "Failed to codemod 0 files" in done.stderr


def test_the_codemod_command_mends_what_it_is_given(trainer: Path) -> None:
    [command] = [command for command in OWN_COMMANDS if "codemod" in command]
    run(*shlex.split(command), cwd=trainer)
    assert (trainer / "src/robot_trainer/data_loader.py").read_text().count("def set_epoch") == 2


def test_the_finding_that_is_shown_is_the_one_that_is_printed(trainer: Path) -> None:
    done = run("lint-epoch", "check", "--select", "LEP201", cwd=trainer)
    printed = done.stdout.replace("src/robot_trainer/", "").replace("scripts/", "")
    [shown] = blocks("README.md", "text")
    assert printed.startswith(shown)


def test_the_ci_script_runs_the_readmes_test_command() -> None:
    script = ROOT / ".ci" / "run"
    wanted = [command for command in commands("README.md") if "pytest" in command or "[dev" in command]
    lines = script.read_text(encoding="utf-8").splitlines()
    words = [[word for word in shlex.split(line, comments=True) if word not in ("-q", "--quiet")] for line in lines]
    assert len(wanted) == 2
    for command in map(shlex.split, wanted):
        assert any(line[-len(command) :] == command for line in words), command
    assert script.stat().st_mode & 0o111


def test_the_python_example_runs(trainer: Path) -> None:
    [example] = [block for block in blocks("README.md", "python") if "import" in block]
    done = run("python", "-c", example, cwd=trainer)
    assert done.returncode == 0, done.stderr
    assert {line.split()[2] for line in done.stdout.splitlines()} == {"LEP101", "LEP102", "LEP104"}


def test_the_comments_that_silence_do(trainer: Path) -> None:
    [example] = [block for block in blocks("README.md", "python") if "noqa" in block]
    path = trainer / "src/robot_trainer/data_loader.py"
    text = path.read_text()
    for line in example.splitlines():
        comment = line.partition(":  ")[2]
        path.write_text(text.replace("class FrameLoader:", f"class FrameLoader:  {comment}"))
        report = lint_epoch.check([path], Config(select=("LEP101",)))
        assert [finding.message.split()[0] for finding in report.findings] == ["PolicyLoader"]
        assert report.summary.suppressed == 1


# --- configuration --------------------------------------------------------------------------------------------------


def test_the_configuration_table_lists_every_key_with_its_default() -> None:
    rows = table("README.md", "key", "meaning", "default")
    given = tomllib.loads("\n".join(f"{key.strip('`')} = {default.strip('`')}" for key, _, default in rows))
    assert given == {key: one["default"] for key, one in json.loads(json.dumps(schema()))["properties"].items()}


def test_the_pre_commit_example_is_the_published_hook() -> None:
    [example] = blocks("README.md", "yaml")
    [hook] = yaml.safe_load(example)["repos"][0]["hooks"]
    published = {hook["id"]: hook for hook in yaml.safe_load(text_of(".pre-commit-hooks.yaml"))}
    assert all(f"`{name}`" in README for name in published)
    assert hook == {
        **{key: value for key, value in published["lint-epoch"].items() if key != "description"},
        "language": "system",
    }


def test_the_ruff_example_names_the_prefix_of_the_codes() -> None:
    [example] = [block for block in blocks("README.md", "toml") if "ruff" in block]
    [prefix] = tomllib.loads(example)["tool"]["ruff"]["lint"]["external"]
    assert all(rule.code.startswith(prefix) for rule in all_rules())


def test_the_table_for_ones_own_classes_can_be_read_and_its_keys_are_all_told(tmp_path: Path) -> None:
    own, settings = blocks("docs/own-classes.md", "toml")
    (tmp_path / own.partition("\n")[0].removeprefix("# ")).write_text(own)
    (tmp_path / "lint_epoch.toml").write_text(settings)
    known = load(load_config(tmp_path).libraries).classes
    assert known["ourlib.RankOrder"] is known["ourlib.data.RankOrder"]
    told = {name for keys, _ in table("docs/own-classes.md", "key", "meaning") for name in re.findall(r"\w+", keys)}
    rare = {"epoch_attribute", "shares_epoch_with_workers", "shuffles_by_default", "advances", "repeats", "prepares"}
    rare |= {"methods", "sets_epoch", "fit"}
    assert told == set(LibraryEntry.__struct_fields__) - rare


# --- docs/ ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document: str) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", text_of(document)):
        name, _, anchor = target.partition("#")
        path = ((ROOT / document).parent / name) if name else ROOT / document
        assert path.exists(), target
        headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.M) if anchor else [""]
        assert anchor in [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings], target


@pytest.mark.parametrize("document", DOCUMENTS)
def test_files_that_are_named_are_there(document: str) -> None:
    named = re.findall(r"`((?:[\w*]+/)+[\w*]*(?:\.\w+)?)`", text_of(document))
    for name in named:
        if not name.startswith(("venv/", "src/", "tools/")) and "NNN" not in name:
            places = (ROOT, ROOT / "lint_epoch", ROOT / "lint_epoch/project", FIXTURES, TRAINER, TRAINER / "faulty")
            assert any(list(place.glob(name.rstrip("/"))) for place in places), name


def test_the_bounds_are_those_of_the_code() -> None:
    rows = table("docs/architecture.md", "constant", "value", "where", "reason")
    assert len(rows) > 10
    for name, value, where, _ in rows:
        tree = ast.parse((ROOT / "lint_epoch" / where.strip("`")).read_bytes())
        assigned = {
            ast.unparse(statement.targets[0]): statement.value
            for statement in tree.body
            if isinstance(statement, ast.Assign)
        }
        assert ast.unparse(assigned[name.strip("`")]) == ast.unparse(ast.parse(value, mode="eval")), name


@pytest.mark.parametrize("place", ["data_loader.py", "train.py"])
def test_the_lines_that_the_architecture_follows_are_those_of_the_fixture(place: str) -> None:
    path = next((TRAINER / "faulty").rglob(place))
    lines = path.read_text(encoding="utf-8").splitlines()
    shown = {
        "data_loader.py": {
            87: "iter(self._torch_loader)",
            86: "while True:",
            129: "in self._loader:",
            146: "DistributedSampler(",
            154: "FrameLoader(",
        },
        "train.py": {43: "while ", 45: "hasattr", 46: "len(loader)", 48: "for batch in loader"},
    }
    for number, part in shown[place].items():
        assert part in lines[number - 1]
        assert re.search(rf"\b{number}\b", text_of("docs/architecture.md"))


def test_every_measured_fact_names_fixtures_that_are_run() -> None:
    facts = text_of("docs/runtime-facts.md")
    names = {name for row in facts.splitlines() if row.startswith("|") for name in re.findall(r"`(\w+)` *\|$", row)}
    assert len(names) > 10
    for name in names:
        assert json.loads((FIXTURES / name / "expected.json").read_text(encoding="utf-8"))["runtime"], name


def test_the_keys_of_the_json_report_are_documented() -> None:
    rows = table("docs/json.md", "key", "type", "value")
    assert [key.strip("`") for key, _, _ in rows] == ["version", "findings", "errors", "summary"]
    documented = set(re.findall(r"`(\w+)`", text_of("docs/json.md")))
    for record in (Finding, Hop, FixOffer, Problem, Summary):
        assert documented >= set(record.__struct_fields__)
    consequences = {name.strip("`") for name, _ in table("docs/json.md", "consequence", "meaning")}
    assert consequences == set(get_args(Consequence))


def test_the_table_of_formats_lists_them_in_order() -> None:
    rows = table("docs/formats.md", "format", "for", "what stands in it")
    assert [name.strip("`") for name, _, _ in rows] == list(FORMATS)
    assert all(f"`{name}`" in README for name in FORMATS)


def test_the_json_example_has_the_shape_of_a_report(trainer: Path) -> None:
    [example] = blocks("docs/json.md", "json")
    shown = json.loads(example)
    real = json.loads(run("lint-epoch", "check", "--output-format", "json", "--select", "LEP104", cwd=trainer).stdout)
    assert shown["version"] == real["version"] == VERSION
    assert list(shown) == list(real)
    assert list(shown["summary"]) == list(real["summary"])
    [one], [other] = shown["findings"], real["findings"]
    assert list(one) == list(other)
    assert [list(hop) for hop in one["trace"]] == [["path", "line", "what"]] * len(one["trace"])
    assert one["fix"] == other["fix"]
