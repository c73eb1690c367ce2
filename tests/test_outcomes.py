"""A cache and other processes change how long a check takes, and nothing else."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import lint_epoch
from lint_epoch import analysis as analysis_module
from lint_epoch.config import Config
from lint_epoch.diagnostics import Report
from lint_epoch.facts import stage
from lint_epoch.source.cache import Cache
from lint_epoch.work import Work

FIXTURES = Path(__file__).parent.parent / "fixtures"
KEY = b"k" * 32


@pytest.fixture
def trainer(tmp_path: Path) -> Path:
    """The robot-learning trainer: four files, one of which takes no part but is read."""
    shutil.copytree(FIXTURES / "robot_trainer" / "faulty", tmp_path / "project")
    (tmp_path / "project" / "pyproject.toml").touch()
    return tmp_path / "project"


def cached(tmp_path: Path) -> Work:
    return Work(Cache(tmp_path / "cache", KEY))


@pytest.fixture
def no_parser(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail if anything is parsed or run."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the cache was not asked")

    monkeypatch.setattr(stage, "facts_of", refuse)
    monkeypatch.setattr(analysis_module.Analysis, "__init__", refuse)
    yield


def warm(trainer: Path, tmp_path: Path) -> Report:
    return lint_epoch.check([trainer], Config(), work=cached(tmp_path))


def test_a_warm_run_reports_the_same_and_parses_nothing(
    trainer: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    cold = lint_epoch.check([trainer], Config())
    assert len(cold.findings) == 6
    assert warm(trainer, tmp_path) == cold
    request.getfixturevalue("no_parser")
    assert warm(trainer, tmp_path) == cold
    only = lint_epoch.check([trainer], Config(select=("LEP1",)), work=cached(tmp_path))
    assert {finding.code[:4] for finding in only.findings} == {"LEP1"}


def test_a_changed_file_is_read_anew(trainer: Path, tmp_path: Path) -> None:
    warm(trainer, tmp_path)
    script = trainer / "scripts" / "train.py"
    script.write_text("# moved by a line\n" + script.read_text())
    assert warm(trainer, tmp_path) == lint_epoch.check([trainer], Config())


def test_a_changed_file_that_takes_no_part_counts_where_it_was_read(trainer: Path, tmp_path: Path) -> None:
    warm(trainer, tmp_path)
    (settings,) = trainer.rglob("config.py")
    text = settings.read_text()
    assert "streaming: bool = False" in text
    settings.write_text(text.replace("streaming: bool = False", "streaming: bool = True"))
    changed = warm(trainer, tmp_path)
    assert changed == lint_epoch.check([trainer], Config())
    settings.write_text(text)
    assert warm(trainer, tmp_path) != changed


def test_a_comment_that_silences_is_read_anew(trainer: Path, tmp_path: Path) -> None:
    before = warm(trainer, tmp_path)
    guard = next(finding for finding in before.findings if finding.code == "LEP201")
    lines = Path(guard.path).read_text().split("\n")
    lines[guard.line - 1] += "  # noqa: LEP201"
    Path(guard.path).write_text("\n".join(lines))
    after = warm(trainer, tmp_path)
    assert after.summary.suppressed == 1
    assert len(after.findings) == len(before.findings) - 1


def test_whatever_stands_in_the_cache_the_report_is_the_same(trainer: Path, tmp_path: Path) -> None:
    cold = warm(trainer, tmp_path)
    chance = random.Random(1)
    entries = [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert len(entries) >= 4
    for path in entries:
        data = bytearray(path.read_bytes())
        data[chance.randrange(len(data))] ^= 0xFF
        path.write_bytes(data)
    assert warm(trainer, tmp_path) == cold


def test_signed_data_of_another_kind_is_not_believed(
    trainer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cold = warm(trainer, tmp_path)
    monkeypatch.setattr(Cache, "get", lambda self, name: b"\x93\x01\x02\x03")
    assert warm(trainer, tmp_path) == cold


def test_processes_report_what_one_does(trainer: Path, tmp_path: Path) -> None:
    cold = lint_epoch.check([trainer], Config())
    assert lint_epoch.check([trainer], Config(), work=Work(jobs=2)) == cold
    assert lint_epoch.check([trainer], Config(), work=Work(Cache(tmp_path / "cache", KEY), jobs=2)) == cold
    assert warm(trainer, tmp_path) == cold


def test_a_file_that_does_not_parse_is_told_by_every_way(trainer: Path, tmp_path: Path) -> None:
    (trainer / "broken.py").write_text("import torch\nloader = DataLoader(\n")
    cold = lint_epoch.check([trainer], Config())
    assert [(Path(error.path).name, error.line) for error in cold.errors] == [("broken.py", 2)]
    assert warm(trainer, tmp_path) == warm(trainer, tmp_path) == cold
    assert lint_epoch.check([trainer], Config(), work=Work(jobs=2)) == cold
