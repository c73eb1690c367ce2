"""LEP202 and LEP204: guards and calls are led to the sampler that shuffles."""

from __future__ import annotations

from pathlib import Path

import pytest

from .scripts import left, mended

BATCHES = "    for batch in loader:\n        step(batch)\n"
BEHIND = "loader = DataLoader(data, batch_sampler=BatchSampler(DistributedSampler(data), 4, True))\n"
PLAIN = "loader = DataLoader(data, sampler=DistributedSampler(data))\n"


def turns(making: str, *lines: str) -> str:
    """Return a script with some lines at the top of its loop."""
    return f"{making}for epoch in range(3):\n" + "".join(f"    {line}\n" for line in lines) + BATCHES


@pytest.mark.parametrize(
    ("making", "before", "after"),
    [
        pytest.param(
            BEHIND,
            ["if isinstance(loader.sampler, DistributedSampler):", "    loader.sampler.set_epoch(epoch)"],
            [
                "if isinstance(loader.batch_sampler.sampler, DistributedSampler):",
                "    loader.batch_sampler.sampler.set_epoch(epoch)",
            ],
            id="isinstance",
        ),
        pytest.param(
            BEHIND,
            ['if hasattr(loader.sampler, "set_epoch"): loader.sampler.set_epoch(epoch)'],
            ['if hasattr(loader.batch_sampler.sampler, "set_epoch"): loader.batch_sampler.sampler.set_epoch(epoch)'],
            id="hasattr on one line",
        ),
        pytest.param(
            PLAIN,
            ['if hasattr(loader.batch_sampler, "set_epoch"):', "    loader.batch_sampler.set_epoch(epoch)  # anew"],
            [
                'if hasattr(loader.batch_sampler.sampler, "set_epoch"):',
                "    loader.batch_sampler.sampler.set_epoch(epoch)  # anew",
            ],
            id="the batch sampler that the loader made",
        ),
        pytest.param(
            BEHIND,
            ['setter = getattr(loader.sampler, "set_epoch", None)', "if setter is not None:", "    setter(epoch)"],
            [
                'setter = getattr(loader.batch_sampler.sampler, "set_epoch", None)',
                "if setter is not None:",
                "    setter(epoch)",
            ],
            id="getattr",
        ),
        pytest.param(
            BEHIND,
            ["try:", "    loader.sampler.set_epoch(epoch)", "except AttributeError:", "    pass"],
            ["try:", "    loader.batch_sampler.sampler.set_epoch(epoch)", "except AttributeError:", "    pass"],
            id="an error that is caught",
        ),
    ],
)
def test_a_dead_guard_asks_the_sampler_that_shuffles(
    tmp_path: Path, making: str, before: list[str], after: list[str]
) -> None:
    assert mended(tmp_path, turns(making, *before)) == turns(making, *after)
    assert left(tmp_path) == []


OWN_SAMPLER = (
    "class GroupedSampler:\n    def __init__(self, items):\n        self.items, self.epoch = items, 0\n\n"
    "    def set_epoch(self, epoch):\n        self.epoch = epoch\n\n"
    "    def __iter__(self):\n        generator = torch.Generator().manual_seed(self.epoch)\n"
    "        yield from torch.randperm(len(self.items), generator=generator).tolist()\n\n\n"
)


def test_a_guard_for_another_class_asks_for_both(tmp_path: Path) -> None:
    making = f"{OWN_SAMPLER}loader = DataLoader(data, sampler=GroupedSampler(data))\n"
    call = "    loader.sampler.set_epoch(epoch)"
    before = turns(making, "if isinstance(loader.sampler, DistributedSampler):", call)
    after = turns(making, "if isinstance(loader.sampler, (DistributedSampler, GroupedSampler)):", call)
    assert mended(tmp_path, before) == after
    assert left(tmp_path) == []


def test_a_guard_for_another_class_asks_for_the_method_where_the_class_has_no_name(tmp_path: Path) -> None:
    sampling = f"import torch\n\n\n{OWN_SAMPLER}def make(data):\n    return GroupedSampler(data)\n"
    making = "from sampling import make\n\nloader = DataLoader(data, sampler=make(data))\n"
    call = "    loader.sampler.set_epoch(epoch)"
    before = turns(making, "if isinstance(loader.sampler, DistributedSampler):", call)
    after = turns(making, 'if hasattr(loader.sampler, "set_epoch"):', call)
    assert mended(tmp_path, before, sampling=sampling) == after
    assert left(tmp_path) == []


@pytest.mark.parametrize(
    ("making", "before", "after"),
    [
        (PLAIN, ["loader.set_epoch(epoch)"], ["loader.sampler.set_epoch(epoch)"]),
        (PLAIN, ["loader.batch_sampler.set_epoch(epoch)"], ["loader.sampler.set_epoch(epoch)"]),
        (BEHIND, ["loader.sampler.set_epoch(epoch)"], ["loader.batch_sampler.sampler.set_epoch(epoch)"]),
        (BEHIND, ["loader.set_epoch(epoch)"], ["loader.batch_sampler.sampler.set_epoch(epoch)"]),
        (BEHIND, ["loader.batch_sampler.set_epoch(epoch)"], ["loader.batch_sampler.sampler.set_epoch(epoch)"]),
    ],
)
def test_a_call_on_the_wrong_object_is_made_on_the_sampler(
    tmp_path: Path, making: str, before: list[str], after: list[str]
) -> None:
    assert mended(tmp_path, turns(making, *before)) == turns(making, *after)
    assert left(tmp_path) == []


CHOSEN = (
    "sampler = DistributedSampler(data) if args.distributed else None\nloader = DataLoader(data, sampler=sampler)\n"
)


def test_a_call_under_the_condition_of_the_sampler_needs_no_other(tmp_path: Path) -> None:
    before = turns(CHOSEN, "if args.distributed:", "    loader.set_epoch(epoch)")
    after = turns(CHOSEN, "if args.distributed:", "    loader.sampler.set_epoch(epoch)")
    assert mended(tmp_path, before) == after


def test_a_call_without_the_condition_of_the_sampler_is_given_it(tmp_path: Path) -> None:
    after = turns(CHOSEN, "if args.distributed:", "    loader.sampler.set_epoch(epoch)  # anew")
    assert mended(tmp_path, turns(CHOSEN, "loader.set_epoch(epoch)  # anew")) == after


def test_a_call_asks_what_the_sampler_is_where_its_condition_is_out_of_sight(tmp_path: Path) -> None:
    library = (
        "from torch.utils.data import DataLoader, DistributedSampler\n\n\ndef make(data):\n"
        "    sampler = DistributedSampler(data) if len(data) > 3 else None\n"
        "    return DataLoader(data, sampler=sampler)\n"
    )
    making = "from library import make\n\nloader = make(data)\n"
    before = turns(making, "loader.set_epoch(epoch)")
    guard = "if isinstance(loader.sampler, DistributedSampler):"
    after = turns(making, guard, "    loader.sampler.set_epoch(epoch)")
    assert mended(tmp_path, before, library=library) == after


def test_nothing_is_asked_that_may_not_be_there(tmp_path: Path) -> None:
    making = (
        "class Limited:\n    def __init__(self, inner):\n        self.inner = inner\n\n"
        "    def __iter__(self):\n        yield from self.inner\n\n\n"
        "loader = DataLoader(data, batch_sampler=Limited(BatchSampler(DistributedSampler(data), 4, True)))\n"
    )
    body = turns(making, "if isinstance(loader.sampler, DistributedSampler):", "    loader.sampler.set_epoch(epoch)")
    assert mended(tmp_path, body) == body
    assert [message for message in left(tmp_path) if message.endswith("ask the sampler that shuffles")] != []
