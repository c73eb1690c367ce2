"""LEP304: `itertools.cycle` over a loader gives its place to a generator that sets the epoch of each pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from .scripts import left, mended

MAIN = """\
def main(steps):
    loader = DataLoader(data, sampler=DistributedSampler(data))
    batches = {call}(loader)
    for step in range(steps):
        train(next(batches))
"""
RUN = "\n\nif __name__ == '__main__':\n    main(12)\n"


def check_mend(folder: Path, before: str, after: str) -> None:
    """The mended script must be this, and nothing be left to say of it."""
    assert mended(folder, before) == after
    assert left(folder) == []


def test_the_import_goes_over_to_what_the_generator_counts_with(tmp_path: Path) -> None:
    generator = (
        "def cycle_epochs(loader):\n    for epoch in count():\n        loader.sampler.set_epoch(epoch)\n"
        "        yield from loader\n\n\n"
    )
    before = "from itertools import chain, cycle\n\n\n# the job\n" + MAIN.format(call="cycle") + RUN
    after = (
        "from itertools import chain, count\n\n\n" + generator + "# the job\n" + MAIN.format(call="cycle_epochs") + RUN
    )
    check_mend(tmp_path, before, after)


def test_a_module_s_name_counts(tmp_path: Path) -> None:
    generator = (
        "def cycle_epochs(loader):\n    for epoch in itertools.count():\n        loader.sampler.set_epoch(epoch)\n"
        "        yield from loader\n\n\n"
    )
    before = "import itertools\n\n\n" + MAIN.format(call="itertools.cycle") + RUN
    check_mend(tmp_path, before, "import itertools\n\n\n" + generator + MAIN.format(call="cycle_epochs") + RUN)


def test_an_import_that_is_used_elsewhere_stays(tmp_path: Path) -> None:
    generator = (
        "def cycle_epochs(loader):\n    epoch = 0\n    while True:\n        loader.sampler.set_epoch(epoch)\n"
        "        epoch += 1\n        yield from loader\n\n\n"
    )
    head = "from itertools import cycle\n\ncolours = cycle('rgb')\n\n\n"
    before = head + MAIN.format(call="cycle") + RUN
    check_mend(tmp_path, before, head + generator + MAIN.format(call="cycle_epochs") + RUN)


def test_a_generator_has_a_docstring_where_functions_do_and_asks_where_the_sampler_may_be_another(
    tmp_path: Path,
) -> None:
    main = MAIN.replace("main(steps):\n", 'main(steps):\n    """Train."""\n')
    main = main.replace("sampler=DistributedSampler(data)", "sampler=DistributedSampler(data) if args.many else None")
    generator = (
        'def cycle_epochs(loader):\n    """Give batches for ever, each pass in the order of its own epoch."""\n'
        '    for epoch in count():\n        if hasattr(loader.sampler, "set_epoch"):\n'
        "            loader.sampler.set_epoch(epoch)\n        yield from loader\n\n\n"
    )
    before = "from itertools import cycle\n\n\n" + main.format(call="cycle") + RUN.replace("'", '"')
    after = "from itertools import count\n\n\n" + generator + main.format(call="cycle_epochs") + RUN.replace("'", '"')
    check_mend(tmp_path, before, after)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            "from itertools import cycle\n\n\n"
            + MAIN.format(call="cycle").replace("main(steps)", "main(steps: int)")
            + RUN,
            id="functions have annotations",
        ),
        pytest.param(
            "from itertools import cycle\n\nloader = DataLoader(data, sampler=DistributedSampler(data))\n"
            "batches = cycle(loader)\nfor step in range(9):\n    train(next(batches))\n",
            id="no function to stand in front of",
        ),
        pytest.param(
            "from itertools import cycle\n\n\ndef main(steps):\n    sampler = DistributedSampler(data)\n"
            "    sampler.set_epoch(args.start)\n    batches = cycle(DataLoader(data, sampler=sampler))\n"
            "    for step in range(steps):\n        train(next(batches))\n" + RUN,
            id="the job goes on from an epoch",
        ),
        pytest.param(
            "from itertools import cycle\n\n\ndef main(steps):\n"
            "    loader = DataLoader(data, sampler=DistributedSampler(data))\n    other = DataLoader(data)\n"
            "    for pair in zip(range(steps), cycle(zip(loader, other))):\n        train(pair)\n" + RUN,
            id="more than a loader goes round",
        ),
    ],
)
def test_cycle_stays_where_a_generator_would_not_fit(tmp_path: Path, body: str) -> None:
    assert mended(tmp_path, body) == body
    assert [one for one in left(tmp_path) if one.endswith("with set_epoch in front of each pass")]
