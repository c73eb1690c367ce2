"""Inserting whole lines beside a statement, wherever it stands.

A statement that shares its line with others, or with the head of its block, gets a line of its own, so that what is
inserted can always be whole lines at the statement's indentation.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

import libcst as cst

from lint_epoch.fixes.errors import FixError
from lint_epoch.fixes.filetree import FileTree, Statement
from lint_epoch.fixes.spans import Edit


def render(source: str, unit: str) -> list[str]:
    """Return the lines, without line breaks, of statements given as source, one level of which is then ``unit``.

    Raises:
        FixError: the source is not valid.
    """
    try:
        parsed = cst.parse_module(source)
    except cst.ParserSyntaxError as error:
        raise FixError(f"a repair asks for {source!r}, which is not valid Python") from error
    return parsed.with_changes(default_indent=unit).code.splitlines()


def before(file: FileTree, statement: Statement, lines: Sequence[str]) -> list[Edit]:
    """Return the edits that put ``lines`` in front of a statement and of the comments right above it.

    There are none where no statement can stand, which is in front of an ``elif``.
    """
    holder = file.parent(statement)
    if isinstance(holder, cst.If):
        return []
    opened = [_open(file, holder, ())] if isinstance(holder, cst.SimpleStatementSuite) else []
    if isinstance(holder, cst.SimpleStatementLine | cst.SimpleStatementSuite) and holder.body[0] is not statement:
        return [*opened, _break(file, holder.body[holder.body.index(statement) - 1], statement, lines)]
    if isinstance(holder, cst.SimpleStatementSuite):
        return [_open(file, holder, lines)]
    return [_at_line(file, commented_start(file, statement), file.indentation_of(statement), lines)]


def after(file: FileTree, statement: Statement, lines: Sequence[str]) -> list[Edit]:
    """Return the edits that put ``lines`` behind a statement and the comments that belong to its end."""
    holder = file.parent(statement)
    opened = [_open(file, holder, ())] if isinstance(holder, cst.SimpleStatementSuite) else []
    if isinstance(holder, cst.SimpleStatementLine | cst.SimpleStatementSuite) and holder.body[-1] is not statement:
        return [*opened, _break(file, statement, holder.body[holder.body.index(statement) + 1], lines)]
    return [*opened, _at_line(file, commented_end(file, statement), own_indentation(file, statement), lines)]


def at_top(file: FileTree, body: cst.BaseSuite, lines: Sequence[str]) -> list[Edit]:
    """Return the edits that put ``lines`` first in a block, right below its head."""
    first = statements(body)[0]
    if isinstance(body, cst.SimpleStatementSuite):
        return before(file, first, lines)
    line = file.line_of(file.start(first))
    while not _is_code(file.lines[line - 1]):
        line -= 1
    return [_at_line(file, line, file.indentation_of(first), lines)]


def behind_docstring(file: FileTree, body: cst.BaseSuite, lines: Sequence[str]) -> list[Edit]:
    """Return the edits that put ``lines`` first in a function's block, but behind its docstring."""
    first, *others = statements(body)
    if not is_docstring(first):
        return at_top(file, body, lines)
    return before(file, others[0], lines) if others else after(file, first, lines)


# --- what belongs to a statement -------------------------------------------------------------------------------------


def own_indentation(file: FileTree, statement: Statement) -> str:
    """Return the indentation of a statement, once it has a line of its own."""
    holder = file.parent(statement)
    if isinstance(holder, cst.SimpleStatementSuite):
        return _suite_indentation(file, holder)
    return file.indentation_of(holder if isinstance(holder, cst.SimpleStatementLine) else statement)


def commented_start(file: FileTree, statement: Statement) -> int:
    """Return the line in which a statement starts, or the first of the comment lines right above it.

    Comments count at the statement's indentation. Those that start the file (a shebang, an encoding) belong to it.
    """
    first = line = file.line_of(file.start(statement))
    while line and _comment_indentation(file, line - 1) == file.indentation(first):
        line -= 1
    return line or first


def commented_end(file: FileTree, statement: Statement) -> int:
    """Return the line behind the last line of a statement and of the comments that belong to its end.

    These are comments indented deeper than it, and comments at its own level that touch it but not what follows.
    """
    indentation = own_indentation(file, statement)
    line = end = file.line_of(file.end(statement)) + 1
    touching = True
    while line < len(file.lines) and not _is_code(file.lines[line]):
        comment = _comment_indentation(file, line)
        if comment is None:
            end, touching = (line if touching else end), False
        elif not comment.startswith(indentation):
            return line if touching else end
        elif comment != indentation:
            end = line + 1
        line += 1
    return line if touching and line == len(file.lines) else end


def statements(body: cst.BaseSuite | cst.Module) -> list[Statement]:
    """Return a block's statements in order; those that share a line are listed one by one."""
    found: list[Statement] = []
    for item in body.body:
        if isinstance(item, cst.SimpleStatementLine):
            found.extend(item.body)
        elif isinstance(item, cst.BaseStatement | cst.BaseSmallStatement):
            found.append(item)
    return found


def in_front(file: FileTree, statement: Statement) -> list[Statement]:
    """Return the statements in front of one in its block."""
    block = file.parent(statement)
    if isinstance(block, cst.SimpleStatementLine):
        block = file.parent(block)
    if not isinstance(block, cst.BaseSuite | cst.Module):
        return []
    return list(takewhile(lambda other: other is not statement, statements(block)))


def is_docstring(statement: cst.CSTNode) -> bool:
    """Return whether a statement is nothing but a string."""
    return isinstance(statement, cst.Expr) and isinstance(statement.value, cst.SimpleString | cst.ConcatenatedString)


def _comment_indentation(file: FileTree, line: int) -> str | None:
    """Return the white space in front of the comment that makes up a line, ``None`` for any other line."""
    return file.indentation(line) if file.lines[line].lstrip().startswith("#") else None


def _is_code(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


# --- giving lines their place ----------------------------------------------------------------------------------------


def _at_line(file: FileTree, line: int, indentation: str, lines: Sequence[str]) -> Edit:
    """Put ``lines`` at the start of a line, or behind the end of a text without a final newline."""
    indented = [indentation + item if item else "" for item in lines]
    if line < len(file.lines):
        place, newline = file.line_starts[line], file.newline(line)
        return Edit(place, place, "".join(item + newline for item in indented))
    place, newline = len(file.text), file.newline(line - 1)
    return Edit(place, place, "".join(newline + item for item in indented))


def _suite_indentation(file: FileTree, suite: cst.SimpleStatementSuite) -> str:
    head = file.parent(suite)
    assert head is not None  # a suite always has the statement that it is the body of
    return file.indentation_of(head) + file.unit(head)


def _open(file: FileTree, suite: cst.SimpleStatementSuite, lines: Sequence[str]) -> Edit:
    """Move the statements behind a colon to a line of their own, below ``lines``."""
    start = file.start(suite.body[0])
    colon = start - len(suite.leading_whitespace.value) - 1
    separator = file.newline(file.line_of(start)) + _suite_indentation(file, suite)
    return Edit(colon, start, ":" + separator + "".join(line + separator for line in lines))


def _break(file: FileTree, left: Statement, right: Statement, lines: Sequence[str]) -> Edit:
    """Put ``lines`` between two statements that share a line."""
    start = file.start(right)
    separator = file.newline(file.line_of(start)) + own_indentation(file, right)
    return Edit(file.end(left), start, separator + "".join(line + separator for line in lines))
