"""The interpreter's memory: copies are independent, and a merge joins what the branches changed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lint_epoch.project.memory import Cells, merge
from lint_epoch.project.values import Const, ValueSet, join

KEYS = st.tuples(st.integers(0, 2), st.sampled_from("abc"))
WRITES = st.lists(st.tuples(KEYS, st.integers(0, 3)), max_size=6)


def one(value: int) -> ValueSet:
    return (Const(value),)


def written(start: Cells, writes: list[tuple[tuple[int, str], int]]) -> Cells:
    cells = start.fork()
    for number, (key, value) in enumerate(writes):
        if number % 2:
            cells = cells.fork()
        cells[key] = one(value)
    return cells


@given(base=WRITES, left=WRITES, right=WRITES)
def test_a_merge_is_what_two_dicts_would_give(
    base: list[tuple[tuple[int, str], int]],
    left: list[tuple[tuple[int, str], int]],
    right: list[tuple[tuple[int, str], int]],
) -> None:
    start = written(Cells(), base)
    one_side, other_side = written(start, left), written(start, right)
    merged = merge(one_side, other_side)
    assert merged is not None
    plain = {key: one(value) for key, value in base}
    ours, theirs = (plain | {key: one(value) for key, value in side} for side in (left, right))
    for key in ours.keys() | theirs.keys():
        sides = [side[key] for side in (ours, theirs) if key in side]
        assert set(merged.get(key) or ()) == set(join(*sides))


@given(base=WRITES, more=WRITES)
def test_folding_changes_nothing(
    base: list[tuple[tuple[int, str], int]], more: list[tuple[tuple[int, str], int]]
) -> None:
    floor = written(Cells(), base)
    cells = written(floor, more)
    assert dict(cells.folded(floor).items()) == dict(cells.items())


def test_a_branch_that_does_not_end_does_not_count() -> None:
    cells = written(Cells(), [((1, "a"), 1)])
    assert merge(cells, None) is cells
    assert merge(None, cells) is cells


def test_the_cells_of_an_ended_call_go() -> None:
    floor = Cells()
    cells = written(floor, [((1, "a"), 1), ((2, "a"), 2)])
    assert dict(cells.without(1, floor).items()) == {(2, "a"): one(2)}
