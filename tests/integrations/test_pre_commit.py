from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
import yaml

PRE_COMMIT = (sys.executable, "-m", "pre_commit")


@pytest.fixture
def hooks(root: Path) -> dict[str, dict[str, object]]:
    """The published hooks by their id."""
    return {hook["id"]: hook for hook in yaml.safe_load((root / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}


@pytest.fixture
def use(repository: Path, hooks):
    """Configure a hook that runs what is published, without building an environment for it."""

    def configure(name: str) -> None:
        local = {**hooks[name], "language": "system"}
        config = {"repos": [{"repo": "local", "hooks": [local]}]}
        (repository / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))

    return configure


def test_the_manifest_is_valid(run, root: Path) -> None:
    done = run(*PRE_COMMIT, "validate-manifest", str(root / ".pre-commit-hooks.yaml"))
    assert (done.returncode, done.stderr) == (0, "")


def test_a_commit_with_a_fault_is_stopped(repository: Path, run, use, faulty_script: str) -> None:
    use("lint-epoch")
    (repository / "train.py").write_text(faulty_script)
    run(*PRE_COMMIT, "install")
    run("git", "add", ".")
    done = run("git", "commit", "-m", "faulty")
    assert done.returncode == 1
    assert "train.py:4:1: LEP101" in done.stderr
    assert run("git", "rev-parse", "--verify", "HEAD").returncode != 0


def test_only_changed_files_are_reported_with_the_others_as_evidence(
    repository: Path, run, use, faulty_script: str
) -> None:
    use("lint-epoch")
    wrapper, script = faulty_script.split("def main")
    (repository / "data.py").write_text(wrapper)
    run("git", "add", ".")
    run("git", "commit", "--no-verify", "-m", "the wrapper")
    (repository / "train.py").write_text(f"from data import Wrapper\n\n\ndef main{script}")
    run("git", "add", ".")
    done = run(*PRE_COMMIT, "run")
    assert done.returncode == 1
    assert "train.py:" in done.stdout
    assert "LEP201" in done.stdout
    assert "LEP101" not in done.stdout


def test_a_changed_file_that_the_settings_exclude_is_not_reported(
    repository: Path, run, use, faulty_script: str
) -> None:
    use("lint-epoch")
    (repository / "lint_epoch.toml").write_text('exclude = ["vendored/"]\n')
    (repository / "vendored").mkdir()
    (repository / "vendored" / "train.py").write_text(faulty_script)
    run("git", "add", ".")
    assert run(*PRE_COMMIT, "run").returncode == 0


def test_the_fixing_hook_stops_once_and_then_passes(repository: Path, run, use, faulty_script: str) -> None:
    use("lint-epoch-fix")
    (repository / "train.py").write_text(faulty_script)
    run("git", "add", ".")
    first = run(*PRE_COMMIT, "run")
    assert first.returncode == 1
    assert "- files were modified by this hook" in first.stdout
    assert "mended train.py: LEP101" in first.stdout
    assert "def set_epoch" in (repository / "train.py").read_text()
    run("git", "add", ".")
    assert run(*PRE_COMMIT, "run").returncode == 0


def test_the_hook_for_the_repository_sees_files_that_did_not_change(
    repository: Path, run, use, faulty_script: str
) -> None:
    use("lint-epoch-repo")
    (repository / "train.py").write_text(faulty_script)
    run("git", "add", ".")
    run("git", "commit", "--no-verify", "-m", "faulty")
    (repository / "other.py").write_text("x = 1\n")
    run("git", "add", ".")
    done = run(*PRE_COMMIT, "run")
    assert done.returncode == 1
    assert "train.py:4:1: LEP101" in done.stdout


def test_more_files_than_one_command_line_holds_are_all_reported(
    repository: Path, run, use, faulty_script: str
) -> None:
    use("lint-epoch")
    folder = repository / ("long_name_" * 20)
    folder.mkdir()
    for number in range(700):
        (folder / f"module_{number}.py").write_text("x = 1\n")
    names = ("module_0000.py", "zzz.py")
    for name in names:
        (folder / name).write_text(faulty_script)
    run("git", "add", ".")
    done = run(*PRE_COMMIT, "run")
    assert done.returncode == 1
    assert all(f"{name}:4:1: LEP101" in done.stdout for name in names)


def test_the_published_hook_installs_from_a_clean_clone_and_runs(
    tmp_path: Path, repository: Path, run, root: Path, faulty_script: str
) -> None:
    if run(sys.executable, "-m", "pip", "download", "--no-deps", "-d", str(tmp_path / "probe"), "hatchling").returncode:
        pytest.skip("no package index can be reached: the hook's environment cannot be built")
    published = tmp_path / "published"
    listed = run("git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard").stdout
    for name in filter(None, listed.split("\0")):
        if (root / name).is_file():  # else deleted and not yet committed
            (published / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, published / name)
    for arguments in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "released"], ["tag", "v0.0.0"]):
        assert run("git", "-C", str(published), *arguments).returncode == 0
    config = {"repos": [{"repo": str(published), "rev": "v0.0.0", "hooks": [{"id": "lint-epoch"}]}]}
    (repository / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    (repository / "train.py").write_text(faulty_script)
    run("git", "add", ".")
    environment = {"PYTHONPATH": ""}  # the hook must run what was installed, not this work tree
    done = run("env", *(f"{key}={value}" for key, value in environment.items()), *PRE_COMMIT, "run")
    assert done.returncode == 1
    assert "train.py:4:1: LEP101" in done.stdout, done.stdout + done.stderr


def test_what_is_staged_is_checked_and_what_is_not_comes_back(repository: Path, run, use, faulty_script: str) -> None:
    use("lint-epoch")
    path = repository / "train.py"
    path.write_text(faulty_script)
    run("git", "add", ".")
    path.write_text("print('mended, and not yet staged')\n")
    done = run(*PRE_COMMIT, "run")
    assert done.returncode == 1
    assert "train.py:4:1: LEP101" in done.stdout
    assert path.read_text() == "print('mended, and not yet staged')\n"


def test_a_fix_that_conflicts_with_unstaged_work_is_taken_back(repository: Path, run, use, faulty_script: str) -> None:
    use("lint-epoch-fix")
    path = repository / "train.py"
    path.write_text(faulty_script)
    run("git", "add", ".")
    own = faulty_script.replace("        yield from self._loader\n", "        yield from self._loader  # mine\n")
    path.write_text(own)
    done = run(*PRE_COMMIT, "run")
    assert done.returncode == 1
    assert "Rolling back fixes" in done.stdout + done.stderr
    assert path.read_text() == own
    assert run("git", "show", ":train.py").stdout == faulty_script


def test_the_fixing_hook_and_a_formatter_come_to_rest(repository: Path, run, hooks, faulty_script: str) -> None:
    ours = {**hooks["lint-epoch-fix"], "language": "system"}
    ruff = {"id": "ruff", "name": "ruff", "entry": f"{sys.executable} -m ruff format --no-cache", "language": "system"}
    config = {"repos": [{"repo": "local", "hooks": [ours, {**ruff, "types": ["python"]}]}]}
    (repository / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    (repository / "train.py").write_text(faulty_script.replace("    def", "    def ").replace("\n\n\n", "\n"))
    statuses = []
    for _ in range(3):
        run("git", "add", ".")
        statuses.append(run(*PRE_COMMIT, "run").returncode)
    assert statuses[0] == 1
    assert statuses[-1] == 0
