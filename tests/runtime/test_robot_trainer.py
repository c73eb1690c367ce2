"""Forwarding alone does not cure an endless wrapper: the trainer that the project started from, on real torch."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from . import harness
from .expectations import FIXTURES
from .harness import WORLD_SIZE, Run, needs_torch

pytestmark = needs_torch

ROBOT_TRAINER = FIXTURES / "robot_trainer"
STEPS_PER_PASS = 4
PASSES = 3


def train(folder: Path, *, from_step: int = 0) -> Run:
    """Run three passes of the trainer, from a step on."""
    arguments = {"resume_step": from_step, "num_train_steps": from_step + PASSES * STEPS_PER_PASS}
    run = harness.run(folder, "scripts/train.py", arguments=arguments)
    assert run.errors == (None, None), run.traces
    assert [len(run.passes(rank)) for rank in range(WORLD_SIZE)] == [PASSES, PASSES]
    return run


@pytest.fixture(scope="module")
def fixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the trainer as found, after the tool's safe fixes."""
    driver = pytest.importorskip("lint_epoch.fixes.driver", reason="the fixes are not built yet")
    from lint_epoch.config import Config

    project = tmp_path_factory.mktemp("robot_trainer") / "project"
    shutil.copytree(ROBOT_TRAINER / "faulty", project)
    result = driver.fix([project], Config(), unsafe=False, write=True)
    assert result.errors == ()
    return project


@pytest.mark.parametrize("rank", range(WORLD_SIZE))
def test_as_found_every_pass_has_the_same_order(rank: int) -> None:
    run = train(ROBOT_TRAINER / "faulty")

    assert run.distinct(rank) == 1
    assert run.epochs(rank) == [0, 0, 0]


@pytest.mark.parametrize("rank", range(WORLD_SIZE))
def test_with_both_methods_forwarded_by_hand_every_pass_still_has_the_same_order(rank: int) -> None:
    run = train(ROBOT_TRAINER / "forwarded_only")

    assert run.distinct(rank) == 1


def test_with_both_methods_forwarded_by_hand_the_first_call_does_arrive() -> None:
    run = train(ROBOT_TRAINER / "forwarded_only", from_step=2 * STEPS_PER_PASS)

    assert run.epochs(0) == [2, 2, 2]


@pytest.mark.parametrize("rank", range(WORLD_SIZE))
def test_mended_by_hand_every_pass_has_an_order_of_its_own(rank: int) -> None:
    assert train(ROBOT_TRAINER / "mended").epochs(rank) == [0, 1, 2]


def test_fixed_every_pass_has_an_order_of_its_own(fixed: Path) -> None:
    run = train(fixed)

    assert [run.distinct(rank) for rank in range(WORLD_SIZE)] == [PASSES, PASSES]
    assert [run.epochs(rank) for rank in range(WORLD_SIZE)] == [[0, 1, 2], [0, 1, 2]]


def test_fixed_the_ranks_are_disjoint_within_every_pass(fixed: Path) -> None:
    run = train(fixed)

    assert not run.overlaps()
    for index in range(PASSES):
        assert set.union(*run.seen_in_pass(index)) == set(range(16))


def test_fixed_a_resumed_job_starts_with_the_order_of_its_epoch(fixed: Path) -> None:
    run = train(fixed, from_step=2 * STEPS_PER_PASS)

    assert run.passes(0)[0] != train(ROBOT_TRAINER / "faulty").passes(0)[0]
    assert [run.epochs(rank) for rank in range(WORLD_SIZE)] == [[2, 3, 4], [2, 3, 4]]


def test_fixed_the_job_still_runs_on_one_process_where_there_is_no_distributed_sampler(fixed: Path) -> None:
    run = harness.run(fixed, "scripts/train.py", arguments={"num_train_steps": 24}, world_size=1)

    assert run.errors == (None,), run.traces
    assert [len(set(order)) for order in run.passes(0)] == [16, 16, 16]


def test_fixed_only_the_module_with_the_wrappers_has_changed(fixed: Path) -> None:
    def files(root: Path) -> dict[str, bytes]:
        return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}

    before, after = files(ROBOT_TRAINER / "faulty"), files(fixed)
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}

    assert changed == {"src/robot_trainer/data_loader.py"}
