"""The engine: its answer depends neither on which files were named nor on how they are named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import lint_epoch
from lint_epoch.config import Config
from lint_epoch.engine import check_file

FIXTURE = Path(__file__).parents[1] / "fixtures" / "robot_trainer" / "faulty"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    copy = tmp_path / "project"
    shutil.copytree(FIXTURE, copy)
    (copy / "pyproject.toml").write_text("[project]\nname = 'robots'\n")
    return copy.resolve()


def places(report: lint_epoch.Report) -> list[tuple[str, str, int]]:
    return [(finding.code, finding.path, finding.line) for finding in report.findings]


def test_one_file_gives_what_the_whole_gives_for_it(project: Path) -> None:
    whole = lint_epoch.check([project])
    assert {finding.code for finding in whole.findings} == {"LEP101", "LEP102", "LEP104", "LEP201"}
    for path in sorted(project.rglob("*.py")):
        alone = lint_epoch.check([path])
        assert alone.findings == tuple(f for f in whole.findings if f.path == path.as_posix())


def test_the_order_of_the_paths_does_not_matter(project: Path) -> None:
    files = sorted(project.rglob("*.py"))
    assert lint_epoch.check(files) == lint_epoch.check(list(reversed(files)))


def test_a_second_check_in_the_same_process_says_the_same(project: Path) -> None:
    assert lint_epoch.check([project]) == lint_epoch.check([project])


def test_the_trace_leads_from_the_guard_to_the_sampler(project: Path) -> None:
    guard = next(finding for finding in lint_epoch.check([project]).findings if finding.code == "LEP201")
    said = [hop.what for hop in guard.trace]
    assert said[0].startswith("the guard asks")
    assert any("create_data_loader" in what for what in said)
    assert said[-1].endswith("DistributedSampler")


def test_check_file_agrees_with_check(project: Path) -> None:
    whole = lint_epoch.check([project])
    for path in sorted(project.rglob("*.py")):
        assert check_file(path, Config()) == [f for f in whole.findings if f.path == path.as_posix()]


def test_a_file_that_is_left_out_is_evidence_for_no_other_and_excluded_has_no_findings(project: Path) -> None:
    (project / ".gitignore").write_text("scripts/\n")
    script, loader = project / "scripts" / "train.py", project / "src" / "robot_trainer" / "data_loader.py"
    without = check_file(loader, Config(closed_world=True))
    forget = Config(closed_world=True, ignore=("LEP5",))  # other settings, so that nothing is remembered
    assert check_file(script, forget)
    assert check_file(loader, forget) == without
    excluding = Config(exclude=("/scripts",))
    assert check_file(script, excluding) == []
    assert lint_epoch.check([script], excluding).findings == ()


def test_nothing_in_a_project_is_imported(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    trap = f"open({str(mark)!r}, 'w').close()\n"
    for name in ("setup.py", "conftest.py", "train.py"):
        (tmp_path / name).write_text(trap + "from torch.utils.data import DataLoader, DistributedSampler\n")
    lint_epoch.check([tmp_path])
    assert not mark.exists()


def test_a_project_without_evidence_parses_nothing(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("class Loader:\n    pass\n")
    assert lint_epoch.check([tmp_path]).summary.analysed == 0
