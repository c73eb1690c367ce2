"""Wrappers that go over their loader for ever: what is inserted, and what the mended class then does."""

from __future__ import annotations

import itertools

import pytest

from lint_epoch.repairs import AdvanceEpoch, ForwardInside, ForwardMethod, Target

HELD = Target("_loader")
ENDLESS = """\
class Wrapper:
    def __init__(self, loader):
        self._loader = loader

    def __iter__(self):
        while True:
            # one pass
            yield from self._loader
"""
MENDED = """\
class Wrapper:
    def __init__(self, loader):
        self._loader = loader
        self._epoch = 0

    def __iter__(self):
        while True:
            self.set_epoch(self._epoch)
            self._epoch += 1
            # one pass
            yield from self._loader

    def set_epoch(self, epoch):
        self._epoch = epoch
        self._loader.set_epoch(epoch)
"""


class Loader:
    """A loader whose only sample is the epoch, as a sampler would use it."""

    def __init__(self) -> None:
        self.epoch = 0

    def set_epoch(self, epoch: int) -> None:
        self.epoch = epoch

    def __iter__(self):
        yield self.epoch


def advance(opened, content, *more, before="yield from", owner="Wrapper", targets=(HELD,)):
    file = opened(content)
    repair = AdvanceEpoch(file.path, file.class_at(owner), file.statement_at(before), targets)
    return file.mend(repair, *(other(file) for other in more))


def forward_set_epoch(file, **options):
    return ForwardMethod(file.path, file.class_at("Wrapper"), "set_epoch", (HELD,), **options)


def forward_inside(file):
    return ForwardInside(file.path, file.method_at("set_epoch"), (HELD,))


def epochs_drawn(source: str, *, set_to: int | None = None, passes: int = 3, name: str = "Wrapper") -> list[int]:
    """Run the mended class over a real loader and return the epoch of each pass."""
    scope: dict[str, object] = {}
    exec(compile(source, "<mended>", "exec", dont_inherit=True), scope)
    wrapper = scope[name](Loader())
    if set_to is not None:
        wrapper.set_epoch(set_to)
    return list(itertools.islice(wrapper, passes))


def test_set_epoch_the_attribute_and_the_advance_come_together(opened):
    assert advance(opened, ENDLESS, forward_set_epoch) == MENDED


def test_set_epoch_comes_with_the_advance_if_nobody_else_brings_it(opened):
    assert advance(opened, ENDLESS) == MENDED


def test_the_passes_draw_consecutive_epochs_from_the_one_set(opened):
    assert epochs_drawn(ENDLESS.replace("Wrapper", "Old"), name="Old") == [0, 0, 0]
    assert epochs_drawn(MENDED) == [0, 1, 2]
    assert epochs_drawn(MENDED, set_to=7) == [7, 8, 9]


def test_a_set_epoch_between_passes_is_obeyed(opened):
    scope: dict[str, object] = {}
    exec(MENDED, scope)
    wrapper = scope["Wrapper"](Loader())
    samples = iter(wrapper)
    assert [next(samples), next(samples)] == [0, 1]
    wrapper.set_epoch(5)
    assert [next(samples), next(samples)] == [5, 6]


def test_a_loop_on_one_line_is_opened(opened):
    mended = advance(opened, ENDLESS.replace("while True:\n            # one pass\n            y", "while True: y"))
    assert mended == MENDED.replace("            # one pass\n", "")


def test_a_statement_behind_another_one_gets_its_line(opened):
    content = ENDLESS.replace("            yield", "            x = 1; yield")
    assert advance(opened, content) == MENDED.replace(
        "            self.set_epoch(self._epoch)\n            self._epoch += 1\n"
        "            # one pass\n            yield",
        "            # one pass\n            x = 1\n            self.set_epoch(self._epoch)\n"
        "            self._epoch += 1\n            yield",
    )


def test_a_loop_on_one_line_with_two_statements(opened):
    content = ENDLESS.replace("while True:\n            # one pass\n            y", "while True: x = 1; y")
    mended = advance(opened, content)
    assert "        while True:\n            x = 1\n            self.set_epoch(self._epoch)\n" in mended
    assert epochs_drawn(mended) == [0, 1, 2]


def test_a_restart_in_an_exception_handler(opened):
    content = """\
class Wrapper:
    def __init__(self, loader):
        self._loader = loader
        self._batches = None

    def __next__(this):
        try:
            return next(this._batches)
        except (StopIteration, TypeError):
            this._batches = iter(this._loader)
            return next(this._batches)

    def __iter__(self):
        return self
"""
    mended = advance(opened, content, before="this._batches = iter")
    assert (
        "            this.set_epoch(this._epoch)\n            this._epoch += 1\n            this._batches = iter"
        in mended
    )
    assert epochs_drawn(mended, set_to=3) == [3, 4, 5]


def test_two_restarts_share_one_attribute(opened):
    content = (
        ENDLESS + "\n    def again(self):\n        while True:\n            for batch in self._loader: yield batch\n"
    )
    file = opened(content)
    repairs = [
        AdvanceEpoch(file.path, file.class_at("Wrapper"), file.statement_at(before), (HELD,))
        for before in ("yield from", "for batch")
    ]
    mended = file.mend(*repairs)
    assert mended.count("self._epoch = 0\n") == mended.count("def set_epoch") == 1
    assert mended.count("self._epoch += 1\n") == 2


def test_a_nested_function_uses_the_method_s_receiver(opened):
    content = ENDLESS.replace(
        "        while True:\n            # one pass\n            yield from self._loader\n",
        "        def passes(number):\n            while True:\n                yield from self._loader\n"
        "        return passes(1)\n",
    )
    assert epochs_drawn(advance(opened, content)) == [0, 1, 2]


def test_an_async_wrapper(opened):
    content = (
        "class Wrapper:\n  async def __aiter__(self):\n    while True:\n      async for x in self._loader: yield x\n"
    )
    assert advance(opened, content, before="async for") == (
        "class Wrapper:\n  _epoch = 0\n\n  async def __aiter__(self):\n    while True:\n"
        "      self.set_epoch(self._epoch)\n      self._epoch += 1\n      async for x in self._loader: yield x\n\n"
        "  def set_epoch(self, epoch):\n    self._epoch = epoch\n    self._loader.set_epoch(epoch)\n"
    )


def test_what_advances_already_is_left_alone(opened):
    assert advance(opened, MENDED) == MENDED


def test_a_pass_outside_the_class_is_left_alone(opened):
    content = ENDLESS + "\n\ndef cycle(loader):\n    while True:\n        for batch in loader: yield batch\n"
    assert advance(opened, content, before="for batch") == content


def test_nothing_can_stand_in_front_of_an_elif(opened):
    content = ENDLESS.replace(
        "            yield from self._loader\n",
        "            if a:\n                pass\n            elif b: yield 1\n",
    )
    assert advance(opened, content, before="elif b") == content


# --- a class that has set_epoch --------------------------------------------------------------------------------------

WITH_SETTER = (
    ENDLESS
    + """\

    def set_epoch(self, epoch):
        self.number = epoch
        self._loader.set_epoch(epoch)
"""
)


def test_the_class_s_own_attribute_is_used(opened):
    content = WITH_SETTER.replace("self._loader = loader\n", "self._loader = loader\n        self.number = 0\n")
    mended = advance(opened, content)
    assert mended == content.replace(
        "            # one pass\n",
        "            self.set_epoch(self.number)\n            self.number += 1\n            # one pass\n",
    )
    assert epochs_drawn(mended, set_to=4) == [4, 5, 6]


def test_the_class_s_own_attribute_gets_the_first_value_it_lacks(opened):
    mended = advance(opened, WITH_SETTER)
    assert "        self._loader = loader\n        self.number = 0\n" in mended
    assert epochs_drawn(mended) == [0, 1, 2]


@pytest.mark.parametrize(
    "line", ["self.number: int = epoch", "self.number = int(epoch)", "self.number = self.n = epoch"]
)
def test_the_class_s_own_attribute_is_seen_however_it_is_set(opened, line):
    mended = advance(opened, WITH_SETTER.replace("self.number = epoch", line))
    assert "self.set_epoch(self.number)" in mended


def test_a_class_attribute_is_a_first_value(opened):
    content = WITH_SETTER.replace("class Wrapper:\n", "class Wrapper:\n    number = 0\n\n")
    mended = advance(opened, content)
    assert mended.count("number = 0") == 1
    assert epochs_drawn(mended) == [0, 1, 2]


def test_a_first_value_given_under_a_condition_is_one(opened):
    content = WITH_SETTER.replace("= loader\n", "= loader\n        if loader:\n            self.number = 3\n")
    assert advance(opened, content).count("self.number = ") == 2


def test_a_set_epoch_that_forwards_alone_also_keeps_the_epoch(opened):
    mended = advance(opened, WITH_SETTER.replace("        self.number = epoch\n", '        """Set it."""\n'))
    assert (
        '    def set_epoch(self, epoch):\n        """Set it."""\n        self._epoch = epoch\n'
        "        self._loader.set_epoch(epoch)\n"
    ) in mended
    assert epochs_drawn(mended, set_to=2) == [2, 3, 4]


def test_a_set_epoch_that_keeps_the_epoch_alone_also_forwards(opened):
    content = WITH_SETTER.replace("        self._loader.set_epoch(epoch)\n", "")
    mended = advance(opened, content, forward_inside)
    assert mended.endswith("        self.number = epoch\n        self._loader.set_epoch(epoch)\n")
    assert epochs_drawn(mended, set_to=2) == [2, 3, 4]


def test_an_empty_set_epoch_first_keeps_and_then_forwards(opened):
    content = ENDLESS + '\n    def set_epoch(self, epoch):\n        """Set it."""\n'
    assert advance(opened, content, forward_inside).endswith(
        '        """Set it."""\n        self._epoch = epoch\n        self._loader.set_epoch(epoch)\n'
    )


def test_an_attribute_that_is_read_during_a_pass_stays_the_epoch_of_that_pass(opened):
    content = WITH_SETTER.replace("yield from self._loader", "yield from ((self.number, x) for x in self._loader)")
    mended = advance(opened, content)
    assert "        self._epoch = epoch\n        self.number = epoch\n" in mended
    assert epochs_drawn(mended, set_to=5) == [(5, 5), (6, 6), (7, 7)]


def test_an_attribute_that_a_restored_state_sets_is_the_one_to_go_on_from(opened):
    content = WITH_SETTER + (
        '\n    def state_dict(self):\n        return {"epoch": self.number}\n'
        '\n    def load_state_dict(self, state):\n        self.number = state["epoch"]\n'
    )
    mended = advance(opened, content)
    assert "self.set_epoch(self.number)" in mended
    scope: dict[str, object] = {}
    exec(mended, scope)
    wrapper = scope["Wrapper"](Loader())
    wrapper.load_state_dict({"epoch": 6})
    assert list(itertools.islice(wrapper, 2)) == [6, 7]


@pytest.mark.parametrize(
    "setter",
    [
        "def set_epoch(self, *numbers): ...",
        "async def set_epoch(self, epoch): ...",
        "set_epoch = other",
    ],
)
def test_a_set_epoch_that_cannot_be_called_with_an_epoch_is_left_alone(opened, setter):
    content = f"{ENDLESS}\n    {setter}\n"
    assert advance(opened, content) == content
    assert advance(opened, content, forward_set_epoch) == content


def test_a_constructor_without_a_name_for_the_object_is_left_alone(opened):
    content = ENDLESS.replace("(self, loader):\n        self._loader = loader", "(*args):\n        args[0].set(args)")
    assert advance(opened, content) == content


def test_a_set_epoch_of_a_base_class_is_not_hidden(opened):
    base = "class Root:\n    def set_epoch(self, epoch): ...\n\n\nclass Base(Root): ...\n\n\n"
    content = base + ENDLESS.replace("Wrapper", "Wrapper(Base)")
    assert advance(opened, content) == content


def test_a_set_epoch_of_a_base_class_is_called_where_the_rule_knows_it(opened):
    base = "class Base:\n    def set_epoch(self, epoch):\n        self.heard = epoch\n\n\n"
    mended = advance(
        opened,
        base + ENDLESS.replace("Wrapper", "Wrapper(Base)"),
        lambda file: forward_set_epoch(file, extends_base=True),
    )
    assert mended.endswith(
        "        super().set_epoch(epoch)\n        self._epoch = epoch\n        self._loader.set_epoch(epoch)\n"
    )
    assert epochs_drawn(mended, set_to=1) == [1, 2, 3]


# --- a pass that starts where another one ended ----------------------------------------------------------------------

NEXT = """\
class Wrapper:
    def __init__(self, loader):
        self._loader = loader
        self._batches = iter(loader)

    def __iter__(self):
        return self

    def __next__(self):
        try:
            return next(self._batches)
        except StopIteration:
            # the next pass
            self._batches = iter(self._loader)
            return next(self._batches)
"""


def restart(opened, content):
    file = opened(content)
    place = file.statement_at("self._batches = iter(self._loader)")
    repair = AdvanceEpoch(file.path, file.class_at("Wrapper"), place, (HELD,), restarts=True)
    return file.mend(repair)


@pytest.mark.parametrize(("set_to", "epochs"), [(None, [0, 1, 2]), (5, [5, 6, 7])])
def test_a_new_iterator_gets_the_epoch_after_the_one_that_ended(opened, set_to, epochs):
    mended = restart(opened, NEXT)
    assert "            self.set_epoch(self._epoch + 1)\n            # the next pass\n" in mended
    assert "self._epoch += 1" not in mended
    assert epochs_drawn(mended, set_to=set_to) == epochs


SETTER = """
    def set_epoch(self, epoch):
        self._loader.set_epoch(epoch)
        self._batches = iter(self._loader)
"""


def test_a_setter_that_starts_anew_takes_the_place_of_the_restart(opened):
    mended = restart(opened, NEXT + SETTER)
    assert mended.count("iter(self._loader)") == 1
    assert epochs_drawn(mended) == [0, 1, 2]
    assert epochs_drawn(mended, set_to=3) == [3, 4, 5]


def test_a_restart_that_sets_the_epoch_is_left_alone(opened):
    done = restart(opened, NEXT)
    assert restart(opened, done) == done


def test_passes_of_both_kinds_are_no_case_for_one_count(opened):
    content = NEXT + "\n    def forever(self):\n        while True:\n            yield from self._loader\n"
    file = opened(content)
    owner = file.class_at("Wrapper")
    started = AdvanceEpoch(file.path, owner, file.statement_at("yield from"), (HELD,))
    place = file.statement_at("self._batches = iter(self._loader)")
    assert file.mend(started, AdvanceEpoch(file.path, owner, place, (HELD,), restarts=True)) == content
