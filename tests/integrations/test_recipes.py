"""The recipes of docs/ci.md and the GitHub action: held against published schemas, and run as far as that goes here."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

SCHEMAS = {
    ".github/workflows/lint-epoch.yml": "vendor.github-workflows",
    ".github/workflows/lint-epoch-sarif.yml": "vendor.github-workflows",
    ".gitlab-ci.yml": "vendor.gitlab-ci",
}


def snippets(root: Path, language: str) -> dict[str, str]:
    """The blocks of the page by the file name in their first line."""
    text = (root / "docs" / "ci.md").read_text(encoding="utf-8")
    blocks = re.findall(rf"^```{language}\n# ([^\n,]+)[^\n]*\n(.*?)^```$", text, re.M | re.S)
    return dict(blocks)


def check_schema(name: str, path: Path) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", name, str(path)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_recipe_is_what_the_service_reads(root: Path, tmp_path: Path, name: str) -> None:
    path = tmp_path / Path(name).name
    path.write_text(snippets(root, "yaml")[name])
    check_schema(SCHEMAS[name], path)


def test_the_action_is_what_github_reads(root: Path) -> None:
    check_schema("vendor.github-actions", root / "action.yml")


def test_the_recipes_give_the_action_inputs_that_it_has(root: Path) -> None:
    known = yaml.safe_load((root / "action.yml").read_text())["inputs"]
    for name in SCHEMAS:
        jobs = yaml.safe_load(snippets(root, "yaml")[name]).get("jobs", {})
        for step in (step for job in jobs.values() for step in job["steps"]):
            if step.get("uses", "").startswith("./"):
                assert step["with"].keys() <= known.keys()


# --- the action ------------------------------------------------------------------------------------------------------


class Runner:
    """Runs the steps of a composite action as GitHub does: expressions replaced, then bash with its options."""

    def __init__(self, root: Path, folder: Path, environment: dict[str, str]) -> None:
        self.action = yaml.safe_load((root / "action.yml").read_text(encoding="utf-8"))
        self.folder = folder
        self.path = folder / "github_path"
        self.path.touch()
        self.environment = {**environment, "GITHUB_PATH": str(self.path)}
        self.context = {"github.action_path": str(root), "runner.temp": str(folder)}

    def run(self, number: int, project: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
        """Run one step, counted from 0."""
        step = self.action["runs"]["steps"][number]
        given = {key: inputs.get(key.replace("-", "_"), one["default"]) for key, one in self.action["inputs"].items()}
        values = {**self.context, **{f"inputs.{key}": value for key, value in given.items()}}
        own = {key: re.sub(r"\$\{\{ (.*?) \}\}", lambda m: values[m[1]], value) for key, value in step["env"].items()}
        added = [*reversed(self.path.read_text().split()), self.environment["PATH"]]
        assert "${{" not in step["run"]
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=project,
            env={**self.environment, **own, "PATH": os.pathsep.join(added)},
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=300,
        )


@pytest.fixture
def runner(root: Path, tmp_path: Path, environment: dict[str, str]) -> Runner:
    return Runner(root, tmp_path, environment)


needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")


@needs_bash
def test_the_action_annotates_and_fails_on_findings(runner: Runner, repository: Path, run, faulty_script: str) -> None:
    (repository / "train it.py").write_text(faulty_script)
    (repository / "other.py").write_text(faulty_script)
    done = runner.run(1, repository, paths="train it.py\n")
    assert done.returncode == 1
    assert [line.partition(",")[0] for line in done.stdout.splitlines()] == ["::error file=train it.py"] * 2
    assert runner.run(1, repository, arguments="--exit-zero\n--select\nLEP201").returncode == 0


@needs_bash
@pytest.mark.parametrize(("name", "status"), [("lint-epoch", 1), ("lint-epoch-sarif", 0)])
def test_the_workflows_run_the_action_as_they_say(
    runner: Runner, repository: Path, run, root: Path, faulty_script: str, name: str, status: int
) -> None:
    [job] = yaml.safe_load(snippets(root, "yaml")[f".github/workflows/{name}.yml"])["jobs"].values()
    [own] = [step["with"] for step in job["steps"] if step["uses"].startswith("./")]
    for folder in ("src", "scripts"):
        (repository / folder).mkdir()
        (repository / folder / "train.py").write_text(faulty_script)
    summary = runner.environment["GITHUB_STEP_SUMMARY"] = str(runner.folder / "summary.md")
    done = runner.run(1, repository, **{key.replace("-", "_"): value for key, value in own.items()})
    assert done.returncode == status, done.stderr
    [upload] = [step["with"]["sarif_file"] for step in job["steps"] if "sarif_file" in step.get("with", {})] or [None]
    if upload is None:
        assert done.stdout.count("::error file=") == 4
        assert "4 findings in 2 files" in Path(summary).read_text()
    else:
        assert len(json.loads((repository / upload).read_text())["runs"][0]["results"]) == 4


@needs_bash
def test_the_action_writes_a_report(runner: Runner, repository: Path, run, faulty_script: str) -> None:
    (repository / "train.py").write_text(faulty_script)
    done = runner.run(1, repository, output_format="sarif", output_file="a b.sarif")
    assert (done.returncode, done.stdout) == (1, "")
    assert json.loads((repository / "a b.sarif").read_text())["version"] == "2.1.0"


@needs_bash
@pytest.mark.parametrize("key", ["paths", "arguments", "output_file", "output_format"])
def test_no_input_is_taken_for_a_part_of_the_script(runner: Runner, repository: Path, run, key: str) -> None:
    runner.run(1, repository, **{key: '"; touch hacked; $(touch hacked) `touch hacked`'})
    assert not (repository / "hacked").exists()


@needs_bash
def test_the_action_installs_what_lies_beside_it(runner: Runner, repository: Path, run, root: Path) -> None:
    if run(
        sys.executable, "-m", "pip", "download", "--no-deps", "-d", str(runner.folder / "p"), "hatchling"
    ).returncode:
        pytest.skip("no package index can be reached: the action's environment cannot be built")
    runner.environment.pop("PYTHONPATH")
    source = runner.folder / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy2(root / name, source)
    shutil.copytree(root / "lint_epoch", source / "lint_epoch", ignore=shutil.ignore_patterns("__pycache__"))
    runner.context["github.action_path"] = str(source)
    done = runner.run(0, repository)
    assert done.returncode == 0, done.stderr
    installed = Path(runner.path.read_text().strip()) / "lint-epoch"
    assert installed.stat().st_mode & stat.S_IXUSR
    (repository / "a.py").write_text("x = 1\n")
    assert runner.run(1, repository).returncode == 0


# --- other tools -----------------------------------------------------------------------------------------------------


def test_the_script_of_the_gitlab_job_writes_the_report_that_it_names(
    root: Path, repository: Path, run, faulty_script: str
) -> None:
    job: dict[str, Any] = yaml.safe_load(snippets(root, "yaml")[".gitlab-ci.yml"])["lint-epoch"]
    [command] = [line for line in job["script"] if line.startswith("lint-epoch")]
    (repository / "train.py").write_text(faulty_script)
    assert run("sh", "-c", command).returncode == 1
    entries = json.loads((repository / job["artifacts"]["reports"]["codequality"]).read_text())
    assert [entry["location"]["path"] for entry in entries] == ["train.py", "train.py"]


def test_ruff_leaves_our_codes_alone_once_it_is_told(root: Path, repository: Path, run) -> None:
    text = "import os  # noqa: F401, LEP101\nx = 1  # noqa: LEP301\n"
    command = (sys.executable, "-m", "ruff", "check", "--fix", "--preview", "--select", "F,RUF100,RUF102", "train.py")
    (repository / "train.py").write_text(text)
    run(*command)
    assert "LEP101" not in (repository / "train.py").read_text()
    (repository / "train.py").write_text(text)
    (repository / "pyproject.toml").write_text(snippets(root, "toml")["pyproject.toml"])
    assert run(*command).returncode == 0
    assert (repository / "train.py").read_text() == text


def test_flake8_reads_the_settings_of_the_recipe(
    root: Path, repository: Path, run, flake8: tuple[str, ...], faulty_script: str
) -> None:
    own = Path(flake8[-1]).read_text().partition("[flake8:local-plugins]")
    (repository / ".flake8").write_text(snippets(root, "ini")[".flake8"] + "".join(own[1:]))
    (repository / "tests").mkdir()
    for path in (repository / "train.py", repository / "tests" / "train.py"):
        path.write_text(faulty_script)
    lines = run(*flake8[:-1], ".flake8", ".").stdout.splitlines()
    assert {line.partition(":")[0] for line in lines if " LEP" in line} == {"./train.py"}


def test_the_pre_commit_recipe_is_the_published_hook(root: Path) -> None:
    [hook] = yaml.safe_load(snippets(root, "yaml")[".pre-commit-config.yaml"])["repos"][0]["hooks"]
    published = {hook["id"]: hook for hook in yaml.safe_load((root / ".pre-commit-hooks.yaml").read_text())}
    assert hook == {**{k: v for k, v in published[hook["id"]].items() if k != "description"}, "language": "system"}
