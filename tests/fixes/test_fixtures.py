"""What `lint-epoch fix` makes of fixtures and of the rules' cases: formatted code, at rest, and no empty promise."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lint_epoch.config import Config
from lint_epoch.fixes.driver import fix
from lint_epoch.rules import all_rules
from lint_epoch.rules.base import Case

FIXTURES = Path(__file__).parents[2] / "fixtures"


def is_fixable(folder: Path) -> bool:
    """Whether every way to run a fixture claims that the fix mends it."""
    runs = json.loads((folder / "expected.json").read_text(encoding="utf-8")).get("runtime", [])
    return bool(runs) and all(run.get("fixable") for run in runs)


@pytest.mark.parametrize("name", sorted(folder.name for folder in FIXTURES.glob("*/") if is_fixable(folder)))
def test_a_mended_fixture_is_formatted_and_at_rest(name: str, tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(FIXTURES / name / "faulty", project)

    result = fix([project], Config(), unsafe=True, write=True)

    assert result.errors == ()
    assert result.changes != ()
    assert result.report.findings == ()
    assert fix([project], Config(), unsafe=True, write=False).changes == ()
    for arguments in (["format", "--check", "--line-length", "120"], ["check", "--select", "F"]):
        ruff = [sys.executable, "-m", "ruff", *arguments, "--isolated", "--no-cache", "."]
        done = subprocess.run(ruff, cwd=project, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stdout


FAULTY = [(rule.code, case) for rule in all_rules() for case in rule.cases if case.lines]


@pytest.mark.parametrize(("code", "case"), FAULTY, ids=[f"{code}-{case.name}" for code, case in FAULTY])
def test_what_a_finding_offers_is_done(code: str, case: Case, tmp_path: Path) -> None:
    for name, text in case.files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    result = fix([tmp_path], Config(), unsafe=True, write=False)

    assert result.errors == ()
    assert [finding for finding in result.report.findings if finding.fix is not None] == []
