"""One file as text and as tree: where its nodes stand, and how its lines are indented and ended."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from lint_epoch.fixes.errors import FixError
from lint_epoch.fixes.spans import Offsets, split_lines
from lint_epoch.source.deep import run_deep

Statement = cst.BaseStatement | cst.BaseSmallStatement

_INDENTATION = re.compile(r"[ \t\f]*")
_WORD = re.compile(r"(?<!\")\"(\w+)\"(?!\")")


@dataclass
class FileTree:
    """A file's decoded text (without a byte order mark), its tree fresh from the parser, and its numbered nodes."""

    text: str
    tree: cst.Module
    nodes: Sequence[cst.CSTNode]

    def node(self, at: int) -> cst.CSTNode:
        """Return the node with the index ``at`` in the facts visitor's order."""
        if not 0 <= at < len(self.nodes):
            raise FixError(f"a repair names node {at} of {len(self.nodes)}")
        return self.nodes[at]

    def class_at(self, at: int) -> cst.ClassDef:
        """Return the class with the index ``at``."""
        node = self.node(at)
        if not isinstance(node, cst.ClassDef):
            raise FixError(f"a repair for a class names a {type(node).__name__}")
        return node

    def statement_at(self, at: int) -> Statement:
        """Return the innermost statement that holds the node with the index ``at``."""
        node: cst.CSTNode | None = self.node(at)
        while node is not None and not isinstance(node, cst.BaseStatement | cst.BaseSmallStatement):
            node = self.parent(node)
        if node is None:
            raise FixError("a repair for a statement names a node outside every statement")
        return node

    # --- the tree ------------------------------------------------------------------------------------------------

    @cached_property
    def _parents(self) -> dict[cst.CSTNode, cst.CSTNode]:
        return {child: holder for holder in (self.tree, *walk(self.tree)) for child in holder.children}

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """Return the node that holds ``node``, ``None`` for the module."""
        return self._parents.get(node)

    def enclosing_method(self, node: cst.CSTNode, owner: cst.ClassDef) -> cst.FunctionDef | None:
        """Return the method of ``owner`` in which ``node`` stands, the outermost one where functions nest."""
        found = None
        holder: cst.CSTNode | None = node
        while holder is not None and holder is not owner:
            if isinstance(holder, cst.FunctionDef):
                found = holder
            holder = self.parent(holder)
        return found if holder is owner else None

    def enclosing_class(self, node: cst.CSTNode) -> cst.ClassDef | None:
        """Return the innermost class around ``node``."""
        holder = self.parent(node)
        while holder is not None and not isinstance(holder, cst.ClassDef):
            holder = self.parent(holder)
        return holder

    # --- places --------------------------------------------------------------------------------------------------

    @cached_property
    def _ranges(self) -> Mapping[cst.CSTNode, CodeRange]:
        # The tree is fresh from the parser and is not edited, so it needs no copy (which costs as much as parsing).
        wrapper = MetadataWrapper(self.tree, unsafe_skip_copy=True)
        return run_deep(lambda: wrapper.resolve(PositionProvider))

    @cached_property
    def _offsets(self) -> Offsets:
        return Offsets(self.text, run_deep(lambda: self.tree.code))

    def start(self, node: cst.CSTNode) -> int:
        """Return the offset of the node's first code point, that of the first decorator if it has one.

        Parentheses round an expression, comments and white space do not count.
        """
        decorators = node.decorators if isinstance(node, cst.FunctionDef | cst.ClassDef) else ()
        place = self._ranges[decorators[0] if decorators else node].start
        return self._offsets.start(place.line, place.column)

    def end(self, node: cst.CSTNode) -> int:
        """Return the offset behind the node's last code point."""
        place = self._ranges[node].end
        return self._offsets.end(place.line, place.column)

    def source(self, node: cst.CSTNode) -> str:
        """Return the node's own text."""
        return self.text[self.start(node) : self.end(node)]

    @cached_property
    def _prefers_single_quotes(self) -> bool:
        quotes = Counter(node.quote for node in walk(self.tree) if isinstance(node, cst.SimpleString))
        return quotes["'"] > quotes['"']

    def in_quotes(self, source: str) -> str:
        """Return source that has words in double quotes, with the quotes that most strings of the file have."""
        return _WORD.sub(r"'\1'", source) if '"' in source and self._prefers_single_quotes else source

    # --- lines ---------------------------------------------------------------------------------------------------

    @cached_property
    def lines(self) -> list[str]:
        """The lines with their ends; the last one has none and may be empty."""
        lines = split_lines(self.text)
        return lines if lines and lines[-1][-1] not in "\r\n" else [*lines, ""]

    @cached_property
    def line_starts(self) -> list[int]:
        """For each line the offset of its first code point, and the text's length as one more."""
        return list(accumulate(map(len, self.lines), initial=0))

    def line_of(self, offset: int) -> int:
        """Return the index, from 0, of the line that holds an offset."""
        return min(bisect_right(self.line_starts, offset), len(self.lines)) - 1

    def newline(self, line: int) -> str:
        """Return the line break at the end of a line, or of the one before it, or else the module's."""
        for candidate in self.lines[max(line - 1, 0) : line + 1][::-1]:
            if found := re.search(r"(?:\r\n|\r|\n)\Z", candidate):
                return found.group()
        return self.tree.default_newline

    def indentation(self, line: int) -> str:
        """Return the white space in front of a line; a form feed is none."""
        found = _INDENTATION.match(self.lines[line])
        return found.group().rpartition("\f")[2] if found else ""

    def indentation_of(self, node: cst.CSTNode) -> str:
        """Return the white space in front of the line in which a statement starts."""
        return self.indentation(self.line_of(self.start(node)))

    def unit(self, node: cst.CSTNode) -> str:
        """Return one level of indentation as used nearest to ``node``: in it, else round it, else in the module."""
        holder: cst.CSTNode | None = node
        while holder is not None:
            body = getattr(holder, "body", None)
            if isinstance(body, cst.IndentedBlock) and body.indent is not None:
                return body.indent.replace("\f", "")
            if isinstance(body, cst.IndentedBlock):
                break
            holder = self.parent(holder)
        return self.tree.default_indent.replace("\f", "") or "    "


def walk(node: cst.CSTNode, *, closed: tuple[type[cst.CSTNode], ...] = ()) -> Iterator[cst.CSTNode]:
    """Give the nodes below ``node`` in source order, without what is inside nodes of the ``closed`` types."""
    stack = list(reversed(node.children))
    while stack:
        found = stack.pop()
        yield found
        if not isinstance(found, closed):
            stack.extend(reversed(found.children))


def is_name(node: cst.CSTNode, value: str) -> bool:
    """Return whether a node is the bare name ``value``."""
    return isinstance(node, cst.Name) and node.value == value


def last_name(node: cst.CSTNode) -> str:
    """Return the last part of a dotted name, called or not; empty for anything else."""
    if isinstance(node, cst.Call):
        node = node.func
    if isinstance(node, cst.Attribute):
        node = node.attr
    return node.value if isinstance(node, cst.Name) else ""
