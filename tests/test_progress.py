from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

import lint_epoch
from lint_epoch import progress
from lint_epoch.progress import watcher


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nobody_watches_where_there_is_no_terminal() -> None:
    with watcher(io.StringIO()) as watch:
        assert watch is None


def test_a_short_run_shows_nothing() -> None:
    terminal = Terminal()
    with watcher(terminal) as watch:
        assert watch is not None
        watch(1, 2)
    assert terminal.getvalue() == ""


def test_a_long_run_shows_how_far_it_is_and_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "LONG", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    terminal = Terminal()
    with watcher(terminal) as watch:
        assert watch is not None
        watch(3, 7)
    shown = terminal.getvalue()
    assert "following epoch paths" in shown
    assert "3/7" in shown
    assert shown.endswith("\x1b[1A\x1b[2K")  # up one line, and that line is erased


def test_the_engine_tells_of_each_file_that_it_parses(tmp_path: Path, faulty_script: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(faulty_script)
    told: list[tuple[int, int]] = []
    lint_epoch.check([tmp_path], watch=lambda done, most: told.append((done, most)))
    assert told == [(1, 1)]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_on_a_real_terminal_the_report_is_whole(tmp_path: Path, faulty_script: str) -> None:
    import pty

    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(faulty_script)
    ours, theirs = pty.openpty()
    program = "from lint_epoch import progress, cli; progress.LONG = 0; raise SystemExit(cli.main())"
    done = subprocess.run(
        [sys.executable, "-c", program, "check", "--output-format", "concise"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(lint_epoch.__file__).parent.parent), "TERM": "xterm"},
        stdout=subprocess.PIPE,
        stderr=theirs,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    os.close(theirs)
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    assert done.returncode == 1
    assert [line.split()[1] for line in done.stdout.splitlines()] == ["LEP101", "LEP201"]
    assert "following epoch paths" in shown
