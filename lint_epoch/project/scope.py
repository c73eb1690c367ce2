"""What code can name at the start of a loop: which expressions reach an object there, and what an expression can be."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from lint_epoch.facts import records as r
from lint_epoch.project import walk
from lint_epoch.project.classes import DICT, LIST, ProjectClass
from lint_epoch.project.interpreter.core import RunStoppedError
from lint_epoch.project.interpreter.machine import Interpreter
from lint_epoch.project.memory import Cells
from lint_epoch.project.model import Project
from lint_epoch.project.state import Frame
from lint_epoch.project.values import Object, TupleValue, Value, ValueSet, unknown

#: Hops of an expression that reaches an object: `self.data.loaders["train"]` has three. A longer one is no code that
#: a person would write.
MOST_HOPS = 3

#: Objects looked into for one that is wanted; a configuration holds more than anybody would reach through.
MOST_LOOKED_INTO = 200


@dataclass(frozen=True, slots=True)
class Found:
    """An expression, and what it can be."""

    expression: r.AnyExpression
    values: ValueSet
    hops: int


class Scope:
    """The names of a frame as the memory holds them at some time."""

    def __init__(self, project: Project, frame: Frame, cells: Cells) -> None:
        self._project = project
        self.frame = frame
        self._cells = cells
        self._held: dict[int, dict[str, ValueSet]] = defaultdict(dict)
        for (uid, name), values in cells.items():
            self._held[uid][name] = values

    def has(self, name: str) -> bool:
        """Whether a variable is bound."""
        return any(known == name for known, _ in self._names())

    def values(self, expression: r.AnyExpression) -> ValueSet:
        """Return what an expression can be."""
        # An interpreter of its own: neither what it sees nor what a property makes is written down.
        interpreter = Interpreter(self._project)
        interpreter.frame = self.frame
        interpreter.cells = self._cells
        kept = self._project.instances
        self._project.instances = {cls: list(objects) for cls, objects in kept.items()}
        try:
            return interpreter.evaluate(expression)
        except (RunStoppedError, RecursionError) as error:
            return unknown(str(error))
        finally:
            self._project.instances = kept

    def reaching(self, wanted: Object) -> Iterator[Found]:
        """Yield the expressions that can be an object, short ones first."""
        level = [Found(r.Name(0, name), values, 1) for name, values in self._names()]
        seen: set[int] = set()
        while level:
            yield from (found for found in level if any(value is wanted for value in found.values))
            level = [
                inner
                for found in level
                if found.hops < MOST_HOPS
                for value in found.values
                for inner in self._inside(found, value, seen)
            ]

    def _names(self) -> Iterator[tuple[str, ValueSet]]:
        """Yield the variables that can be read, those of the function before the module's."""
        known: set[str] = set()
        frame: Frame | None = self.frame
        while frame is not None:
            for name, values in self._held[frame.uid].items():
                if name not in known:
                    known.add(name)
                    yield name, values
            frame = frame.closure
        for name, found in (self.frame.module.globals or {}).items():
            if name not in known and isinstance(found, tuple):
                yield name, found

    def _inside(self, holder: Found, value: Value, seen: set[int]) -> Iterator[Found]:
        if isinstance(value, TupleValue):
            for index, values in enumerate(value.elements):
                yield Found(r.Subscript(0, holder.expression, r.Constant(0, index)), values, holder.hops + 1)
        if not isinstance(value, Object) or value.uid in seen or len(seen) >= MOST_LOOKED_INTO:
            return
        seen.add(value.uid)
        for name, values in {**value.base, **self._held[value.uid]}.items():
            expression = self._part(holder.expression, value, name)
            if expression is not None:
                yield Found(expression, values, holder.hops + 1)

    def _part(self, holder: r.AnyExpression, value: Object, name: str) -> r.AnyExpression | None:
        """Return the expression of an attribute or item; ``None`` for what code here should not reach into."""
        if value.cls in (LIST, DICT):
            key = _key(name)
            return r.Subscript(0, holder, r.Constant(0, key)) if key is not None else None
        if not isinstance(value.cls, ProjectClass) or not name.isidentifier():
            return None
        is_own = value is self.frame.self_value
        return r.Attribute(0, holder, name) if is_own or not name.startswith("_") else None


def _key(cell: str) -> str | int | None:
    """Return the key of an item's cell (``['train']``), ``None`` for cells that stand for several or none."""
    if not cell.startswith("[") or cell == "[]":
        return None
    try:
        key = ast.literal_eval(cell[1:-1])
    except ValueError:  # a number that is no literal: infinity
        return None
    return key if isinstance(key, int) or (isinstance(key, str) and key.isidentifier()) else None


def root_of(expression: r.AnyExpression) -> str:
    """Return the variable that an expression of names, attributes and items begins with."""
    while isinstance(expression, r.Attribute | r.Subscript):
        expression = expression.value
    return expression.id if isinstance(expression, r.Name) else ""


def names_bound(block: r.Block) -> set[str]:
    """Return the variables and the attributes that statements bind, those inside of nested functions too."""
    found: set[str] = set()
    for item in (inside for statement in block for inside in walk.descendants(statement)):
        for target in _targets_in(item):
            found.add(target.id if isinstance(target, r.Name) else target.attr)
        found.update(_named_by(item))
    return found


def times_bound(code: object, name: str) -> int:
    """Return how often code binds a variable or an attribute of that name."""
    items = list(walk.descendants(code))
    targets = [target for item in items for target in _targets_in(item)]
    bound = sum((target.id if isinstance(target, r.Name) else target.attr) == name for target in targets)
    return bound + sum(name in _named_by(item) for item in items)


def reads(code: object, name: str) -> bool:
    """Whether code reads a variable, rather than only binding it."""
    items = list(walk.descendants(code))
    bound = {id(target) for item in items for target in _targets_in(item)}
    return any(isinstance(item, r.Name) and item.id == name and id(item) not in bound for item in items)


def _targets_in(item: object) -> Iterator[r.Name | r.Attribute]:
    """Yield what a record binds by an expression: variables and attributes."""
    match item:
        case r.Assign(targets=targets, value=value) if value is not None:
            for target in targets:
                yield from _parts_of(target)
        case r.Delete(targets=targets):
            for target in targets:
                yield from _parts_of(target)
        case r.AugmentedAssign() | r.For() | r.Walrus() | r.Generator() | r.WithItem():
            yield from _parts_of(item.target)


def _parts_of(target: r.AnyExpression | None) -> Iterator[r.Name | r.Attribute]:
    match target:
        case r.Name() | r.Attribute():
            yield target
        case r.Sequence(elements=elements):
            for element in elements:
                yield from _parts_of(element)
        case r.Starred(value=value):
            yield from _parts_of(value)


def _named_by(item: object) -> tuple[str, ...]:
    """Return the names that a record binds by itself."""
    match item:
        case r.Import(module=module, alias=alias):
            return (alias or module.partition(".")[0],)
        case r.ImportFrom(names=imported):
            return tuple(name.alias for name in imported)
        case r.FunctionDef(name=name) | r.ClassDef(name=name) | r.Handler(name=str(name)):
            return (name,)
        case r.Case(names=names):
            return names
        case _:
            return ()
