"""Statements and expressions: inserting, moving and replacing them."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from lint_epoch.fixes.errors import FixError
from lint_epoch.fixes.filetree import FileTree, Statement, is_name, last_name, walk
from lint_epoch.fixes.insertion import at_top, before, commented_start, in_front, render, statements
from lint_epoch.fixes.spans import Edit
from lint_epoch.repairs import InsertAtTop, InsertStatement, MoveBefore, ReplaceExpression, ReplaceStatement

#: Calls that only ask which process this is, or what an object is: they can go with a condition that has nothing to do.
_QUESTIONS = frozenset(
    {"get_rank", "get_local_rank", "get_world_size", "is_initialized", "is_available", "is_main_process"}
    | {"hasattr", "isinstance"}
)
_WITHOUT_EFFECT = (
    *(cst.Name, cst.Attribute, cst.Integer, cst.SimpleString, cst.Tuple, cst.List, cst.Set),
    *(cst.Comparison, cst.BooleanOperation, cst.UnaryOperation),
)
#: Where an expression stands between delimiters, so that any other can take its place as it is.
_DELIMITED = (cst.Arg, cst.Assign, cst.AugAssign, cst.AnnAssign, cst.Expr, cst.Return, cst.Index, cst.If, cst.While)
#: Expressions that bind so tightly that they can stand anywhere.
_PRIMARY = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.SimpleString, cst.List, cst.Dict)


def insert(file: FileTree, repair: InsertStatement) -> list[Edit]:
    """Return the edits that put a line in front of a statement, none where it is there."""
    statement = file.statement_at(repair.before_at)
    lines = render(file.in_quotes(repair.text), file.unit(statement))
    above = in_front(file, statement)
    if above and _stripped(file.source(above[-1])) == _stripped("\n".join(lines)):
        return []
    return before(file, statement, lines)


def insert_at_top(file: FileTree, repair: InsertAtTop) -> list[Edit]:
    """Return the edits that put lines first in a loop, none where they are there or a new variable would disturb."""
    loop = file.statement_at(repair.loop_at)
    if not isinstance(loop, cst.For | cst.While):
        raise FixError(f"a repair for a loop names a {type(loop).__name__}")
    lines = render(file.in_quotes("\n".join(repair.lines)), file.unit(loop))
    present = "\n".join(file.source(statement) for statement in statements(loop.body))
    if lines and _stripped(present)[: len(lines)] == _stripped("\n".join(lines)):
        return []
    if repair.rename_target is None or (isinstance(loop, cst.For) and is_name(loop.target, repair.rename_target)):
        return at_top(file, loop.body, lines)
    renamed = _rename(file, loop, repair.rename_target)
    return [*renamed, *(at_top(file, loop.body, lines) if lines else [])] if renamed else []


def move(file: FileTree, repair: MoveBefore) -> list[Edit]:
    """Return the edits that move a statement, with its comments, in front of another one.

    There are none where it stands there, where one of them is an ``elif``, or where the statement holds what must not
    be moved: its goal, or a string of several lines, whose white space has a meaning.
    """
    moved, goal = file.statement_at(repair.statement_at), file.statement_at(repair.before_at)
    inside = (moved, *walk(moved))
    strings = (node for node in inside if isinstance(node, cst.SimpleString | cst.FormattedString))
    if any(node is goal for node in inside) or any(len(file.source(string).splitlines()) > 1 for string in strings):
        return []
    if isinstance(file.parent(moved), cst.If) or in_front(file, goal)[-1:] == [moved]:
        return []
    alone = _is_alone(file, moved)
    first, last = commented_start(file, moved), file.line_of(file.end(moved))
    lines = [line.rstrip("\r\n") for line in file.lines[first : last + 1]] if alone else file.source(moved).splitlines()
    indentation = file.indentation_of(moved)
    inserted = before(file, goal, [line.removeprefix(indentation) for line in lines])
    return [*inserted, _remove(file, moved, first, last)] if inserted else []


def replace(file: FileTree, repair: ReplaceExpression) -> list[Edit]:
    """Return the edit that puts another expression in place of one, in parentheses where it needs them."""
    node = file.node(repair.at)
    if not isinstance(node, cst.BaseExpression):
        raise FixError(f"a repair for an expression names a {type(node).__name__}")
    try:
        new = cst.parse_expression(repair.text)
    except cst.ParserSyntaxError as error:
        raise FixError(f"a repair asks for {repair.text!r}, which is no expression") from error
    text = file.in_quotes(repair.text)
    if file.source(node) == text:
        return []
    _keep_comments(node)
    fits = isinstance(new, _PRIMARY) or bool(new.lpar) or bool(node.lpar)
    fits = fits or (isinstance(file.parent(node), _DELIMITED) and not isinstance(new, cst.Tuple))
    start, end = file.start(node), file.end(node)
    replaced = [Edit(start, end, text)]
    return replaced if fits else [Edit(start, start, "("), *replaced, Edit(end, end, ")")]


def replace_statement(file: FileTree, repair: ReplaceStatement) -> list[Edit]:
    """Return the edit that puts lines in place of a statement, none where it shares its line with another."""
    statement = file.statement_at(repair.at)
    if not _is_alone(file, statement):
        return []
    _keep_comments(statement)
    lines = render(file.in_quotes("\n".join(repair.lines)), file.unit(statement))
    first = file.line_of(file.start(statement))
    text = (file.newline(first) + file.indentation(first)).join(lines)
    return [Edit(file.start(statement), file.end(statement), text)] if text != file.source(statement) else []


def _keep_comments(replaced: cst.CSTNode) -> None:
    if any(isinstance(node, cst.Comment) for node in walk(replaced)):
        raise FixError("a comment inside of what is replaced would be lost")


def _stripped(source: str) -> list[str]:
    return [line.strip() for line in source.splitlines()]


def _rename(file: FileTree, loop: cst.For | cst.While, name: str) -> list[Edit]:
    """Return the edit that gives a loop its variable, none if a name is used already."""
    if not isinstance(loop, cst.For) or not isinstance(loop.target, cst.Name):
        return []
    scope: cst.CSTNode | None = loop
    while scope is not None and not isinstance(scope, cst.FunctionDef | cst.ClassDef | cst.Module):
        scope = file.parent(scope)
    if any(not _is_target(file, use) for use in _uses(file, loop.body, loop.target.value)):
        return []
    if any(_uses(file, scope or file.tree, name)):
        return []
    return [Edit(file.start(loop.target), file.end(loop.target), name)]


def _uses(file: FileTree, node: cst.CSTNode, name: str) -> Iterator[cst.CSTNode]:
    """Give the uses of a variable below a node; as an attribute or the keyword of an argument a name is none."""
    for found in walk(node):
        if is_name(found, name):
            holder = file.parent(found)
            is_attribute = isinstance(holder, cst.Attribute) and holder.attr is found
            if not is_attribute and not (isinstance(holder, cst.Arg) and holder.keyword is found):
                yield found


def _is_target(file: FileTree, use: cst.CSTNode) -> bool:
    """Return whether a name is bound where it stands, not read."""
    inner, holder = use, file.parent(use)
    while isinstance(holder, cst.Element | cst.StarredElement | cst.Tuple | cst.List):
        inner, holder = holder, file.parent(holder)
    return isinstance(holder, cst.AssignTarget | cst.For | cst.CompFor) and holder.target is inner


# --- taking a statement away -----------------------------------------------------------------------------------------


def _is_alone(file: FileTree, statement: Statement) -> bool:
    """Return whether a statement shares its line neither with another one nor with the head of its block."""
    holder = file.parent(statement)
    if isinstance(holder, cst.SimpleStatementLine):
        return len(holder.body) == 1
    return not isinstance(holder, cst.SimpleStatementSuite)


def _remove(file: FileTree, statement: Statement, first: int, last: int) -> Edit:
    """Take away a statement that, with its comments, makes up the lines ``first`` to ``last`` if it is alone there.

    A block that has nothing else gets ``pass``, but a plain ``if`` without effect goes as a whole.
    """
    holder = file.parent(statement)
    block = file.parent(holder) if isinstance(holder, cst.SimpleStatementLine) else holder
    assert isinstance(block, cst.BaseSuite | cst.Module)  # the only nodes that hold statements
    alone = _is_alone(file, statement)
    if isinstance(block, cst.BaseSuite) and len(statements(block)) == 1:
        head = file.parent(block)
        if isinstance(head, cst.If) and _can_go(file, head, range(first, last + 1) if alone else range(0)):
            return _cut_lines(file, file.line_of(file.start(head)), last, "")
        if alone:
            return _cut_lines(file, first, last, file.indentation(first) + "pass")
        return Edit(file.start(statement), file.end(statement), "pass")
    if alone:
        return _cut_lines(file, first, last, "")
    assert isinstance(holder, cst.SimpleStatementLine | cst.SimpleStatementSuite)  # what a line is shared in
    index = holder.body.index(statement)
    if index + 1 < len(holder.body):
        return Edit(file.start(statement), file.start(holder.body[index + 1]), "")
    return Edit(file.end(holder.body[index - 1]), file.end(statement), "")


def _cut_lines(file: FileTree, first: int, last: int, text: str) -> Edit:
    """Put ``text`` in place of whole lines, so that a missing final newline stays missing."""
    start, end = file.line_starts[first], file.line_starts[last + 1]
    ending = file.lines[last][len(file.lines[last].rstrip("\r\n")) :]
    if not text and not ending and first:
        start -= len(file.newline(first - 1))
    return Edit(start, end, text + ending if text else "")


def _can_go(file: FileTree, condition: cst.If, kept: range) -> bool:
    """Return whether an ``if`` with an empty block can be left out: no other branch, no effect, no comment lost.

    The lines of ``kept`` are moved elsewhere, comments and all.
    """
    if condition.orelse is not None or isinstance(file.parent(condition), cst.If):
        return False
    for node in (condition.test, *walk(condition.test)):
        asks = isinstance(node, cst.Call) and last_name(node) in _QUESTIONS
        if isinstance(node, cst.BaseExpression) and not isinstance(node, _WITHOUT_EFFECT) and not asks:
            return False
    lost = range(file.line_of(file.start(condition)), file.line_of(file.end(condition)) + 1)
    return not any("#" in file.lines[line] for line in lost if line not in kept)
