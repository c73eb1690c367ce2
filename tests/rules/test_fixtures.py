"""Every fixture: exactly what it expects is reported in the faulty version, and nothing in the mended one."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import lint_epoch

FIXTURES = Path(__file__).parents[2] / "fixtures"
VERSIONS = [
    (folder.parent.name, folder.name)
    for folder in sorted(FIXTURES.glob("*/*"))
    if folder.name in ("faulty", "mended") and folder.is_dir()
]


@pytest.mark.parametrize(("name", "version"), VERSIONS, ids=[f"{name}-{version}" for name, version in VERSIONS])
def test_a_fixture_is_reported_as_it_says(name: str, version: str, tmp_path: Path) -> None:
    expected = json.loads((FIXTURES / name / "expected.json").read_text(encoding="utf-8"))
    project = tmp_path / "project"
    shutil.copytree(FIXTURES / name / version, project)

    report = lint_epoch.check([project])

    root = project.resolve()
    found = sorted((f.code, Path(f.path).relative_to(root).as_posix(), f.line) for f in report.findings)
    assert report.errors == ()
    assert found == sorted((place["code"], place["path"], place["line"]) for place in expected.get(version, []))
