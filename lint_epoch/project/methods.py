"""What the methods of a class do with its attributes, read from the class alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lint_epoch.facts import records as r
from lint_epoch.project import walk
from lint_epoch.project.classes import ProjectClass

Methods = dict[str, tuple[ProjectClass, r.FunctionDef]]


def methods_of(cls: ProjectClass) -> Methods:
    """Return the methods of a class and of its ancestors in the project, as look-ups find them."""
    found: Methods = {}
    for owner in reversed(cls.mro()):
        if isinstance(owner, ProjectClass):
            found.update({name: (owner, function) for name, function in owner.functions.items()})
    return found


def own_name(node: Any, own: str) -> str:
    """Return which attribute of ``self`` an expression is; an empty string if it is none."""
    is_attribute = isinstance(node, r.Attribute) and isinstance(node.value, r.Name) and node.value.id == own
    return node.attr if is_attribute else ""


def reached(methods: Methods, name: str) -> list[r.FunctionDef]:
    """Return a method and the methods of the class that it calls."""
    found: list[r.FunctionDef] = []
    waiting = [name]
    while waiting:
        known = methods.get(waiting.pop())
        if known is None or known[1] in found:
            continue
        found.append(known[1])
        own = walk.self_name(known[1])
        waiting.extend(own_name(item, own) for item in walk.descendants(known[1]))
    return found


def assignments(function: r.FunctionDef) -> Iterator[tuple[str, r.AnyExpression | None, r.AnyStatement]]:
    """Yield what a method puts into attributes of ``self``; ``None`` for the value of ``+=`` and of unpackings."""
    own = walk.self_name(function)
    for item in walk.descendants(function):
        if isinstance(item, r.Assign):
            for target in item.targets:
                if name := own_name(target, own):
                    yield name, item.value, item
                elif isinstance(target, r.Sequence):
                    for part in target.elements:
                        if name := own_name(part, own):
                            yield name, None, item
        elif isinstance(item, r.AugmentedAssign | r.For) and (name := own_name(item.target, own)):
            yield name, None, item
