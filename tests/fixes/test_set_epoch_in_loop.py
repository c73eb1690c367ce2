"""LEP301 and LEP304: the call at the top of the loop, in the form that the loader needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from .scripts import SAMPLER, left, mended


def in_loop(making: str, *calls: str, loop: str = "for epoch in range(args.epochs):", step: str = "step(batch)") -> str:
    """Return a script's body: what makes the loader, and a loop with some lines at its top."""
    lines = [*calls, "for batch in loader:", f"    {step}"]
    return making + loop + "\n" + "".join(f"    {line}\n" for line in lines)


@pytest.mark.parametrize(
    ("making", "calls"),
    [
        pytest.param(SAMPLER, ["sampler.set_epoch(epoch)"], id="the sampler is at hand"),
        pytest.param(
            "loader = DataLoader(data, sampler=DistributedSampler(data))\n",
            ["loader.sampler.set_epoch(epoch)"],
            id="only the loader is at hand",
        ),
        pytest.param(
            "loader = DataLoader(data, batch_sampler=BatchSampler(DistributedSampler(data), 4, True))\n",
            ["loader.batch_sampler.sampler.set_epoch(epoch)"],
            id="the sampler is behind a batch sampler",
        ),
        pytest.param(
            "from torchdata.stateful_dataloader import StatefulDataLoader\n\n"
            "loader = StatefulDataLoader(data, sampler=DistributedSampler(data))\n",
            ["loader.sampler.set_epoch(epoch)"],
            id="a loader that has its parts from torch's",
        ),
        pytest.param(
            "batches = BatchSampler(DistributedSampler(data), 4, True)\n"
            "loader = DataLoader(data, batch_sampler=batches)\n",
            ["batches.sampler.set_epoch(epoch)"],
            id="the batch sampler is at hand",
        ),
        pytest.param(
            "sampler = DistributedSampler(data) if args.world > 1 else None\n"
            "loader = DataLoader(data, sampler=sampler)\n",
            ["if args.world > 1:", "    sampler.set_epoch(epoch)"],
            id="made under a condition in an expression",
        ),
        pytest.param(
            "sampler = None\nif args.distributed:\n    sampler = DistributedSampler(data)\n"
            "loader = DataLoader(data, sampler=sampler)\n",
            ["if args.distributed:", "    sampler.set_epoch(epoch)"],
            id="made under a condition",
        ),
        pytest.param(
            "if not args.distributed:\n    sampler = RandomSampler(data)\nelse:\n"
            "    sampler = DistributedSampler(data)\n"
            "loader = DataLoader(data, sampler=sampler)\n",
            ["if args.distributed:", "    sampler.set_epoch(epoch)"],
            id="made in the other branch",
        ),
        pytest.param(
            "sampler = None\nif args.a and args.b:\n    if args.c:\n        sampler = DistributedSampler(data)\n"
            "loader = DataLoader(data, sampler=sampler)\n",
            ["if sampler is not None:", "    sampler.set_epoch(epoch)"],
            id="made under several conditions, else None",
        ),
        pytest.param(
            "sampler = RandomSampler(data)\nif args.a:\n    if args.c:\n        sampler = DistributedSampler(data)\n"
            "loader = DataLoader(data, sampler=sampler)\n",
            ["if isinstance(sampler, DistributedSampler):", "    sampler.set_epoch(epoch)"],
            id="made under several conditions, else another sampler",
        ),
        pytest.param(
            "if args.distributed:\n    sampler = DistributedSampler(data)\n"
            "    loader = DataLoader(data, sampler=sampler)\n"
            "else:\n    loader = DataLoader(data, shuffle=True)\nargs.distributed = False\n",
            ["if isinstance(loader.sampler, DistributedSampler):", "    loader.sampler.set_epoch(epoch)"],
            id="the condition has changed, and the sampler may not be bound",
        ),
        pytest.param(
            "try:\n    sampler = DistributedSampler(data)\n    loader = DataLoader(data, sampler=sampler)\n"
            "except RuntimeError:\n    loader = DataLoader(data)\n",
            ["if isinstance(loader.sampler, DistributedSampler):", "    loader.sampler.set_epoch(epoch)"],
            id="made where an error may come in between",
        ),
        pytest.param(
            "distributed = True\n\n\ndef make():\n    if not distributed:\n        return DataLoader(data)\n"
            "    return DataLoader(data, sampler=DistributedSampler(data))\n\n\nloader = make()\n",
            ["if isinstance(loader.sampler, DistributedSampler):", "    loader.sampler.set_epoch(epoch)"],
            id="made behind an early return, by a setting that may change",
        ),
        pytest.param(
            "split = True\n\n\ndef make():\n    found = DataLoader(data)\n    if split:\n"
            "        found = DataLoader(data, sampler=DistributedSampler(data))\n"
            "    return found\n\n\nloader = make()\n",
            ["if isinstance(loader.sampler, DistributedSampler):", "    loader.sampler.set_epoch(epoch)"],
            id="another loader in its place, by a setting that may change",
        ),
        pytest.param(
            "if args.train:\n    loader = DataLoader(data, sampler=DistributedSampler(data))\n"
            "else:\n    args.epochs = 0\n",
            ["loader.sampler.set_epoch(epoch)"],
            id="the loader is there under the same condition",
        ),
        pytest.param(
            "settings = {'distributed': True}\nsampler = None\nif settings['distributed']:\n"
            "    sampler = DistributedSampler(data)\nloader = DataLoader(data, sampler=sampler)\n",
            ["if settings['distributed']:", "    sampler.set_epoch(epoch)"],
            id="made by a setting whose value is known",
        ),
    ],
)
def test_the_call_has_the_form_that_the_loader_needs(tmp_path: Path, making: str, calls: list[str]) -> None:
    assert mended(tmp_path, in_loop(making)) == in_loop(making, *calls)
    assert left(tmp_path) == []


@pytest.mark.parametrize(
    ("loop", "new", "counted"),
    [
        ("for i in range(3):", "for i in range(3):", "i"),
        ("for _ in range(args.epochs):", "for epoch in range(args.epochs):", "epoch"),
        ("for ep, lr in enumerate(rates):", "for ep, lr in enumerate(rates):", "ep"),
        ("for args.epoch in range(3):", "for args.epoch in range(3):", "args.epoch"),
        ('for state["epoch"] in range(3):', 'for state["epoch"] in range(3):', 'state["epoch"]'),
    ],
)
def test_the_loop_s_own_count_is_used(tmp_path: Path, loop: str, new: str, counted: str) -> None:
    after = mended(tmp_path, in_loop(SAMPLER, loop=loop))
    assert after == in_loop(SAMPLER, f"sampler.set_epoch({counted})", loop=new)


def test_a_variable_that_inner_loops_bind_again_is_still_unused(tmp_path: Path) -> None:
    step = "for _, x in enumerate(batch): step(x)"
    after = mended(tmp_path, in_loop(SAMPLER, loop="for _ in range(3):", step=step))
    assert after == in_loop(SAMPLER, "sampler.set_epoch(epoch)", step=step, loop="for epoch in range(3):")


def test_a_variable_that_is_read_keeps_its_name(tmp_path: Path) -> None:
    body = in_loop(SAMPLER, loop="for _ in range(3):", step="print(_)")
    assert mended(tmp_path, body) == body


def test_another_name_is_taken_where_epoch_has_a_meaning(tmp_path: Path) -> None:
    making = f"epoch = 'spring'\n{SAMPLER}"
    after = mended(tmp_path, in_loop(making, loop="for _ in range(3):", step="step(batch, epoch)"))
    calls = ["sampler.set_epoch(data_epoch)"]
    assert after == in_loop(making, *calls, loop="for data_epoch in range(3):", step="step(batch, epoch)")


def test_a_while_loop_that_counts_is_given_no_second_count(tmp_path: Path) -> None:
    making, loop = f"{SAMPLER}epoch = 0\n", "while epoch < args.epochs:"
    step = "step(batch)\n    epoch += 1"
    after = mended(tmp_path, in_loop(making, loop=loop, step=step))
    assert after == in_loop(making, "sampler.set_epoch(epoch)", loop=loop, step=step)


def test_a_while_loop_without_a_count_gets_one(tmp_path: Path) -> None:
    after = mended(tmp_path, in_loop(SAMPLER, loop="while args.go_on:"))
    calls = ["sampler.set_epoch(epoch)", "epoch += 1"]
    assert after == in_loop(f"{SAMPLER}epoch = 0\n", *calls, loop="while args.go_on:")


def test_a_new_count_goes_on_from_the_epoch_last_set(tmp_path: Path) -> None:
    making = f"{SAMPLER}sampler.set_epoch(args.start)\n"
    after = mended(tmp_path, in_loop(making, loop="while args.go_on:"))
    calls = ["sampler.set_epoch(epoch)", "epoch += 1"]
    assert after == in_loop(f"{making}epoch = sampler.epoch\n", *calls, loop="while args.go_on:")


def test_an_inner_loop_is_mended_before_the_one_round_it(tmp_path: Path) -> None:
    body = (
        f"{SAMPLER}for fold in range(5):\n    for epoch in range(3):\n{{call}}"
        "        for batch in loader:\n            step(batch)\n"
    )
    assert mended(tmp_path, body.format(call="")) == body.format(call="        sampler.set_epoch(epoch)\n")


def test_both_samplers_of_a_zip_are_told(tmp_path: Path) -> None:
    making = (
        "ours = DataLoader(data, sampler=DistributedSampler(data))\n"
        "theirs = DataLoader(data, sampler=DistributedSampler(data))\n"
    )
    loop = "for epoch in range(3):\n{call}    for one, other in zip(ours, theirs):\n        step(one, other)\n"
    calls = "    ours.sampler.set_epoch(epoch)\n    theirs.sampler.set_epoch(epoch)\n"
    assert mended(tmp_path, making + loop.format(call="")) == making + loop.format(call=calls)


def test_a_wrapper_is_told_once_it_can_be(tmp_path: Path) -> None:
    wrapper = (
        "class Batches:\n    def __init__(self, loader):\n        self._loader = loader\n\n"
        "    def __iter__(self):\n        yield from self._loader\n"
    )
    making = "from batches import Batches\n\nloader = Batches(DataLoader(data, sampler=DistributedSampler(data)))\n"
    after = mended(tmp_path, in_loop(making), batches=wrapper)
    assert after == in_loop(making, "loader.set_epoch(epoch)")
    assert "def set_epoch(self, epoch):" in (tmp_path / "batches.py").read_text()


def test_a_setting_of_the_class_is_asked_as_the_constructor_did(tmp_path: Path) -> None:
    trainer = """\
class Trainer:
    def __init__(self, distributed):
        self.distributed = distributed
        self.sampler = DistributedSampler(data) if self.distributed else None
        self.loader = DataLoader(data, sampler=self.sampler)

    def fit(self):
        for epoch in range(3):
{call}            for batch in self.loader:
                step(batch)


Trainer(args.distributed).fit()
"""
    call = "            if self.distributed:\n                self.sampler.set_epoch(epoch)\n"
    assert mended(tmp_path, trainer.format(call="")) == trainer.format(call=call)


@pytest.mark.parametrize(
    ("parameter", "given", "test"),
    [
        ("split", "args.distributed", "args.distributed"),
        ("split", "split=args.world > 1", "args.world > 1"),
        ("alone=False, split=False", "split=args.distributed", "args.distributed"),
        ("split", "True", "isinstance(loader.sampler, DistributedSampler)"),
    ],
)
def test_the_caller_of_a_factory_asks_what_it_told_the_factory(
    tmp_path: Path, parameter: str, given: str, test: str
) -> None:
    making = (
        f"def make(data, {parameter}):\n    sampler = DistributedSampler(data) if split else None\n"
        f"    return DataLoader(data, sampler=sampler)\n\n\nloader = make(data, {given})\n"
    )
    calls = [f"if {test}:", "    loader.sampler.set_epoch(epoch)"]
    assert mended(tmp_path, in_loop(making)) == in_loop(making, *calls)


def test_a_helper_that_anybody_may_call_takes_loaders_of_any_kind(tmp_path: Path) -> None:
    library = (
        "def train(loader, epochs):\n    for epoch in range(epochs):\n{call}        for b in loader:\n"
        "            step(b)\n"
    )
    body = (
        "from library import train\n\n\ndef main():\n"
        "    train(DataLoader(data, sampler=DistributedSampler(data)), 3)\n\n\n"
        "if __name__ == '__main__':\n    main()\n"
    )
    assert mended(tmp_path, body, library=library.format(call="")) == body
    call = (
        '        if hasattr(getattr(loader, "sampler", None), "set_epoch"):\n'
        "            loader.sampler.set_epoch(epoch)\n"
    )
    assert (tmp_path / "library.py").read_text() == library.format(call=call)


def test_single_quotes_are_kept_where_the_file_has_them(tmp_path: Path) -> None:
    library = (
        "def train(loader, name='a'):\n    for epoch in range(3):\n{call}        for b in loader:\n"
        "            step(b)\n"
    )
    body = "from library import train\n\ntrain(DataLoader(data, sampler=DistributedSampler(data)), 'b')\n"
    mended(tmp_path, body, library=library.format(call=""))
    call = (
        "        if hasattr(getattr(loader, 'sampler', None), 'set_epoch'):\n"
        "            loader.sampler.set_epoch(epoch)\n"
    )
    assert (tmp_path / "library.py").read_text() == library.format(call=call)


@pytest.mark.parametrize(
    ("making", "loop", "mended_loop", "calls"),
    [
        pytest.param(
            "return DataLoader(data, sampler=DistributedSampler(data))",
            "for epoch in range(3):",
            "for epoch in range(3):",
            ["loader.sampler.set_epoch(epoch)"],
            id="always of one kind",
        ),
        pytest.param(
            "return DataLoader(data, sampler=DistributedSampler(data) if distributed else None)",
            "for _ in range(3):",
            "for epoch in range(3):",
            ["if args.world > 1:", "    loader.sampler.set_epoch(epoch)"],
            id="under a condition, in a loop without a variable",
        ),
    ],
)
def test_a_loader_that_comes_in_the_course_of_a_turn_is_told_in_front_of_its_pass(
    tmp_path: Path, making: str, loop: str, mended_loop: str, calls: list[str]
) -> None:
    body = (
        f"def make(distributed):\n    {making}\n\n\n"
        "{loop}\n    loader = make(args.world > 1)\n    print(len(loader))\n"
        "{calls}    for batch in loader:  # one pass\n        train(batch).backward()\n"
    )
    inserted = "".join(f"    {call}\n" for call in calls)
    assert mended(tmp_path, body.format(loop=loop, calls="")) == body.format(loop=mended_loop, calls=inserted)
    assert left(tmp_path) == []


def test_a_loader_that_a_turn_asks_for_is_told_in_front_of_its_pass(tmp_path: Path) -> None:
    body = """\
class Data:
    def __init__(self):
        self._loader = DataLoader(data, sampler=DistributedSampler(data))

    def loader(self):
        return self._loader


def fit(source):
    for epoch in range(3):
        loader = source.loader()
{call}        for batch in loader:
            step(batch)


fit(Data())
"""
    call = "        loader.sampler.set_epoch(epoch)\n"
    assert mended(tmp_path, body.format(call="")) == body.format(call=call)
    assert left(tmp_path) == []


@pytest.mark.parametrize(
    ("body", "advice"),
    [
        pytest.param(
            "def make():\n    return DataLoader(data, sampler=DistributedSampler(data))\n\n\n"
            "for epoch in range(3):\n    for batch in make():\n        step(batch)\n",
            "hand this code the sampler",
            id="the loader has no name",
        ),
        pytest.param(
            f"{SAMPLER}for path in args.paths:\n    for batch in loader:\n        step(batch, path)\n",
            "count the passes, and give sampler.set_epoch the count",
            id="nothing counts the turns",
        ),
        pytest.param(
            f"{SAMPLER}for run in range(3):\n    go_on = True\n    while go_on:\n"
            "        for batch in loader:\n            go_on = step(batch)\n",
            "count the passes",
            id="a new count would start again",
        ),
    ],
)
def test_where_no_mend_is_certain_the_message_says_what_to_do(tmp_path: Path, body: str, advice: str) -> None:
    assert mended(tmp_path, body) == body
    assert any(advice in message for message in left(tmp_path))


# --- generators, and iterators that are made anew when they are used up ----------------------------------------------


def test_a_new_iterator_is_made_after_the_next_epoch_is_set(tmp_path: Path) -> None:
    body = (
        "{making}batches = iter(loader)\n{first}for step in range(args.steps):\n    try:\n"
        "        batch = next(batches)\n"
        "    except StopIteration:\n{call}        batches = iter(loader)  # again\n        batch = next(batches)\n"
    )
    after = mended(tmp_path, body.format(making=SAMPLER, first="", call=""))
    call = "        epoch += 1\n        sampler.set_epoch(epoch)\n"
    assert after == body.format(making=SAMPLER, first="epoch = 0\n", call=call)


def test_a_count_of_the_used_up_iterators_is_used(tmp_path: Path) -> None:
    body = (
        f"{SAMPLER}batches = iter(loader)\nepoch = 0\nfor step in range(args.steps):\n    try:\n"
        "        batch = next(batches)\n    except StopIteration:\n        epoch += 1\n{call}"
        "        batches = iter(loader)\n        batch = next(batches)\n"
    )
    assert mended(tmp_path, body.format(call="")) == body.format(call="        sampler.set_epoch(epoch)\n")


def test_an_endless_generator_counts_its_passes(tmp_path: Path) -> None:
    body = (
        "def forever(loader):\n{first}    while True:\n{call}        for batch in loader:\n"
        "            yield batch\n\n\n"
        "batches = forever(DataLoader(data, sampler=DistributedSampler(data)))\n"
        "for step in range(args.steps):\n    train(next(batches))\n"
    )
    call = "        loader.sampler.set_epoch(epoch)\n        epoch += 1\n"
    # A file that runs by itself is a script: nobody imports its functions.
    assert mended(tmp_path, body.format(first="", call="")) == body.format(first="    epoch = 0\n", call=call)


def test_a_generator_that_is_made_in_each_epoch_is_no_place_for_a_count(tmp_path: Path) -> None:
    body = (
        "def forever(loader):\n    while True:\n        yield from loader\n\n\n"
        "loader = DataLoader(data, sampler=DistributedSampler(data))\nfor epoch in range(3):\n"
        "    batches = forever(loader)\n    for step in range(10):\n        train(next(batches))\n"
    )
    assert mended(tmp_path, body) == body
    assert any(message.startswith("LEP304") and "count the passes" in message for message in left(tmp_path))
