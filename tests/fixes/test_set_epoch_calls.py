"""LEP302, LEP303, LEP305 and LEP306: a call that is there is moved, given the loop's count, or made elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from .scripts import SAMPLER, left, mended

BATCHES = "    for batch in loader:\n        step(batch)\n"


def check_mend(folder: Path, before: str, after: str) -> None:
    """The mended script must be this, and nothing be left to say of it."""
    assert mended(folder, before) == after
    assert left(folder) == []


def check_refusal(folder: Path, body: str, advice: str) -> None:
    """The script must stay, and the message must say what to do."""
    assert mended(folder, body) == body
    assert any(advice in message for message in left(folder)), left(folder)


# --- LEP302 ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("loop", "argument", "mended_loop", "count"),
    [
        ("for epoch in range(3):", "0", "for epoch in range(3):", "epoch"),
        ("for epoch in range(3):", "epoch=epochs", "for epoch in range(3):", "epoch=epoch"),
        ("for i in range(3):", "epochs + 1", "for i in range(3):", "i"),
        ("for _ in range(3):", "0", "for epoch in range(3):", "epoch"),
    ],
)
def test_a_constant_gives_way_to_the_count(
    tmp_path: Path, loop: str, argument: str, mended_loop: str, count: str
) -> None:
    making = f"{SAMPLER}epochs = 3\n"
    before = f"{making}{loop}\n    sampler.set_epoch({argument})  # reshuffle\n{BATCHES}"
    after = f"{making}{mended_loop}\n    sampler.set_epoch({count})  # reshuffle\n{BATCHES}"
    check_mend(tmp_path, before, after)


def test_a_while_loop_s_count_is_used(tmp_path: Path) -> None:
    body = f"{SAMPLER}epoch = 0\nwhile epoch < 3:\n    sampler.set_epoch({{}})\n{BATCHES}    epoch += 1\n"
    check_mend(tmp_path, body.format(0), body.format("epoch"))


@pytest.mark.parametrize("given", ["number", "number=number"])
def test_a_function_uses_the_parameter_that_it_is_given_the_count_in(tmp_path: Path, given: str) -> None:
    given = given.replace("number", "epoch", 1) if "=" not in given else "number=epoch"
    body = (
        f"{SAMPLER}\n\ndef train_one(loader, number):\n    loader.sampler.set_epoch({{}})\n{BATCHES}\n\n"
        f"for epoch in range(3):\n    train_one(loader, {given})\n"
    )
    check_mend(tmp_path, body.format(0), body.format("number"))


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            f"{SAMPLER}\n\ndef train_one(loader):\n    epoch = 0\n    loader.sampler.set_epoch(epoch)\n{BATCHES}"
            "    epoch += 1\n\n\nfor epoch in range(3):\n    train_one(loader)\n",
            id="a function that is not told the count",
        ),
        pytest.param(
            f"{SAMPLER}for epoch in range(3):\n    epoch = 0\n    sampler.set_epoch(epoch)\n{BATCHES}",
            id="a loop that loses its count",
        ),
        pytest.param(
            f"{SAMPLER}while args.go_on:\n    sampler.set_epoch(0)\n{BATCHES}",
            id="a loop without a count",
        ),
    ],
)
def test_a_constant_stays_where_no_count_is_known(tmp_path: Path, body: str) -> None:
    check_refusal(tmp_path, body, "give it a count of the loop's turns")


# --- LEP303 ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            "    for batch in loader:\n        # shuffle anew\n        sampler.set_epoch(epoch)  # here\n"
            "        step(batch)\n",
            "    # shuffle anew\n    sampler.set_epoch(epoch)  # here\n    for batch in loader:\n        step(batch)\n",
            id="out of the batch loop, with its comments",
        ),
        pytest.param(
            "    for batch in loader:\n        if args.distributed:\n            sampler.set_epoch(epoch)\n"
            "        step(batch)\n",
            "    if args.distributed:\n        sampler.set_epoch(epoch)\n    for batch in loader:\n"
            "        step(batch)\n",
            id="out of the batch loop, with its condition",
        ),
        pytest.param(
            "    batches = iter(loader)\n    print(epoch)\n    sampler.set_epoch(epoch)\n"
            "    for step_number in range(9):\n        step(next(batches))\n",
            "    sampler.set_epoch(epoch)\n    batches = iter(loader)\n    print(epoch)\n"
            "    for step_number in range(9):\n        step(next(batches))\n",
            id="in front of iter",
        ),
        pytest.param(
            "    for batch in loader:\n        for part in batch:\n            sampler.set_epoch(epoch)\n"
            "            step(part)\n",
            "    sampler.set_epoch(epoch)\n    for batch in loader:\n        for part in batch:\n"
            "            step(part)\n",
            id="out of two loops",
        ),
    ],
)
def test_a_late_call_is_moved_in_front_of_the_pass(tmp_path: Path, before: str, after: str) -> None:
    making = "sampler = DistributedSampler(data)\nloader = DataLoader(data, sampler=sampler, num_workers=2)\n"
    head = f"{making}for epoch in range(3):\n"
    check_mend(tmp_path, head + before, head + after)


@pytest.mark.parametrize(
    "turn",
    [
        pytest.param(
            "    for number, batch in enumerate(loader):\n        sampler.set_epoch(epoch + number)\n"
            "        step(batch)\n",
            id="it counts the batches",
        ),
        pytest.param(
            "    for number, batch in enumerate(loader):\n        if number == 0:\n"
            "            sampler.set_epoch(epoch)\n        step(batch)\n",
            id="its condition asks for the batch",
        ),
        pytest.param(
            "    batches = iter(loader)\n    now = epoch + len(batches)\n    sampler.set_epoch(now)\n"
            "    step(next(batches))\n",
            id="it needs what comes in between",
        ),
    ],
)
def test_a_call_that_needs_the_pass_stays(tmp_path: Path, turn: str) -> None:
    making = "sampler = DistributedSampler(data)\nloader = DataLoader(data, sampler=sampler, num_workers=2)\n"
    check_refusal(tmp_path, f"{making}for epoch in range(3):\n{turn}", "call it in front of what starts the pass")


# --- LEP305 ----------------------------------------------------------------------------------------------------------

TWO = (
    "held_out = DistributedSampler(data, shuffle=False)\nval_loader = DataLoader(data, sampler=held_out)\n"
    "sampler = DistributedSampler(data)\nloader = DataLoader(data, sampler=sampler)\n"
)


def test_the_sampler_that_is_read_is_named(tmp_path: Path) -> None:
    body = f"{TWO}for epoch in range(3):\n    {{}}.set_epoch(epoch)\n{BATCHES}"
    check_mend(tmp_path, body.format("held_out"), body.format("sampler"))


def test_a_condition_that_asks_for_the_wrong_sampler_is_changed_with_the_call(tmp_path: Path) -> None:
    making = (
        "held_out = sampler = None\nif args.distributed:\n    if args.validate:\n"
        "        held_out = DistributedSampler(data, shuffle=False)\n        sampler = DistributedSampler(data)\n"
        "val_loader = DataLoader(data, sampler=held_out)\nloader = DataLoader(data, sampler=sampler)\n"
    )
    body = f"{making}for epoch in range(3):\n    if {{0}} is not None:\n        {{0}}.set_epoch(epoch)\n{BATCHES}"
    check_mend(tmp_path, body.format("held_out"), body.format("sampler"))


def test_a_loader_with_a_twin_is_given_the_sampler_that_was_made_for_it(tmp_path: Path) -> None:
    body = (
        "sampler = DistributedSampler(data, shuffle=True)\nloader = DataLoader(data, sampler={}, num_workers=2)\n"
        f"for epoch in range(3):\n    sampler.set_epoch(epoch)\n{BATCHES}"
    )
    check_mend(tmp_path, body.format("DistributedSampler(data)"), body.format("sampler"))


def test_a_twin_with_another_seed_is_told_the_epoch_itself(tmp_path: Path) -> None:
    body = (
        "sampler = DistributedSampler(data)\nloader = DataLoader(data, sampler=DistributedSampler(data, seed=7))\n"
        f"for epoch in range(3):\n    {{}}.set_epoch(epoch)\n{BATCHES}"
    )
    check_mend(tmp_path, body.format("sampler"), body.format("loader.sampler"))


def test_no_other_sampler_is_named_under_a_condition_that_does_not_hold_for_it(tmp_path: Path) -> None:
    making = TWO.replace(
        "sampler = DistributedSampler(data)\n", "sampler = DistributedSampler(data) if args.a else None\n"
    )
    body = f"{making}for epoch in range(3):\n    held_out.set_epoch(epoch)\n{BATCHES}"
    check_refusal(tmp_path, body, "set the epoch of the sampler that is read")


# --- LEP306 ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            "    if rank == 0:\n        print(epoch)\n        sampler.set_epoch(epoch)\n",
            "    sampler.set_epoch(epoch)\n    if rank == 0:\n        print(epoch)\n",
            id="in front of a branch with more in it",
        ),
        pytest.param(
            "    if rank == 0:\n        sampler.set_epoch(epoch)\n", "    sampler.set_epoch(epoch)\n", id="alone"
        ),
        pytest.param(
            "    if rank != 0:\n        pass\n    else:\n        sampler.set_epoch(epoch)\n",
            "    sampler.set_epoch(epoch)\n    if rank != 0:\n        pass\n    else:\n        pass\n",
            id="in the other branch",
        ),
        pytest.param(
            "    if args.distributed and rank == 0:\n        sampler.set_epoch(epoch)\n",
            "    if args.distributed:\n        sampler.set_epoch(epoch)\n",
            id="beside another condition",
        ),
        pytest.param(
            "    sampler.set_epoch(epoch + rank)\n", "    sampler.set_epoch(epoch)\n", id="a value made from the rank"
        ),
    ],
)
def test_every_rank_is_told_the_same_epoch(tmp_path: Path, before: str, after: str) -> None:
    head = f"import torch.distributed as dist\n\nrank = dist.get_rank()\n{SAMPLER}for epoch in range(3):\n"
    check_mend(tmp_path, head + before + BATCHES, head + after + BATCHES)


@pytest.mark.parametrize(
    "branch",
    [
        pytest.param(
            "    if rank == 0:\n        now = epoch\n        sampler.set_epoch(now)\n", id="it needs the branch"
        ),
        pytest.param(
            "    if args.distributed and rank == 0:\n        print(epoch)\n        sampler.set_epoch(epoch)\n",
            id="the rest of the branch needs the rank",
        ),
        pytest.param(
            "    if args.quiet:\n        pass\n    elif rank == 0:\n        sampler.set_epoch(epoch)\n",
            id="nothing can stand in front of an elif",
        ),
    ],
)
def test_a_call_stays_in_its_branch_where_it_cannot_be_taken_out(tmp_path: Path, branch: str) -> None:
    head = f"import torch.distributed as dist\n\nrank = dist.get_rank()\n{SAMPLER}for epoch in range(3):\n"
    check_refusal(tmp_path, head + branch + BATCHES, "call it on every rank")
