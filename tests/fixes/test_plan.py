"""Several repairs of one file in one round."""

from __future__ import annotations

import pytest

from lint_epoch.facts.visitor import nodes_of
from lint_epoch.fixes.plan import edits_for_file, plan_file
from lint_epoch.repairs import (
    AdvanceEpoch,
    ForwardInside,
    ForwardMethod,
    InsertAtTop,
    InsertStatement,
    MoveBefore,
    ReplaceExpression,
    Target,
)
from lint_epoch.source.parsing import parse
from lint_epoch.source.text import source_of_text

HELD = Target("_loader")
TWO = """\
class Inner:
    def __init__(self, loader):
        self._loader = loader

    def __iter__(self):
        while True:
            yield from self._loader


class Outer:
    def __init__(self, loader):
        self._loader = loader

    def __iter__(self):
        for batch in self._loader:
            yield batch

    def __len__(self):
        return 1


def train(loader):
    for epoch in range(3):
        for batch in loader:
            step(batch)
"""


def all_repairs(file):
    """Return repairs of every kind that the two wrappers and the loop need, in no order."""
    inner, outer = file.class_at("Inner"), file.class_at("Outer")
    return [
        InsertAtTop(file.path, file.statement_at("for epoch"), ("loader.set_epoch(epoch)",)),
        ForwardMethod(file.path, inner, "load_state_dict", (HELD,)),
        ForwardMethod(file.path, outer, "set_epoch", (HELD,)),
        AdvanceEpoch(file.path, inner, file.statement_at("yield from"), (HELD,)),
        ForwardMethod(file.path, inner, "state_dict", (HELD,)),
        ForwardMethod(file.path, outer, "__len__", (HELD,)),
        ForwardMethod(file.path, inner, "set_epoch", (HELD,)),
        ForwardMethod(file.path, inner, "__len__", (HELD,)),
    ]


MENDED = """\
class Inner:
    def __init__(self, loader):
        self._loader = loader
        self._epoch = 0

    def __iter__(self):
        while True:
            self.set_epoch(self._epoch)
            self._epoch += 1
            yield from self._loader

    def set_epoch(self, epoch):
        self._epoch = epoch
        self._loader.set_epoch(epoch)

    def __len__(self):
        return len(self._loader)

    def state_dict(self):
        return self._loader.state_dict()

    def load_state_dict(self, state_dict):
        self._loader.load_state_dict(state_dict)


class Outer:
    def __init__(self, loader):
        self._loader = loader

    def __iter__(self):
        for batch in self._loader:
            yield batch

    def __len__(self):
        return 1

    def set_epoch(self, epoch):
        self._loader.set_epoch(epoch)


def train(loader):
    for epoch in range(3):
        loader.set_epoch(epoch)
        for batch in loader:
            step(batch)
"""


def test_repairs_of_all_kinds_are_made_in_one_round(opened):
    file = opened(TWO)
    assert file.mend(*all_repairs(file)) == MENDED


def test_the_order_in_which_repairs_are_given_does_not_matter(opened):
    file = opened(TWO)
    assert file.mend(*reversed(all_repairs(file))) == MENDED


def test_a_second_round_with_the_same_repairs_changes_nothing(opened):
    file = opened(MENDED)
    assert file.mend(*all_repairs(file)) == MENDED


def test_a_repair_given_twice_is_made_once(opened):
    file = opened(TWO)
    assert file.mend(*all_repairs(file), *all_repairs(file)) == MENDED


def test_a_method_wanted_for_two_held_objects_reaches_both(opened):
    file = opened("class W:\n    def __iter__(self): ...\n")
    repairs = [
        ForwardMethod(file.path, file.class_at("W"), name, (Target(held),))
        for held in ("_a", "_b")
        for name in ("set_epoch", "state_dict")
    ]
    assert file.mend(*repairs) == (
        "class W:\n    def __iter__(self): ...\n\n"
        "    def set_epoch(self, epoch):\n        self._a.set_epoch(epoch)\n        self._b.set_epoch(epoch)\n"
    )


def test_a_first_value_stands_in_front_of_the_method_behind_the_constructor(opened):
    file = opened(
        "class W:\n    def __init__(self, a):\n        self._loader = a\n    def run(self):\n        while 1: go()\n"
    )
    assert file.mend(AdvanceEpoch(file.path, file.class_at("W"), file.statement_at("go"), (HELD,))) == (
        "class W:\n    def __init__(self, a):\n        self._loader = a\n        self._epoch = 0\n"
        "    def set_epoch(self, epoch):\n        self._epoch = epoch\n        self._loader.set_epoch(epoch)\n"
        "    def run(self):\n        while 1:\n            self.set_epoch(self._epoch)\n"
        "            self._epoch += 1\n            go()\n"
    )


def test_an_advance_that_cannot_be_made_does_not_keep_set_epoch_away(opened):
    file = opened("class W:\n    __slots__ = ()\n\n    def __iter__(self):\n        while True: go()\n")
    repairs = [
        AdvanceEpoch(file.path, file.class_at("W"), file.statement_at("go"), (HELD,)),
        ForwardMethod(file.path, file.class_at("W"), "set_epoch", (HELD,)),
    ]
    assert file.mend(*repairs).endswith(
        "go()\n\n    def set_epoch(self, epoch):\n        self._loader.set_epoch(epoch)\n"
    )


def test_what_is_done_already_or_cannot_be_done_is_idle(opened):
    file = opened(TWO)
    outer, inner = file.class_at("Outer"), file.class_at("Inner")
    length = ForwardMethod(file.path, outer, "__len__", (HELD,))
    state = ForwardMethod(file.path, inner, "state_dict", (Target("_loaders", container="sequence"),))
    done = [
        AdvanceEpoch(file.path, inner, file.statement_at("yield from"), (HELD,)),
        ForwardMethod(file.path, inner, "set_epoch", (HELD,)),
        ForwardMethod(file.path, outer, "set_epoch", (HELD,)),
    ]
    nothing = MoveBefore(file.path, file.statement_at("for epoch"), file.statement_at("for epoch"))
    plan = plan_file([length, *done, state, nothing], file.tree, file.source.text, file.nodes)
    assert plan.deferred == []
    assert plan.idle == [length, state, nothing]


# --- deferring -------------------------------------------------------------------------------------------------------


def test_methods_of_a_class_and_of_one_nested_at_its_end_take_two_rounds(opened):
    content = "class A:\n    def go(self): ...\n\n    class B:\n        def go(self): ...\n"
    file = opened(content.replace("    def go(self): ...\n\n    class B", "    x = 1\n\n    class B"))
    wanted = [ForwardMethod(file.path, file.class_at(name), "set_epoch", (HELD,)) for name in "AB"]
    data, deferred = file.plan(*wanted)
    assert deferred == wanted[1:]
    file = opened(data)
    assert file.mend(ForwardMethod(file.path, file.class_at("B"), "set_epoch", (HELD,))) == (
        "class A:\n    x = 1\n\n    class B:\n        def go(self): ...\n\n"
        "        def set_epoch(self, epoch):\n            self._loader.set_epoch(epoch)\n\n"
        "    def set_epoch(self, epoch):\n        self._loader.set_epoch(epoch)\n"
    )


def test_repairs_that_touch_the_same_code_take_two_rounds(opened):
    file = opened("for e in r:\n    for b in x:\n        s.set_epoch(0)\n        y\n")
    moved = MoveBefore(file.path, file.statement_at("s.set_epoch"), file.statement_at("for b"))
    changed = ReplaceExpression(file.path, file.expression_at("0"), "e")
    beside = InsertStatement(file.path, file.statement_at("y"), "z")
    assert file.plan(moved, changed, beside) == (
        b"for e in r:\n    s.set_epoch(0)\n    for b in x:\n        y\n",
        [changed, beside],
    )
    assert file.plan(changed, moved) == (b"for e in r:\n    for b in x:\n        s.set_epoch(e)\n        y\n", [moved])


def test_two_blocks_that_open_the_same_line_take_two_rounds(opened):
    file = opened("for e in r: a(); b()\n")
    wanted = [InsertStatement(file.path, file.statement_at(name), f"before_{name}()") for name in "ab"]
    data, deferred = file.plan(*wanted)
    assert (data, deferred) == (b"for e in r:\n    before_a()\n    a(); b()\n", wanted[1:])


def test_insertions_at_one_place_in_one_block_keep_their_order(opened):
    file = opened("for e in r:\n    x\n")
    at = file.statement_at("x")
    assert file.mend(InsertStatement(file.path, at, "one"), InsertStatement(file.path, at, "two")) == (
        "for e in r:\n    one\n    two\n    x\n"
    )


def test_insertions_at_one_place_in_two_blocks_take_two_rounds(opened):
    file = opened("class W:\n    def set_epoch(self, epoch):\n        self.x = 1\n    y = 2\n")
    inside = ForwardInside(file.path, file.method_at("set_epoch"), (HELD,))
    statement = InsertStatement(file.path, file.statement_at("y = 2"), "z = 3")
    data, deferred = file.plan(statement, inside)
    assert (data, deferred) == (file.source.data.replace(b"    y", b"    z = 3\n    y"), [inside])


def test_a_method_on_one_line_that_must_both_keep_and_forward_takes_two_rounds(opened):
    content = (
        "class W:\n    def __iter__(self):\n        while True: go()\n\n"
        "    def set_epoch(self, epoch): self.told(epoch)\n"
    )
    mended = (
        "class W:\n    _epoch = 0\n\n    def __iter__(self):\n        while True:\n"
        "            self.set_epoch(self._epoch)\n            self._epoch += 1\n            go()\n\n"
        "    def set_epoch(self, epoch):\n        self._epoch = epoch\n        self.told(epoch)\n"
        "        self._loader.set_epoch(epoch)\n"
    )
    for turned in (False, True):
        file = opened(content)
        for _ in range(2):
            wanted = [
                ForwardInside(file.path, file.method_at("set_epoch"), (HELD,)),
                AdvanceEpoch(file.path, file.class_at("W"), file.statement_at("go"), (HELD,)),
            ]
            data, deferred = file.plan(*(reversed(wanted) if turned else wanted))
            file = opened(data)
        assert (data.decode(), deferred) == (mended, [])


def test_two_objects_held_by_a_class_whose_method_is_on_one_line(opened):
    file = opened("class W:\n    def set_epoch(self, epoch): pass\n")
    repairs = [ForwardInside(file.path, file.method_at("set_epoch"), (Target(held),)) for held in ("_a", "_b")]
    assert file.mend(*repairs) == (
        "class W:\n    def set_epoch(self, epoch):\n        pass\n"
        "        self._a.set_epoch(epoch)\n        self._b.set_epoch(epoch)\n"
    )


# --- depth -----------------------------------------------------------------------------------------------------------


def test_a_file_with_a_long_sum_is_mended(opened):
    content = "x = " + " + ".join(["a"] * 1_000) + "\nwhile True:\n    y\n"
    file = opened(content)
    assert file.mend(InsertStatement(file.path, file.statement_at("y"), "z")) == content.replace(
        "    y", "    z\n    y"
    )


@pytest.mark.parametrize("repairs", [[], [ForwardMethod("x", 0, "set_epoch", ())]])
def test_no_repairs_are_no_edits_and_a_wrong_one_is_no_crash(tmp_path, repairs):
    source = source_of_text(tmp_path / "x.py", "class A: ...\n")
    tree = parse(source)
    nodes = nodes_of(tree)
    if repairs:
        with pytest.raises(Exception, match="for a class names a Module"):
            edits_for_file(repairs, tree, source.text, nodes)
    else:
        assert edits_for_file(repairs, tree, source.text, nodes) == ([], [])
