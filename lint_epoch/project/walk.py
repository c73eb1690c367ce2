"""Walks over records that need no inference: which names a function mentions, what it puts into ``self``."""

from __future__ import annotations

import functools
import typing
from collections.abc import Iterator
from typing import Any

import msgspec

from lint_epoch.facts import records as r


def children(node: Any) -> list[Any]:
    """Return the records directly inside a record, in source order."""
    found: list[Any] = []
    kind: Any = type(node)
    for field in reversed(_nested_fields(kind)):
        value = getattr(node, field)
        if value.__class__ is tuple:
            found.extend([item for item in value if isinstance(item, msgspec.Struct)])
        elif isinstance(value, msgspec.Struct):
            found.append(value)
    return found


@functools.cache
def _nested_fields(kind: Any) -> tuple[str, ...]:
    """Return the fields of a record that can hold records, the last one first."""
    names = [field.name for field in msgspec.structs.fields(kind) if not _is_plain(field.type)]
    return tuple(reversed(names))


def _is_plain(kind: Any) -> bool:
    """Whether a type is made of numbers, strings and literals alone."""
    if kind in (int, str, float, bool, type(None)):
        return True
    inside = typing.get_args(kind)
    if typing.get_origin(kind) is typing.Literal:
        return True
    return bool(inside) and all(part is Ellipsis or _is_plain(part) for part in inside)


def descendants(node: Any) -> Iterator[Any]:
    """Yield a record and all records inside it, in source order, without recursion."""
    return _walk(node, ())


def _walk(node: Any, closed: tuple[type, ...]) -> Iterator[Any]:
    """Yield a record and those inside it, but not what is inside records of the closed kinds."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        kind: Any = type(current)
        if kind in closed and current is not node:
            continue
        for field in _nested_fields(kind):
            value = getattr(current, field)
            if value.__class__ is tuple:
                stack.extend([item for item in reversed(value) if isinstance(item, msgspec.Struct)])
            elif isinstance(value, msgspec.Struct):
                stack.append(value)


def definitions(block: r.Block) -> Iterator[r.FunctionDef | r.ClassDef]:
    """Yield the functions and classes that a body defines, also under ``if`` and ``try``."""
    for statement in block:
        if isinstance(statement, r.FunctionDef | r.ClassDef):
            yield statement
        elif isinstance(statement, r.If):
            yield from definitions(statement.body)
            yield from definitions(statement.orelse)
        elif isinstance(statement, r.Try):
            yield from definitions(statement.body)
            for handler in statement.handlers:
                yield from definitions(handler.body)
            yield from definitions(statement.orelse)


def last_name(node: r.AnyExpression) -> str:
    """Return the last part of a name, attribute or call's function: ``dataclass`` of ``@dataclasses.dataclass()``."""
    while isinstance(node, r.Call):
        node = node.func
    if isinstance(node, r.Attribute):
        return node.attr
    return node.id if isinstance(node, r.Name) else ""


#: The records of which ``mentions`` is asked, apart from modules.
_MENTIONING = (r.FunctionDef, r.ClassDef, r.Lambda)


def names_in(annotation: r.AnyExpression | None) -> set[str]:
    """Return the names in an annotation, of dotted ones the last part: ``DataLoader`` of ``data.DataLoader | None``."""
    if annotation is None:
        return set()
    return {last_name(item) for item in descendants(annotation) if isinstance(item, r.Name | r.Attribute)}


_mentions: dict[int, tuple[Any, frozenset[str]]] = {}


def mentions(node: r.FunctionDef | r.ClassDef | r.Lambda | r.Module) -> frozenset[str]:
    """Return the names and attributes that occur inside a record, and the words of its string keys."""
    known = _mentions.get(id(node))
    if known is not None and known[0] is node:
        return known[1]
    found: set[str] = set()
    for item in _walk(node, _MENTIONING):
        kind = type(item)
        if kind is r.Name:
            found.add(item.id)
        elif kind is r.Attribute:
            found.add(item.attr)
        elif kind is r.Parameter:
            found.add(item.name)
        elif kind in _MENTIONING:
            if kind is not r.Lambda:
                found.add(item.name)
            if item is not node:
                # What is nested is asked for by itself too, so that each record is walked over once.
                found |= mentions(item)
    result = frozenset(found)
    # Records are kept alive by the table, so that an id cannot be used again for another one.
    _mentions[id(node)] = (node, result)
    return result


_called: dict[int, tuple[Any, frozenset[str]]] = {}


def called(node: r.FunctionDef | r.ClassDef | r.Lambda) -> frozenset[str]:
    """Return the last names of what is called inside a record, given to a call, or used as a decorator or base."""
    known = _called.get(id(node))
    if known is not None and known[0] is node:
        return known[1]
    found: set[str] = set()
    for item in descendants(node):
        if isinstance(item, r.Call):
            # Putting a model into training mode calls nothing of a trainer's.
            if not (isinstance(item.func, r.Attribute) and item.func.attr in ("train", "eval") and not item.arguments):
                found.add(last_name(item))
            found.update(_given_name(argument.value) for argument in item.arguments)
        elif isinstance(item, r.FunctionDef | r.ClassDef):
            found.update(last_name(decorator) for decorator in item.decorators)
            if isinstance(item, r.ClassDef):
                found.update(last_name(base) for base in item.bases)
        elif isinstance(item, r.Return | r.Assign) and item.value is not None:
            found.add(item.value.id if isinstance(item.value, r.Name) else "")
        elif isinstance(item, r.Mapping | r.Sequence):
            parts = item.values if isinstance(item, r.Mapping) else item.elements
            found.update(part.id for part in parts if isinstance(part, r.Name))
    found.discard("")
    result = frozenset(found)
    _called[id(node)] = (node, result)
    return result


def _given_name(node: r.AnyExpression) -> str:
    """Return the name of a function, class or method that is given to a call."""
    return last_name(node) if isinstance(node, r.Name | r.Attribute) else ""


def forget() -> None:
    """Forget what was computed for records of a former project."""
    _mentions.clear()
    _called.clear()


def self_name(function: r.FunctionDef) -> str:
    """Return the name of a method's first parameter."""
    return function.parameters[0].name if function.parameters else ""


def self_attributes(function: r.FunctionDef) -> Iterator[str]:
    """Yield the attributes of ``self`` that a method binds."""
    own = self_name(function)
    for item in descendants(function):
        targets: tuple[Any, ...] = ()
        if isinstance(item, r.Assign):
            targets = item.targets
        elif isinstance(item, r.AugmentedAssign | r.For | r.WithItem):
            targets = (item.target,)
        for target in targets:
            for part in descendants(target) if target is not None else ():
                if isinstance(part, r.Attribute) and isinstance(part.value, r.Name) and part.value.id == own:
                    yield part.attr


def updates_dict(record: r.ClassDef | r.FunctionDef) -> bool:
    """Whether a class or method takes attributes over wholesale: ``__dict__.update(…)``, ``setattr(self, name, …)``."""
    return not mentions(record).isdisjoint(("__dict__", "setattr"))


def is_constant_true(test: r.AnyExpression) -> bool:
    """Whether a test is a literal that is always true (``while True``, ``while 1``)."""
    return isinstance(test, r.Constant) and bool(test.value)
