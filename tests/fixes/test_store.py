"""The attribute that keeps the epoch: its name, and where it gets its first value."""

from __future__ import annotations

import itertools

import pytest

from lint_epoch.repairs import AdvanceEpoch, Target

BODY = """\
    def __iter__(self):
        while True:
            yield from self._loader
"""
ADVANCED = """\
    def __iter__(self):
        while True:
            self.set_epoch(self._epoch)
            self._epoch += 1
            yield from self._loader

    def set_epoch(self, epoch):
        self._epoch = epoch
        self._loader.set_epoch(epoch)
"""


def advance(opened, content):
    file = opened(content)
    repair = AdvanceEpoch(
        file.path, file.class_at("Wrapper"), file.statement_at("yield from self._loader"), (Target("_loader"),)
    )
    return file.mend(repair)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("        self._epoch = 'mine'\n", "_next_epoch"),
        ("        self._epoch = self._next_epoch = 1\n", "_epoch_of_next_pass"),
        ("        self._epoch = self._next_epoch = self._epoch_of_next_pass = 1\n", "_epoch_2"),
        ("        print(self._epoch)\n", "_next_epoch"),
        ("        self.epoch = 1\n", "_epoch"),
    ],
)
def test_the_name_is_one_that_the_class_does_not_use(opened, line, name):
    mended = advance(
        opened, f"class Wrapper:\n    def __init__(self, loader):\n        self._loader = loader\n{line}\n{BODY}"
    )
    assert f"            self.set_epoch(self.{name})\n            self.{name} += 1\n" in mended
    assert f"        self._loader = loader\n        self.{name} = 0\n" in mended


@pytest.mark.parametrize(
    "member", ["    def _epoch(self): ...\n", "    _epoch: int\n", "    class _epoch: ...\n", "    a, _epoch = 1, 2\n"]
)
def test_the_name_is_no_member_of_the_class(opened, member):
    assert "self._next_epoch += 1\n" in advance(opened, f"class Wrapper:\n{member}\n{BODY}")


def test_the_name_is_none_of_a_base_class_in_the_file(opened):
    base = "class Base:\n    def reset(self):\n        self._epoch = None\n\n\nclass Middle(pkg.Base): ...\n\n\n"
    assert "self._next_epoch += 1\n" in advance(opened, f"{base}class Wrapper(Middle):\n{BODY}")


def test_the_name_is_none_of_a_subclass_in_the_file(opened):
    below = "\n\nclass Sub(Wrapper):\n    def reset(self):\n        self._epoch = None\n"
    assert "self._next_epoch += 1\n" in advance(opened, f"class Wrapper:\n{BODY}{below}")


def test_the_name_may_be_one_of_an_unrelated_class(opened):
    other = "\n\nclass Other:\n    _epoch = 1\n"
    assert "self._epoch += 1\n" in advance(opened, f"class Wrapper:\n{BODY}{other}")


def test_a_class_that_inherits_from_itself_is_survived(opened):
    assert "self._epoch += 1\n" in advance(opened, f"class Wrapper(Wrapper):\n{BODY}")


# --- the first value -------------------------------------------------------------------------------------------------


def in_constructor(opened, *lines: str) -> str:
    """Return the constructor of the mended class."""
    body = "".join(f"        {line}\n" if line else "\n" for line in lines)
    mended = advance(opened, f"class Wrapper(Base):\n    def __init__(self, loader):\n{body}\n{BODY}")
    head, _, rest = mended.partition("    def __init__(self, loader):\n")
    assert head == "class Wrapper(Base):\n"
    assert rest.endswith("\n" + ADVANCED)
    return rest.removesuffix("\n" + ADVANCED)


def test_the_first_value_stands_behind_what_is_held(opened):
    assert in_constructor(opened, "super().__init__()", "self._loader = loader  # held", "self.x = 1") == (
        "        super().__init__()\n        self._loader = loader  # held\n"
        "        self._epoch = 0\n        self.x = 1\n"
    )


def test_the_first_value_stands_behind_what_is_held_with_an_annotation(opened):
    assert in_constructor(opened, "self._loader: DataLoader = loader", "self.x = 1") == (
        "        self._loader: DataLoader = loader\n        self._epoch = 0\n        self.x = 1\n"
    )


def test_the_first_value_stands_behind_the_base_s_constructor(opened):
    assert in_constructor(opened, "x = 1", "super().__init__(loader)", "y = 2") == (
        "        x = 1\n        super().__init__(loader)\n        self._epoch = 0\n        y = 2\n"
    )


def test_the_first_value_comes_first_where_nothing_tells(opened):
    assert in_constructor(opened, '"""Wrap."""', "", "# the loader", "self._loader, self.x = loader, 1") == (
        '        """Wrap."""\n\n        self._epoch = 0\n'
        "        # the loader\n        self._loader, self.x = loader, 1\n"
    )


def test_statements_that_share_the_line_of_what_is_held_get_their_own(opened):
    assert in_constructor(opened, "a = 1; self._loader = loader; self.x = a; b = 2  # all") == (
        "        a = 1; self._loader = loader\n        self._epoch = 0\n        self.x = a; b = 2  # all\n"
    )


def test_a_constructor_on_one_line_with_more_behind_what_is_held_is_opened(opened):
    mended = advance(opened, f"class Wrapper:\n    def __init__(self, x): self._loader = x; self.x = x\n\n{BODY}")
    assert (
        "    def __init__(self, x):\n        self._loader = x\n        self._epoch = 0\n        self.x = x\n\n"
    ) in mended


def test_a_constructor_on_one_line_is_opened(opened):
    mended = advance(opened, f"class Wrapper:\n    def __init__(me, loader): me._loader = loader\n\n{BODY}")
    assert "    def __init__(me, loader):\n        me._loader = loader\n        me._epoch = 0\n\n" in mended


@pytest.mark.parametrize(
    ("head", "mended_head"),
    [
        ("", "    _epoch = 0\n\n"),
        ('    """Wraps."""\n\n', '    """Wraps."""\n\n    _epoch = 0\n\n'),
        ('    """Wraps."""\n', '    """Wraps."""\n\n    _epoch = 0\n\n'),
        ("    size = 1\n\n", "    size = 1\n    _epoch = 0\n\n"),
        (
            '    """Wraps."""\n\n    size = 1\n    # of it\n\n',
            '    """Wraps."""\n\n    size = 1\n    # of it\n    _epoch = 0\n\n',
        ),
    ],
)
def test_without_a_constructor_the_first_value_is_the_class_s(opened, head, mended_head):
    assert advance(opened, f"class Wrapper(Base):\n{head}{BODY}") == f"class Wrapper(Base):\n{mended_head}{ADVANCED}"


def test_the_first_value_of_a_base_class_in_the_file_is_enough(opened):
    setter = "\n    def set_epoch(self, epoch):\n        self.epoch = epoch\n"
    base = "class Base:\n    def __init__(self):\n        self.epoch = 0\n\n\n"
    mended = advance(opened, f"{base}class Wrapper(Base):\n{BODY}{setter}")
    assert mended.count("epoch = 0\n") == 1


# --- classes that decide about their attributes ----------------------------------------------------------------------

DATACLASS = "from dataclasses import dataclass, field\n\n\n@dataclass{options}\nclass Wrapper:\n    _loader: object\n\n"


class Loader:
    def __init__(self) -> None:
        self.epoch = 0

    def set_epoch(self, epoch: int) -> None:
        self.epoch = epoch

    def __iter__(self):
        yield self.epoch


def run(source: str):
    scope: dict[str, object] = {"__name__": "mended"}
    exec(compile(source, "<mended>", "exec", dont_inherit=True), scope)
    return scope["Wrapper"]


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ("", "    _epoch = 0\n"),
        ("(eq=True, frozen=False)", "    _epoch = 0\n"),
        ("(slots=True)", "    _epoch: int = field(default=0, init=False, repr=False, compare=False)\n"),
    ],
)
def test_a_data_class_keeps_its_constructor_comparison_and_text(opened, options, line):
    content = DATACLASS.format(options=options) + BODY
    mended = advance(opened, content)
    assert f"    _loader: object\n{line}\n" in mended
    old, new = run(content), run(mended)
    loader = Loader()
    assert repr(new(loader)) == repr(old(loader))
    assert new(loader) == new(loader)
    with pytest.raises(TypeError):
        new(loader, 1)
    wrapper = new(loader)
    wrapper.set_epoch(3)
    assert list(itertools.islice(wrapper, 3)) == [3, 4, 5]
    assert list(itertools.islice(new(Loader()), 2)) == [0, 1]


def test_a_data_class_with_a_second_step_of_construction(opened):
    mended = advance(
        opened, DATACLASS.format(options="") + "    def __post_init__(self):\n        self.x = 1\n\n" + BODY
    )
    assert "    def __post_init__(self):\n        self._epoch = 0\n        self.x = 1\n" in mended
    assert list(itertools.islice(run(mended)(Loader()), 2)) == [0, 1]


@pytest.mark.parametrize(
    "head",
    [
        DATACLASS.format(options="(frozen=True)"),
        DATACLASS.format(options="(slots=True)").replace(", field", ""),
        DATACLASS.format(options="(slots=True)").replace("from dataclasses import dataclass, field", "from d import *"),
        "class Wrapper:\n    __slots__ = ('_loader',)\n\n",
        "@attrs.define\nclass Wrapper:\n    _loader: object\n\n",
        "@attr.s(auto_attribs=True)\nclass Wrapper:\n    _loader: object\n\n",
        "class Wrapper(NamedTuple):\n    _loader: object\n\n",
        "class Wrapper(pydantic.BaseModel):\n    _loader: object\n\n",
        "class Wrapper(Generic[T], msgspec.Struct):\n    _loader: object\n\n",
    ],
)
def test_a_class_whose_objects_may_take_no_attribute_is_left_alone(opened, head):
    assert advance(opened, head + BODY) == head + BODY
