"""The visitor: what it keeps of a module, in which order, and where things stand."""

from __future__ import annotations

import libcst as cst
import msgspec
import pytest

from lint_epoch.facts import records as r
from lint_epoch.facts.text import text_of
from lint_epoch.facts.visitor import nodes_of, positions, read_module

SOURCE = """\
from torch.utils.data import DataLoader as Loader

class Wrapper(Base, metaclass=Meta):
    size: int = 0

    def __iter__(self):
        for batch in self.loader:
            if batch is not None and self.on:
                yield batch
"""


def test_statements_are_nested_as_they_stand() -> None:
    module = read_module(cst.parse_module(SOURCE))
    imported, wrapper = module.body
    assert isinstance(imported, r.ImportFrom)
    assert imported.names == (r.ImportedName("DataLoader", "Loader"),)
    assert isinstance(wrapper, r.ClassDef)
    function = wrapper.body[1]
    assert isinstance(function, r.FunctionDef)
    assert function.is_generator
    loop = function.body[0]
    assert isinstance(loop, r.For)
    assert text_of(loop.iterable) == "self.loader"
    assert isinstance(loop.body[0], r.If)
    assert text_of(loop.body[0].test) == "batch is not None and self.on"


def test_a_yield_in_a_nested_function_makes_no_generator_of_the_outer_one() -> None:
    module = read_module(cst.parse_module("def outer():\n    def inner():\n        yield 1\n    return inner\n"))
    outer = module.body[0]
    assert isinstance(outer, r.FunctionDef)
    assert not outer.is_generator
    assert isinstance(outer.body[0], r.FunctionDef)
    assert outer.body[0].is_generator


def test_indexes_name_the_nodes_in_source_order() -> None:
    tree = cst.parse_module(SOURCE)
    nodes, spans = nodes_of(tree), positions(tree)
    assert len(nodes) == len(spans) == read_module(tree).nodes
    classes = [spans[at] for at, node in enumerate(nodes) if isinstance(node, cst.ClassDef)]
    assert classes[0][:2] == (3, 1)


def test_columns_count_code_points() -> None:
    tree = cst.parse_module("'é😀', call()\n")
    at = next(at for at, node in enumerate(nodes_of(tree)) if isinstance(node, cst.Call))
    assert positions(tree)[at] == (1, 7, 1, 13)


def test_records_survive_storage() -> None:
    module = read_module(cst.parse_module(SOURCE))
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(module), type=r.Module) == module


@pytest.mark.parametrize(
    "source",
    [
        "async def f():\n    async with a as b:\n        async for x in y:\n            await z\n",
        "match command:\n    case {'a': [x, *rest], **others} if x:\n        pass\n    case _:\n        pass\n",
        "try:\n    pass\nexcept* ValueError as error:\n    raise\nelse:\n    pass\nfinally:\n    del a[0], b\n",
        "x: int\n(y := 1)\nz = lambda *a, k=1, **o: [i for j in k if j for i in j]\n",
        "type Pair[T] = tuple[T, T]\n",
        "print(f'{a!r:>{width}}', *args, **options)\n",
        "a[1:2, ::3] = b @ c if not d else ~e\n",
        "assert a, b\nglobal c\nnonlocal_ = 10**400\n",
    ],
)
def test_all_syntax_is_read(source: str) -> None:
    tree = cst.parse_module(source)
    assert read_module(tree).nodes == len(nodes_of(tree))
