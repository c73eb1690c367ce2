"""Inserted methods: their text, style and place, compared byte by byte."""

from __future__ import annotations

import pytest

from lint_epoch.fixes.errors import FixError
from lint_epoch.repairs import ForwardInside, ForwardMethod, Target

HELD = Target("_loader")
PLAIN = """\
class Wrapper:
    def __init__(self, loader):
        self._loader = loader

    def __iter__(self):
        yield from self._loader
"""


def forward(opened, content, *targets, method="set_epoch", owner="Wrapper", **options):
    file = opened(content)
    repair = ForwardMethod(file.path, file.class_at(owner), method, targets or (HELD,), **options)
    return file.mend(repair)


def body_for(opened, *targets, method="set_epoch", **options):
    """Return the inserted lines, without the indentation of the class."""
    mended = forward(opened, PLAIN, *targets, method=method, **options)
    assert mended.startswith(PLAIN)
    added = mended[len(PLAIN) :].splitlines()
    assert added[:1] == [""]
    return [line.removeprefix("    ") for line in added[1:]]


@pytest.mark.parametrize(
    ("target", "lines"),
    [
        (Target("_loader"), ["    self._loader.set_epoch(epoch)"]),
        (Target("_loader", "sampler"), ["    self._loader.sampler.set_epoch(epoch)"]),
        (
            Target("_loader", certain=False),
            ['    if hasattr(self._loader, "set_epoch"):', "        self._loader.set_epoch(epoch)"],
        ),
        (
            Target("_loader", "sampler", certain=False),
            [
                "    sampler = self._loader.sampler",
                '    if hasattr(sampler, "set_epoch"):',
                "        sampler.set_epoch(epoch)",
            ],
        ),
        (
            Target("_loader", "batch_sampler.sampler", certain=False),
            [
                '    sampler = getattr(self._loader.batch_sampler, "sampler", None)',
                '    if hasattr(sampler, "set_epoch"):',
                "        sampler.set_epoch(epoch)",
            ],
        ),
        (
            Target("_loaders", container="sequence"),
            ["    for loader in self._loaders:", "        loader.set_epoch(epoch)"],
        ),
        (
            Target("_loaders", container="mapping"),
            ["    for loader in self._loaders.values():", "        loader.set_epoch(epoch)"],
        ),
        (
            Target("streams", "sampler", certain=False, container="sequence"),
            [
                "    for stream in self.streams:",
                "        sampler = stream.sampler",
                '        if hasattr(sampler, "set_epoch"):',
                "            sampler.set_epoch(epoch)",
            ],
        ),
        (
            Target("epochs", container="sequence"),  # its singular is the parameter's name
            ["    for loader in self.epochs:", "        loader.set_epoch(epoch)"],
        ),
        (
            Target("_by_class", container="mapping"),  # its "singular" is no word
            ["    for loader in self._by_class.values():", "        loader.set_epoch(epoch)"],
        ),
    ],
)
def test_set_epoch_reaches_the_target_the_way_it_is_held(opened, target, lines):
    assert body_for(opened, target) == ["def set_epoch(self, epoch):", *lines]


def test_set_epoch_reaches_each_of_several_targets(opened):
    assert body_for(opened, HELD, Target("_sampler")) == [
        "def set_epoch(self, epoch):",
        "    self._loader.set_epoch(epoch)",
        "    self._sampler.set_epoch(epoch)",
    ]


def test_set_epoch_calls_the_base_class_that_has_one_too(opened):
    assert body_for(opened, extends_base=True) == [
        "def set_epoch(self, epoch):",
        "    super().set_epoch(epoch)",
        "    self._loader.set_epoch(epoch)",
    ]


@pytest.mark.parametrize(
    ("method", "lines"),
    [
        ("__len__", ["def __len__(self):", "    return len(self._loader)"]),
        ("state_dict", ["def state_dict(self):", "    return self._loader.state_dict()"]),
        (
            "load_state_dict",
            ["def load_state_dict(self, state_dict):", "    self._loader.load_state_dict(state_dict)"],
        ),
    ],
)
def test_the_other_methods_pass_on_to_the_held_object(opened, method, lines):
    assert body_for(opened, method=method) == lines


def test_the_other_methods_reach_through_the_held_object(opened):
    assert body_for(opened, Target("_loader", "sampler"), method="state_dict")[1:] == [
        "    return self._loader.sampler.state_dict()"
    ]


def test_a_length_is_that_of_the_first_target(opened):
    assert body_for(opened, HELD, Target("_other"), method="__len__")[1:] == ["    return len(self._loader)"]


@pytest.mark.parametrize("method", ["__len__", "state_dict", "load_state_dict"])
@pytest.mark.parametrize(
    "target",
    [Target("_loaders", container="sequence"), Target("_loaders", container="mapping"), Target("_x", certain=False)],
)
def test_a_length_or_state_is_not_made_up_from_a_container_or_a_guess(opened, method, target):
    assert forward(opened, PLAIN, target, method=method) == PLAIN


def test_the_state_of_one_of_several_targets_would_be_half_a_state(opened):
    assert forward(opened, PLAIN, HELD, Target("_sampler"), method="state_dict") == PLAIN


@pytest.mark.parametrize(
    "line",
    [
        "    def set_epoch(self, epoch): ...",
        "    set_epoch = _set_epoch",
        "    set_epoch: Callable[[int], None]",
        "    if True:\n        def set_epoch(self, epoch): ...",
        "    length, set_epoch = 1, _set_epoch",
    ],
)
def test_a_class_that_has_the_method_is_left_alone(opened, line):
    content = PLAIN + line + "\n"
    assert forward(opened, content) == content


# --- style -----------------------------------------------------------------------------------------------------------


def test_annotations_and_docstrings_as_the_neighbours_have_them(opened):
    content = '''\
class Wrapper:
    """Wraps."""

    def __init__(self, loader: DataLoader) -> None:
        self._loader = loader

    def __iter__(self) -> Iterator[Batch]:
        """Go over the loader."""
        yield from self._loader
'''
    assert (
        forward(opened, content)
        == content
        + '''\

    def set_epoch(self, epoch: int) -> None:
        """Pass the epoch on to the loader's sampler."""
        self._loader.set_epoch(epoch)
'''
    )


@pytest.mark.parametrize(
    ("targets", "said"),
    [
        ([Target("_loader", "dataset")], "the loader's dataset"),
        ([Target("_sampler")], "the sampler"),
        ([Target("dataset")], "the dataset"),
        ([Target("_loaders", container="mapping")], "the loaders' samplers"),
        ([Target("_samplers", container="sequence")], "the samplers"),
        ([Target("_loader"), Target("_inner")], "the loader's sampler"),
        ([Target("_loader"), Target("_sampler")], "all that it holds"),
    ],
)
def test_the_docstring_names_what_receives_the_epoch(opened, targets, said):
    content = "class Wrapper:\n    def __iter__(self):\n        '''Go over it.'''\n        yield 1\n"
    assert f"        '''Pass the epoch on to {said}.'''\n" in forward(opened, content, *targets)


def test_docstrings_of_the_other_methods(opened):
    content = "class Wrapper:\n    def __iter__(self):\n        'Go over it.'\n        yield 1\n"
    assert "'Return the length of the loader.'" in forward(opened, content, method="__len__")
    assert "'Return the state of the sampler.'" in forward(
        opened, content, Target("_l", "sampler"), method="state_dict"
    )
    assert "'Restore the state of the dataset.'" in forward(
        opened, content, Target("dataset"), method="load_state_dict"
    )


def test_parameters_are_annotated_without_the_return_where_the_class_does_so(opened):
    content = (
        "class Wrapper:\n    def __init__(self, loader: DataLoader): ...\n\n    def __iter__(self):\n        yield 1\n"
    )
    assert "    def set_epoch(self, epoch: int):\n" in forward(opened, content)


def test_the_return_is_annotated_without_the_parameters_where_the_class_does_so(opened):
    content = (
        "class Wrapper:\n    def __init__(self, loader): ...\n\n    def __iter__(self) -> Iterator:\n        yield 1\n"
    )
    assert "    def set_epoch(self, epoch) -> None:\n" in forward(opened, content)
    assert "    def __len__(self) -> int:\n" in forward(opened, content, method="__len__")


@pytest.mark.parametrize(
    ("imports", "annotation"),
    [
        ("from typing import Any", "dict[str, Any]"),
        ("from typing import Any, Dict", "Dict[str, Any]"),
        ("from typing import Any as Anything", "dict"),
        ("from typing import *", "dict"),
        ("import typing", "dict"),
    ],
)
def test_a_state_is_annotated_with_what_the_module_imports_already(opened, imports, annotation):
    content = f"{imports}\nclass Wrapper:\n    def load(self, path: str) -> None: ...\n"
    assert f"def state_dict(self) -> {annotation}:\n" in forward(opened, content, method="state_dict")
    mended = forward(opened, content, method="load_state_dict")
    assert f"def load_state_dict(self, state_dict: {annotation}) -> None:\n" in mended


def test_blank_lines_between_methods_as_in_the_class(opened):
    content = "class Wrapper:\n    def __iter__(self):\n        yield 1\n    def other(self): ...\n"
    assert forward(opened, content) == (
        "class Wrapper:\n    def __iter__(self):\n        yield 1\n"
        "    def set_epoch(self, epoch):\n        self._loader.set_epoch(epoch)\n"
        "    def other(self): ...\n"
    )


def test_what_follows_without_a_blank_line_gets_one(opened):
    content = "class Wrapper:\n    def __iter__(self):\n        yield 1\n    size = property(len)\n"
    assert forward(opened, content) == (
        "class Wrapper:\n    def __iter__(self):\n        yield 1\n\n"
        "    def set_epoch(self, epoch):\n        self._loader.set_epoch(epoch)\n\n"
        "    size = property(len)\n"
    )


# --- place -----------------------------------------------------------------------------------------------------------


def order_of_definitions(mended: str) -> list[str]:
    lines = (line.strip() for line in mended.splitlines())
    return [line.removeprefix("async ").split("(")[0].removeprefix("def ") for line in lines if "def " in line]


@pytest.mark.parametrize(
    ("methods", "order"),
    [
        (
            "    def __iter__(self): ...\n    @property\n    def size(self): ...\n    def reset(self): ...\n",
            ["__iter__", "size", "set_epoch", "reset"],
        ),
        (
            "    @property\n    def size(self): ...\n    @size.setter\n    def size(self, size): ...\n"
            "    def close(self): ...\n",
            ["size", "size", "set_epoch", "close"],
        ),
        (
            "    @functools.cached_property\n    def size(self): ...\n    def __iter__(self): ...\n",
            ["size", "set_epoch", "__iter__"],
        ),
        (
            "    def __iter__(self): ...\n    def __len__(self): ...\n    def close(self): ...\n",
            ["__iter__", "__len__", "set_epoch", "close"],
        ),
        ("    async def __aiter__(self): ...\n    async def close(self): ...\n", ["__aiter__", "set_epoch", "close"]),
        ("    def __init__(self): ...\n    def close(self): ...\n", ["__init__", "set_epoch", "close"]),
        ("    def close(self): ...\n    def _open(self): ...\n    size = 1\n", ["close", "_open", "set_epoch"]),
    ],
)
def test_the_new_method_goes_behind_properties_else_iteration_else_construction(opened, methods, order):
    assert order_of_definitions(forward(opened, "class Wrapper:\n" + methods)) == order


def test_comments_at_the_end_of_the_last_method_stay_with_it(opened):
    content = (
        "class Wrapper:\n    def __iter__(self):\n        yield 1  # one\n        # deeper\n\n        # deeper too\n"
        "\n    # about what comes next\n    def close(self): ...\n"
    )
    assert forward(opened, content) == content.replace(
        "        # deeper too\n",
        "        # deeper too\n\n    def set_epoch(self, epoch):\n        self._loader.set_epoch(epoch)\n",
    )


def test_a_comment_that_touches_the_last_method_stays_with_it(opened):
    content = "class Wrapper:\n    def __iter__(self): ...\n    # that was all\n\n\nx = 1\n"
    assert forward(opened, content) == content.replace(
        "    # that was all\n",
        "    # that was all\n\n    def set_epoch(self, epoch):\n        self._loader.set_epoch(epoch)\n",
    )


def test_a_comment_of_the_module_stays_outside_the_class(opened):
    content = "class Wrapper:\n    def __iter__(self): ...\n# of the module\n\nx = 1\n"
    assert forward(opened, content) == (
        "class Wrapper:\n    def __iter__(self): ...\n\n"
        "    def set_epoch(self, epoch):\n        self._loader.set_epoch(epoch)\n\n"
        "# of the module\n\nx = 1\n"
    )


def test_a_comment_at_the_end_of_the_class_stays_at_its_end(opened):
    content = "class Wrapper:\n    def __iter__(self): ...\n\n    # TODO: more"
    assert forward(opened, content) == (
        "class Wrapper:\n    def __iter__(self): ...\n\n"
        "    def set_epoch(self, epoch):\n        self._loader.set_epoch(epoch)\n\n    # TODO: more"
    )


def test_a_decorated_class_and_a_decorated_method(opened):
    content = (
        "@register\nclass Wrapper:\n    @torch.no_grad()\n    def __iter__(self):\n        yield 1\n"
        "\n\n@other\nclass X: ...\n"
    )
    assert forward(opened, content) == content.replace(
        "        yield 1\n",
        "        yield 1\n\n    def set_epoch(self, epoch):\n        self._loader.set_epoch(epoch)\n",
    )


# --- bytes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("unit", ["  ", "    ", "\t"])
@pytest.mark.parametrize("final", [True, False])
def test_newlines_indentation_and_a_missing_final_newline_stay(opened, newline, unit, final):
    lines = ["class Wrapper:", f"{unit}def __iter__(self):", f"{unit * 2}yield from self._loader"]
    added = ["", f"{unit}def set_epoch(self, epoch):", f"{unit * 2}self._loader.set_epoch(epoch)"]
    end = newline if final else ""
    assert forward(opened, newline.join(lines) + end) == newline.join(lines + added) + end


def test_mixed_newlines_stay_and_the_nearest_is_taken(opened):
    content = "import x\nclass Wrapper:\r\n    def __iter__(self):\r\n        yield 1\r\n\r\nx = 1\ny = 2\r"
    assert forward(opened, content) == content.replace(
        "yield 1\r\n",
        "yield 1\r\n\r\n    def set_epoch(self, epoch):\r\n        self._loader.set_epoch(epoch)\r\n",
    )


def test_an_indentation_that_differs_from_the_rest_of_the_file(opened):
    content = "def f():\n    x = 1\n    y = 2\nclass Wrapper:\n  def __iter__(self):\n      yield 1\n"
    assert forward(opened, content).endswith("\n\n  def set_epoch(self, epoch):\n      self._loader.set_epoch(epoch)\n")


def test_a_byte_order_mark_stays(opened):
    file = opened(b"\xef\xbb\xbf" + PLAIN.encode())
    data, _ = file.plan(ForwardMethod(file.path, file.class_at("Wrapper"), "set_epoch", (HELD,)))
    assert data == b"\xef\xbb\xbf" + PLAIN.encode() + (
        b"\n    def set_epoch(self, epoch):\n        self._loader.set_epoch(epoch)\n"
    )


def test_another_encoding_stays(opened):
    before = (
        b"# -*- coding: latin-1 -*-\n# caf\xe9\nclass Wrapper:\n    def __iter__(self):\n        yield '\xe9\xe8'\n"
    )
    file = opened(before)
    data, _ = file.plan(ForwardMethod(file.path, file.class_at("Wrapper"), "set_epoch", (HELD,)))
    assert data == before + b"\n    def set_epoch(self, epoch):\n        self._loader.set_epoch(epoch)\n"


def test_what_libcst_loses_is_kept(opened):
    content = (
        "\fclass Wrapper:\n    def __iter__(self):\n        try:\n            yield 1\n        except OSError :\n"
        "            yield f'{1!s  }'\n\f\n    x = 1"
    )
    assert forward(opened, content) == content.replace(
        "!s  }'\n", "!s  }'\n\n    def set_epoch(self, epoch):\n        self._loader.set_epoch(epoch)\n"
    )


def test_a_carriage_return_that_ends_the_file_is_kept(opened):
    content = "class Wrapper:\r  def __iter__(self):\r    yield 1\r\r"
    assert forward(opened, content) == (
        "class Wrapper:\r  def __iter__(self):\r    yield 1\r\r"
        "  def set_epoch(self, epoch):\r    self._loader.set_epoch(epoch)\r\r"
    )


def test_white_space_without_a_newline_at_the_end_of_the_file_is_kept(opened):
    content = "class Wrapper:\n    def __iter__(self):\n        yield 1\n    "
    assert forward(opened, content) == (
        "class Wrapper:\n    def __iter__(self):\n        yield 1\n\n"
        "    def set_epoch(self, epoch):\n        self._loader.set_epoch(epoch)\n    "
    )


@pytest.mark.parametrize(
    ("body", "opened_body"),
    [(" pass", "    pass"), ("x = 1; y = 2  # both", "    x = 1; y = 2  # both"), ("  ...;", "    ...;")],
)
@pytest.mark.parametrize("final", ["\n", ""])
def test_a_class_on_one_line_is_opened(opened, body, opened_body, final):
    assert forward(opened, f"class Wrapper(Base):{body}{final}") == (
        f"class Wrapper(Base):\n{opened_body}\n\n"
        f"    def set_epoch(self, epoch):\n        self._loader.set_epoch(epoch){final}"
    )


def test_a_nested_class_is_indented_as_its_methods_are(opened):
    content = "class Outer:\n  class Wrapper:\n    def __iter__(self):\n      yield 1\n\n  x = 1\n"
    assert forward(opened, content) == content.replace(
        "yield 1\n", "yield 1\n\n    def set_epoch(self, epoch):\n      self._loader.set_epoch(epoch)\n"
    )


def test_a_class_in_a_function(opened):
    content = "def make():\n    class Wrapper:\n        def __iter__(self):\n            yield 1\n    return Wrapper\n"
    assert forward(opened, content) == (
        "def make():\n    class Wrapper:\n        def __iter__(self):\n            yield 1\n\n"
        "        def set_epoch(self, epoch):\n            self._loader.set_epoch(epoch)\n\n"
        "    return Wrapper\n"
    )


# --- inside an existing method ---------------------------------------------------------------------------------------


def inside(opened, content, *targets):
    file = opened(content)
    return file.mend(ForwardInside(file.path, file.method_at("set_epoch"), targets or (HELD,)))


def method(*lines: str) -> str:
    return "".join(f"{line}\n" for line in ("class Wrapper:", "    def set_epoch(self, epoch):", *lines))


def test_the_call_is_appended_to_an_existing_method(opened):
    assert inside(opened, method("        self.epoch = epoch  # kept", "", "    x = 1")) == method(
        "        self.epoch = epoch  # kept", "        self._loader.set_epoch(epoch)", "", "    x = 1"
    )


def test_the_method_s_own_names_are_used(opened):
    content = "class Wrapper:\n  async def set_epoch(this, number: int, /) -> None:\n    this.number = number\n"
    assert inside(opened, content, Target("_loader", "sampler", certain=False)) == content + (
        '    sampler = this._loader.sampler\n    if hasattr(sampler, "set_epoch"):\n      sampler.set_epoch(number)\n'
    )


def test_the_call_stands_in_front_of_a_final_return(opened):
    assert inside(opened, method("        self.epoch = epoch", "        return self")) == method(
        "        self.epoch = epoch", "        self._loader.set_epoch(epoch)", "        return self"
    )


def test_the_call_comes_first_where_the_method_may_return_early(opened):
    lines = ["        if epoch == self.epoch:", "            return", "        self.epoch = epoch"]
    assert inside(opened, method('        """Set it."""', *lines)) == method(
        '        """Set it."""', "        self._loader.set_epoch(epoch)", *lines
    )


def test_a_return_of_a_function_inside_is_none_of_the_method_s(opened):
    lines = ["        def later():", "            return epoch", "        self.later = later"]
    assert inside(opened, method(*lines)) == method(*lines, "        self._loader.set_epoch(epoch)")


def test_a_method_of_a_docstring_alone_gets_a_body(opened):
    assert inside(opened, method('        """Set it."""')) == method(
        '        """Set it."""', "        self._loader.set_epoch(epoch)"
    )


def test_a_method_on_one_line_is_opened(opened):
    assert inside(opened, "class Wrapper:\n\tdef set_epoch(self, epoch): self.epoch = epoch") == (
        "class Wrapper:\n\tdef set_epoch(self, epoch):\n\t\tself.epoch = epoch\n\t\tself._loader.set_epoch(epoch)"
    )


def test_statements_that_share_the_last_line_stay_together(opened):
    assert inside(opened, method("        a = 1; self.epoch = epoch;")) == method(
        "        a = 1; self.epoch = epoch;", "        self._loader.set_epoch(epoch)"
    )


def test_a_return_that_shares_its_line_gets_its_own(opened):
    assert inside(opened, method("        self.epoch = epoch; return self")) == method(
        "        self.epoch = epoch", "        self._loader.set_epoch(epoch)", "        return self"
    )


def test_only_what_is_missing_is_added(opened):
    content = method("        self._loader.set_epoch(epoch)")
    assert inside(opened, content) == content
    assert inside(opened, content, HELD, Target("_other")) == content + "        self._other.set_epoch(epoch)\n"


@pytest.mark.parametrize(
    "content",
    [
        method("        raise NotImplementedError"),
        "class Wrapper:\n    def set_epoch(self): ...\n",
        "class Wrapper:\n    def set_epoch(self, *args, **kwargs): ...\n",
    ],
)
def test_a_method_that_cannot_pass_the_epoch_on_is_left_alone(opened, content):
    assert inside(opened, content) == content


def test_a_repair_of_the_wrong_kind_of_node_is_an_error(opened):
    file = opened(PLAIN)
    with pytest.raises(FixError, match="for a method names a ClassDef"):
        file.mend(ForwardInside(file.path, file.class_at("Wrapper"), (HELD,)))
    with pytest.raises(FixError, match="for a class names a FunctionDef"):
        file.mend(ForwardMethod(file.path, file.method_at("__iter__"), "__len__", (HELD,)))
    with pytest.raises(FixError, match=r"names node 999 of \d+"):
        file.mend(ForwardMethod(file.path, 999, "__len__", (HELD,)))


def test_an_attribute_that_is_no_name_is_an_error(opened):
    with pytest.raises(FixError, match="not valid Python"):
        forward(opened, PLAIN, Target("a loader"))
