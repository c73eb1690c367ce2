"""A file that is mended in memory, the way the driver does it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import libcst as cst
import pytest

from lint_epoch.facts.visitor import nodes_of
from lint_epoch.fixes.filetree import FileTree
from lint_epoch.fixes.plan import edits_for_file
from lint_epoch.fixes.spans import apply
from lint_epoch.fixes.verify import verify
from lint_epoch.repairs import Repair
from lint_epoch.source.deep import run_deep
from lint_epoch.source.parsing import parse
from lint_epoch.source.text import read_source


class Opened:
    """One file on the disk, read and parsed, with ways to name its nodes."""

    def __init__(self, path: Path, content: str | bytes) -> None:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        self.path = str(path)
        self.source = read_source(path)
        self.tree = parse(self.source)
        self.nodes = run_deep(lambda: nodes_of(self.tree))
        self.file = FileTree(self.source.text, self.tree, self.nodes)

    def class_at(self, name: str) -> int:
        return self._first(lambda node: isinstance(node, cst.ClassDef) and node.name.value == name)

    def method_at(self, name: str) -> int:
        return self._first(lambda node: isinstance(node, cst.FunctionDef) and node.name.value == name)

    def statement_at(self, beginning: str) -> int:
        """Return the index of the first statement whose text begins so."""
        kinds = (cst.BaseStatement, cst.BaseSmallStatement)
        return self._first(lambda node: isinstance(node, kinds) and self.file.source(node).startswith(beginning))

    def expression_at(self, text: str) -> int:
        """Return the index of the first expression with this text."""
        return self._first(lambda node: isinstance(node, cst.BaseExpression) and self.file.source(node) == text)

    def _first(self, is_wanted: Callable[[cst.CSTNode], bool]) -> int:
        return next(at for at, node in enumerate(self.nodes) if is_wanted(node))

    def plan(self, *repairs: Repair) -> tuple[bytes, list[Repair]]:
        """Return the verified bytes of the mended file and the deferred repairs."""
        edits, deferred = edits_for_file(repairs, self.tree, self.source.text, self.nodes)
        after, left = apply(self.source.text, edits)
        assert left == []
        return verify(self.source, self.tree, edits, after), deferred

    def mend(self, *repairs: Repair) -> str:
        """Return the mended text, its line breaks as they are, where no repair is deferred."""
        data, deferred = self.plan(*repairs)
        assert deferred == []
        return data.decode()


@pytest.fixture
def opened(tmp_path: Path) -> Callable[[str | bytes], Opened]:
    return lambda content: Opened(tmp_path / "loaders.py", content)
