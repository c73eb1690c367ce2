"""A fix that is killed, interrupted or out of space, as a real process: each file is the old one or the new one."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

FIXTURE = Path(__file__).parent.parent.parent / "fixtures" / "robot_trainer" / "faulty"
COMMAND = [sys.executable, "-m", "lint_epoch", "fix", "."]

Contents = dict[str, bytes]


def contents(folder: Path) -> Contents:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.py"))}


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}


@pytest.fixture
def mended(tmp_path: Path, environment: dict[str, str]) -> tuple[Contents, float]:
    """What the files are after a fix, and how long that takes, in seconds."""
    folder = tmp_path / "whole"
    shutil.copytree(FIXTURE, folder)
    start = time.monotonic()
    subprocess.run(COMMAND, cwd=folder, env=environment, capture_output=True, check=False)
    return contents(folder), time.monotonic() - start


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM], ids=lambda sent: sent.name)
def test_a_fix_that_is_stopped_at_any_moment_leaves_whole_files(
    tmp_path: Path, environment: dict[str, str], mended: tuple[Contents, float], sent: signal.Signals
) -> None:
    new, seconds = mended
    old = contents(FIXTURE)
    assert new != old
    # Most of the moments lie in the last fifth of the run, where it writes.
    for number, share in enumerate((0.3, 0.8, 0.85, 0.9, 0.95, 1.0)):
        folder = tmp_path / str(number)
        shutil.copytree(FIXTURE, folder)
        process = subprocess.Popen(
            COMMAND, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(seconds * share)
        process.send_signal(sent)
        process.wait(60)
        left = contents(folder)
        assert left.keys() == old.keys()
        assert all(left[name] in (old[name], new[name]) for name in old)

        subprocess.run(COMMAND, cwd=folder, env=environment, capture_output=True, check=False)
        assert contents(folder) == new


def test_a_fix_without_room_to_write_leaves_the_files_and_says_so(
    tmp_path: Path, environment: dict[str, str], mended: tuple[Contents, float]
) -> None:
    folder = tmp_path / "small"
    shutil.copytree(FIXTURE, folder)
    old = contents(folder)
    smallest = min(len(text) for name, text in mended[0].items() if text != old[name])

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (smallest - 1, smallest - 1))

    done = subprocess.run(COMMAND, cwd=folder, env=environment, capture_output=True, text=True, preexec_fn=limit)

    assert done.returncode == 2
    assert contents(folder) == old
    assert "data_loader.py" in done.stderr
    assert "too large" in done.stderr
    assert sorted(path.name for path in folder.rglob("*") if path.is_file()) == sorted(
        path.name for path in FIXTURE.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    )
