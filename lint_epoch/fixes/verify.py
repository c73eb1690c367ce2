"""Holding a mended text against the original before it is written.

Three things must hold, whatever the edits were meant to do: the bytes outside their spans are the same, the result
parses, and its tree without what the edits brought equals the old tree without what they took away.
"""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import cache
from itertools import zip_longest

import libcst as cst

from lint_epoch.fixes.errors import FixError
from lint_epoch.fixes.filetree import FileTree, walk
from lint_epoch.fixes.spans import Edit, in_order
from lint_epoch.source.parsing import parse
from lint_epoch.source.text import Source, SourceError

Span = tuple[int, int]

#: Fields of libcst's nodes that hold white space, comments and what only lays out statements.
_LAYOUT = frozenset({"leading_lines", "lines_after_decorators", "header", "footer", "semicolon", "indent"})
_LAYOUT |= {"leading_whitespace", "trailing_whitespace"}


def verify(source: Source, tree: cst.Module, edits: Sequence[Edit], after: str) -> bytes:
    """Return the bytes of the mended file.

    Args:
        source: the file as it was read.
        tree: its tree.
        edits: the edits made, none of which overlap.
        after: the text with the edits made.

    Raises:
        FixError: something outside the edits has changed, the new text does not parse, or it cannot be encoded.
    """
    pairs = list(_spans(edits))
    try:
        data = source.encode(after)
        _compare_bytes(source, after, data, pairs)
        new_tree = _parse(source, after, data)
        _compare_trees(FileTree(source.text, tree, ()), FileTree(after, new_tree, ()), edits, pairs)
    except SourceError as error:
        raise FixError(error.message) from error
    return data


def _spans(edits: Sequence[Edit]) -> Iterator[tuple[Span, Span]]:
    """Give for each edit, by place, the span in the old text and the span of what stands there in the new one."""
    shift = 0
    for edit in in_order(edits):
        start = edit.start + shift
        yield (edit.start, edit.end), (start, start + len(edit.text))
        shift += len(edit.text) - (edit.end - edit.start)


def _compare_bytes(source: Source, after: str, data: bytes, pairs: Sequence[tuple[Span, Span]]) -> None:
    if source.encode(source.text) != source.data:
        raise FixError("the file's bytes are not what its own encoding makes of its text, so it cannot be rewritten")
    old_start = new_start = 0
    for (old_from, old_to), (new_from, new_to) in (*pairs, ((len(source.text),) * 2, (len(after),) * 2)):
        old_end, new_end = len(source.encode(source.text[:old_from])), len(source.encode(after[:new_from]))
        if source.data[old_start:old_end] != data[new_start:new_end]:
            raise FixError("the fix would have changed bytes outside its own lines")
        old_start, new_start = len(source.encode(source.text[:old_to])), len(source.encode(after[:new_to]))


def _parse(source: Source, after: str, data: bytes) -> cst.Module:
    if _is_valid(source.text) and not _is_valid(after):
        raise FixError("the fix would have made the file invalid for this Python")
    try:
        mended = Source(path=source.path, data=data, text=after, encoding=source.encoding, has_bom=source.has_bom)
        return parse(mended)
    except SourceError as error:
        place = f"line {error.line} " if error.line is not None else ""
        raise FixError(f"the fix would have made the file invalid: {place}{error.message}") from error


def _is_valid(text: str) -> bool:
    """Return whether the running Python reads the text; it may be older than the text's syntax."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the analysed code, not about ours
        try:
            ast.parse(text)
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            return False
    return True


def _compare_trees(old: FileTree, new: FileTree, edits: Sequence[Edit], pairs: Sequence[tuple[Span, Span]]) -> None:
    taken = [span for span, _ in pairs if span[0] < span[1]]
    brought = [span for _, span in pairs if span[0] < span[1]]
    replaced = [pair for pair in pairs if pair[0] in taken and pair[1] in brought]
    before = _outline(old, old.tree, taken, [span for span, _ in replaced])
    after = _outline(new, new.tree, brought, [span for _, span in replaced])
    if any(one != other for one, other in zip_longest(before, after)):
        raise FixError("the fix would have changed the meaning of code that it does not touch")
    deletions = [
        (edit.start, edit.end) for edit in edits if edit.start < edit.end and edit.text.strip() in ("", "pass")
    ]
    if deletions and _simple_statements(old, deletions) - _simple_statements(new, brought):
        raise FixError("the fix would have lost a statement")


def _outline(
    file: FileTree, node: cst.CSTNode, spans: Sequence[Span], expressions: Sequence[Span] = ()
) -> Iterator[object]:
    """Give what a tree means, in order: no layout, and no statements inside ``spans``.

    An expression that is one of ``expressions`` is only marked. There is no recursion: trees are as deep as sums are
    long.
    """
    stack: list[object] = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, list | tuple):
            yield len(item)
            stack.extend(reversed(item))
        elif not isinstance(item, cst.CSTNode):
            yield item
        elif isinstance(item, cst.SimpleStatementLine):
            stack.extend(reversed(item.body))
        elif isinstance(item, cst.BaseSuite | cst.Module):
            yield "block"
            stack.append("end of block")
            stack.extend(reversed(item.body))
        elif spans and isinstance(item, cst.BaseStatement | cst.BaseSmallStatement) and _is_inside(file, item, spans):
            continue
        elif expressions and isinstance(item, cst.BaseExpression) and _is_one_of(file, item, expressions):
            yield "replaced"
        else:
            yield type(item)
            stack.extend(getattr(item, name) for name in reversed(_meaningful(type(item))))


@cache
def _meaningful(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    names = (field.name for field in fields(kind))
    return tuple(name for name in names if name not in _LAYOUT and not name.startswith("whitespace"))


def _is_inside(file: FileTree, node: cst.CSTNode, spans: Sequence[Span]) -> bool:
    start, end = file.start(node), file.end(node)
    return any(first <= start and end <= last for first, last in spans)


def _is_one_of(file: FileTree, node: cst.CSTNode, spans: Sequence[Span]) -> bool:
    return (file.start(node), file.end(node)) in spans


def _simple_statements(file: FileTree, spans: Sequence[Span]) -> Counter[tuple[object, ...]]:
    """Return the simple statements inside the spans, but for ``pass``."""
    found = (node for node in walk(file.tree) if isinstance(node, cst.BaseSmallStatement))
    return Counter(
        tuple(_outline(file, node, ()))
        for node in found
        if not isinstance(node, cst.Pass) and _is_inside(file, node, spans)
    )
