"""Every fixture that can be run does on real torch what its expected.json claims, before and after the mend."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pytest

from . import harness
from .expectations import FIXTURES, Claims, RuntimeCase, expected_of, fixture_names
from .harness import needs_torch

pytestmark = needs_torch

Case = tuple[str, RuntimeCase]

CASES: dict[str, Case] = {
    f"{name}-{number}": (name, case)
    for name in fixture_names()
    for number, case in enumerate(expected_of(name).runtime)
}
PAIRS = {key: (name, case) for key, (name, case) in CASES.items() if case.faulty is not None}
FIXABLE = {key: (name, case) for key, (name, case) in CASES.items() if case.fixable}


def parametrized(cases: dict[str, Case]) -> pytest.MarkDecorator:
    """Run a test for each case, under its name."""
    return pytest.mark.parametrize(("name", "case"), cases.values(), ids=cases.keys())


@parametrized(PAIRS)
def test_the_faulty_version_shows_its_consequence(name: str, case: RuntimeCase) -> None:
    assert case.faulty is not None
    assert_claims(FIXTURES / name / "faulty", case, case.faulty)


@parametrized(CASES)
def test_the_mended_version_is_right(name: str, case: RuntimeCase) -> None:
    assert_claims(FIXTURES / name / "mended", case, case.mended)


@parametrized(FIXABLE)
def test_the_fix_mends_the_faulty_version(name: str, case: RuntimeCase, tmp_path: Path) -> None:
    driver = pytest.importorskip("lint_epoch.fixes.driver", reason="the fixes are not built yet")
    from lint_epoch.config import Config

    project = tmp_path / name
    shutil.copytree(FIXTURES / name / "faulty", project)

    result = driver.fix([project], Config(), unsafe=True, write=True)

    assert result.errors == ()
    assert_claims(project, case, case.mended)


def assert_claims(folder: Path, case: RuntimeCase, claims: Claims) -> None:
    """Run a version of a fixture and compare what its ranks saw with the claims."""
    for package in (*case.needs, *claims.needs):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is missing: this version cannot be run without it")

    run = harness.run(folder, case.script, case.function, arguments=case.arguments, per_pass=claims.per_pass)

    if claims.error is not None:
        assert any((error or "").startswith(f"{claims.error}:") for error in run.errors), run.errors
        return
    assert run.errors == (None, None), run.traces
    for rank in range(harness.WORLD_SIZE):
        passes = run.passes(rank)
        assert passes, f"rank {rank} has seen no full pass"
        if claims.epochs is not None:
            assert run.epochs(rank) == claims.epochs, f"rank {rank} saw {passes}"
        if claims.distinct is not None:
            assert run.distinct(rank) == claims.distinct, f"rank {rank} saw {passes}"
    if claims.overlaps is not None:
        assert run.overlaps() == claims.overlaps
    if claims.repeats is not None:
        assert run.repeats() == claims.repeats
    if claims.in_all is not None:
        assert len(set.union(*run.seen_in_pass(0))) == claims.in_all
