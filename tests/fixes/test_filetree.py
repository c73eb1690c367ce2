"""What a file says about its nodes and lines."""

from __future__ import annotations

import libcst as cst
import pytest

from lint_epoch.fixes.filetree import walk


def test_a_line_break_is_that_of_the_line_else_of_the_one_before_else_of_the_module(opened):
    file = opened("a\r\nb\nc\rd").file
    assert [file.newline(line) for line in range(4)] == ["\r\n", "\n", "\r", "\r"]
    assert opened("a").file.newline(0) == "\n"
    assert opened("").file.newline(0) == "\n"


def test_every_offset_has_its_line(opened):
    file = opened("a\r\n\nb\n").file
    assert file.lines == ["a\r\n", "\n", "b\n", ""]
    assert [file.line_of(offset) for offset in range(7)] == [0, 0, 0, 1, 2, 2, 3]


def test_a_form_feed_is_no_indentation(opened):
    opened_file = opened("class A:\n\f  x\n  \f  y\n")
    file = opened_file.file
    assert [file.indentation(line) for line in range(3)] == ["", "  ", "  "]
    assert file.unit(file.class_at(opened_file.class_at("A"))) == "  "


@pytest.mark.parametrize(
    ("content", "name", "unit"),
    [
        ("class A:\n  def f(self):\n      x\n", "f", "    "),
        ("class A:\n  def f(self): x\n", "f", "  "),
        ("class A: x\n", "A", "    "),
        ("class A: x\nif a:\n\ty\n", "A", "\t"),
    ],
)
def test_the_unit_of_indentation_is_the_nearest_one(opened, content, name, unit):
    file = opened(content)
    at = file.class_at(name) if name == "A" else file.method_at(name)
    assert file.file.unit(file.nodes[at]) == unit


def test_a_method_is_the_outermost_function_of_its_class(opened):
    file = opened("class A:\n    def f(self):\n        def g(): x\n    y\nz\n")
    owner = file.file.class_at(file.class_at("A"))
    found = file.file.enclosing_method(file.file.statement_at(file.statement_at("x")), owner)
    assert found is file.nodes[file.method_at("f")]
    assert file.file.enclosing_method(file.file.statement_at(file.statement_at("y")), owner) is None
    assert file.file.enclosing_method(file.file.statement_at(file.statement_at("z")), owner) is None


def test_nodes_are_walked_in_source_order_and_closed_ones_are_not_entered(opened):
    tree = opened("a\ndef f(b):\n    c\nd\n").tree
    names = [node.value for node in walk(tree) if isinstance(node, cst.Name)]
    assert names == ["a", "f", "b", "c", "d"]
    closed = [node.value for node in walk(tree, closed=(cst.FunctionDef,)) if isinstance(node, cst.Name)]
    assert closed == ["a", "d"]
