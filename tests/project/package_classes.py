"""What the classes of an unpacked package have, read from its text: nothing is imported or run."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

#: Re-exports of re-exports; real packages have three.
DEEPEST_EXPORT = 8


@dataclass
class PackageClass:
    """A class statement of a package."""

    name: str
    node: ast.ClassDef
    module: str
    bases: list[PackageClass | str] = field(default_factory=list)
    """In order; the dotted name of one that lies outside of the package."""

    def chain(self) -> Iterator[PackageClass | str]:
        """This class and its bases, nearest first."""
        yield self
        for base in self.bases:
            if isinstance(base, PackageClass):
                yield from base.chain()
            else:
                yield base

    @functools.cached_property
    def members(self) -> set[str]:
        """The names that the class's own body, or a method of it through ``self``, defines."""
        found: set[str] = set()
        for statement in self.node.body:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                found.add(statement.name)
                found |= {
                    node.attr
                    for node in ast.walk(statement)
                    if isinstance(node, ast.Attribute)
                    and isinstance(node.ctx, ast.Store)
                    and isinstance(node.value, ast.Name)
                    and node.value.id == "self"
                }
            elif isinstance(statement, ast.Assign):
                found |= {target.id for target in statement.targets if isinstance(target, ast.Name)}
            elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                found.add(statement.target.id)
        return found

    @functools.cached_property
    def parameters(self) -> list[str] | None:
        """The constructor's own parameters in order, without ``self``; ``None`` if it has none of its own."""
        for statement in self.node.body:
            if isinstance(statement, ast.FunctionDef) and statement.name == "__init__":
                arguments = statement.args
                return [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)][1:]
        return None

    @property
    def takes_any(self) -> bool:
        """Whether the constructor takes any positional arguments."""
        return any(
            isinstance(statement, ast.FunctionDef)
            and statement.name == "__init__"
            and statement.args.vararg is not None
            for one in self.chain()
            if isinstance(one, PackageClass)
            for statement in one.node.body
        )


class Package:
    """The modules below a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._trees: dict[str, ast.Module | None] = {}
        self._classes: dict[tuple[str, str], PackageClass] = {}

    def tree(self, module: str) -> ast.Module | None:
        """Return a module's tree; ``None`` if there is no such module that this Python can read."""
        if module not in self._trees:
            self._trees[module] = None
            for path in (self._file(module), self._file(module).with_suffix("") / "__init__.py"):
                if path.is_file():
                    self._trees[module] = ast.parse(path.read_bytes())
        return self._trees[module]

    def _file(self, module: str) -> Path:
        return self.root.joinpath(*module.split(".")).with_suffix(".py")

    def _is_folder(self, module: str) -> bool:
        return self.root.joinpath(*module.split("."), "__init__.py").is_file()

    def find(self, dotted: str) -> PackageClass | str | None:
        """Return the class of a dotted name, the outside name that it stands for, or ``None``."""
        module, _, name = dotted.rpartition(".")
        return self.look_up(module, name)

    def look_up(self, module: str, name: str, depth: int = 0) -> PackageClass | str | None:
        """Return what a module's name stands for, through re-exports."""
        tree = self.tree(module)
        if tree is None:
            return f"{module}.{name}" if not self._is_ours(module) else None
        if depth > DEEPEST_EXPORT:
            return None
        for node in self._statements(tree.body):
            if isinstance(node, ast.ClassDef) and node.name == name:
                return self._class_of(module, node)
        for node in self._statements(tree.body):
            if isinstance(node, ast.ImportFrom):
                source = self._absolute(module, node)
                for alias in node.names:
                    if alias.name == "*" and self._is_ours(source):
                        found = self.look_up(source, name, depth + 1)
                        if found is not None:
                            return found
                    elif (alias.asname or alias.name) == name:
                        return self.look_up(source, alias.name, depth + 1)
            elif isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
                return self._value_of(module, node.value)
        return None

    def _value_of(self, module: str, node: ast.expr) -> PackageClass | str | None:
        """Return what an expression that names a class stands for."""
        if isinstance(node, ast.Subscript):
            return self._value_of(module, node.value)
        text = ast.unparse(node)
        first, _, rest = text.partition(".")
        if not rest:
            return self.look_up(module, text) or text
        tree = self.tree(module)
        for statement in self._statements(tree.body) if tree is not None else ():
            if isinstance(statement, ast.Import):
                for alias in statement.names:
                    if (alias.asname or alias.name.partition(".")[0]) == first:
                        return self.find(f"{alias.name if alias.asname else first}.{rest}")
            elif isinstance(statement, ast.ImportFrom):
                for alias in statement.names:
                    if (alias.asname or alias.name) == first:
                        return self.find(f"{self._absolute(module, statement)}.{alias.name}.{rest}")
        return text

    def _class_of(self, module: str, node: ast.ClassDef) -> PackageClass:
        key = (module, node.name)
        if key not in self._classes:
            made = self._classes[key] = PackageClass(node.name, node, module)
            made.bases = [self._value_of(module, base) or ast.unparse(base) for base in node.bases]
        return self._classes[key]

    def _absolute(self, module: str, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = module.split(".")
        kept = parts[: len(parts) - node.level + (1 if self._is_folder(module) else 0)]
        return ".".join([*kept, *(node.module.split(".") if node.module else [])])

    def _is_ours(self, module: str) -> bool:
        return (self.root / module.partition(".")[0]).is_dir()

    def _statements(self, body: list[ast.stmt]) -> Iterator[ast.stmt]:
        """The statements of a module, those in ``if`` and ``try`` included."""
        for statement in body:
            yield statement
            if isinstance(statement, ast.If):
                yield from self._statements([*statement.body, *statement.orelse])
            elif isinstance(statement, ast.Try):
                yield from self._statements([*statement.body, *statement.orelse])
                for handler in statement.handlers:
                    yield from self._statements(handler.body)
