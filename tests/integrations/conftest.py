"""The front ends as their users run them: processes in a project of its own."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest

import lint_epoch

ROOT = Path(lint_epoch.__file__).parent.parent

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Variables with which lint-epoch is on the path, and git and pre-commit touch nothing of the user's."""
    folder = tmp_path_factory.mktemp("environment")
    command = folder / "lint-epoch"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m lint_epoch "$@"\n')
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    return {
        **{key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "PRE_COMMIT"))},
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PYTHONUTF8": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.org",
        "PRE_COMMIT_HOME": str(folder / "pre-commit"),
    }


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """The folder of a project; ``run("git", "init")`` comes with ``run``."""
    folder = tmp_path / "repository"
    folder.mkdir()
    return folder


@pytest.fixture
def run(repository: Path, environment: dict[str, str]) -> Run:
    """Run a command in the project, which is a git repository."""

    def run_command(*command: str, **options: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=repository,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            timeout=300,
            check=False,
            **options,
        )

    run_command("git", "init", "--quiet")
    return run_command


@pytest.fixture(scope="session")
def flake8(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """The flake8 command, with the plugin and no other check of this machine's configuration."""
    config = tmp_path_factory.mktemp("flake8") / "flake8.cfg"
    text = "[flake8]\nselect = LEP\n"
    try:
        metadata.distribution("lint-epoch")
    except metadata.PackageNotFoundError:
        # Run from a work tree that is not installed: flake8 takes the plugin from its configuration.
        text += "[flake8:local-plugins]\nextension =\n    LEP = lint_epoch.integrations.flake8:Plugin\n"
    config.write_text(text)
    return (sys.executable, "-m", "flake8", "--config", str(config))
