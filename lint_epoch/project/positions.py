"""Classes that save their place in the data and do not find it again: what their own code says of a resume.

The place is an attribute that counts items or epochs. A class that saves it under a key of its ``state_dict``, reads the
key when it is restored and counts on from there is right; the ways to lose it are told here from the class alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

from lint_epoch.facts import records as r
from lint_epoch.project import walk
from lint_epoch.project.classes import ProjectClass, class_has
from lint_epoch.project.modules import ModuleFile
from lint_epoch.project.values import Object
from lint_epoch.project.view import Model

Kind = Literal["not restored", "cleared", "offset on each pass", "epoch not given"]

#: What attributes are called that hold a place at which to go on.
_OFFSET = re.compile(r"consumed|start|offset|skip|resume|position|yielded|processed", re.I)


class LostPlace:
    """One way in which a class loses its place."""

    __slots__ = ("at", "attribute", "cls", "held", "key", "kind", "module", "where")

    def __init__(
        self, cls: ProjectClass, where: tuple[ModuleFile, int], kind: Kind, attribute: str, key: str = "", held: str = ""
    ) -> None:
        self.cls = cls
        self.module, self.at = where
        self.kind = kind
        self.attribute = attribute
        """The attribute that holds the place, or the epoch."""
        self.key = key
        self.held = held
        """The attribute of the object whose state is restored."""


def lost_places(model: Model) -> Iterator[LostPlace]:
    """Yield the ways in which classes of the project lose their place."""
    moved = _assigned_from_outside(model)
    for cls in model.project.classes():
        methods = _methods(cls)
        if walk.updates_dict(cls.record) or "__iter__" not in methods and "__next__" not in methods and "reset" not in methods:
            continue
        if "state_dict" in methods and "load_state_dict" in methods:
            yield from _counts(cls, methods)
        yield from _offsets(cls, methods, moved)
        yield from _epochs(model, cls, methods)


Methods = dict[str, tuple[ProjectClass, r.FunctionDef]]


def _methods(cls: ProjectClass) -> Methods:
    found: Methods = {}
    for owner in reversed(cls.mro()):
        if isinstance(owner, ProjectClass):
            found.update({name: (owner, function) for name, function in owner.functions.items()})
    return found


def _own(node: Any, own: str) -> str:
    """Return which attribute of ``self`` an expression is; an empty string if it is none."""
    is_attribute = isinstance(node, r.Attribute) and isinstance(node.value, r.Name) and node.value.id == own
    return node.attr if is_attribute else ""


def _reached(methods: Methods, name: str) -> list[r.FunctionDef]:
    """Return a method and the methods of the class that it calls."""
    found: list[r.FunctionDef] = []
    waiting = [name]
    while waiting:
        known = methods.get(waiting.pop())
        if known is None or known[1] in found:
            continue
        found.append(known[1])
        own = walk.self_name(known[1])
        waiting.extend(_own(item, own) for item in walk.descendants(known[1]))
    return found


def _assignments(function: r.FunctionDef) -> Iterator[tuple[str, r.AnyExpression | None, r.AnyStatement]]:
    """Yield what a method puts into attributes of ``self``; ``None`` for the value of ``+=`` and of unpackings."""
    own = walk.self_name(function)
    for item in walk.descendants(function):
        if isinstance(item, r.Assign):
            for target in item.targets:
                if name := _own(target, own):
                    yield name, item.value, item
                elif isinstance(target, r.Sequence):
                    for part in target.elements:
                        if name := _own(part, own):
                            yield name, None, item
        elif isinstance(item, r.AugmentedAssign | r.For) and (name := _own(item.target, own)):
            yield name, None, item


# --- counts of items -------------------------------------------------------------------------------------------------


def _counts(cls: ProjectClass, methods: Methods) -> Iterator[LostPlace]:
    """Yield counts of items that the state holds and that a restored object does not go on from."""
    load_owner, load = methods["load_state_dict"]
    restored = _reached(methods, "load_state_dict")
    keys = {item.value for function in restored for item in walk.descendants(function) if isinstance(item, r.Constant)}
    for key, attribute in _saved(methods["state_dict"][1]).items():
        if key not in keys or not _is_count(methods, attribute):
            continue
        given = [value for f in restored for name, value, _ in _assignments(f) if name == attribute]
        if not given and _only_counts(methods, attribute) and not _may_count_skipped(methods, restored, attribute, key):
            yield LostPlace(cls, (load_owner.module, load.at), "not restored", attribute, key)
        elif given and _is_cleared_first(methods, attribute) and not _goes_elsewhere(restored, attribute, key):
            owner, draw = methods["__iter__"]
            yield LostPlace(cls, (owner.module, draw.at), "cleared", attribute, key)


def _saved(function: r.FunctionDef) -> dict[str, str]:
    """Return which attribute of ``self`` the state holds, as it is, under which key."""
    own = walk.self_name(function)
    found: dict[str, str] = {}
    for item in walk.descendants(function):
        pairs: list[tuple[Any, Any]] = []
        if isinstance(item, r.Mapping):
            pairs = list(zip(item.keys, item.values, strict=True))
        elif isinstance(item, r.Assign) and item.value is not None:
            pairs = [(target.index, item.value) for target in item.targets if isinstance(target, r.Subscript)]
        for key, value in pairs:
            if isinstance(key, r.Constant) and isinstance(key.value, str) and (name := _own(value, own)):
                found[key.value] = name
    return found


def _is_count(methods: Methods, attribute: str) -> bool:
    """Whether a pass counts an attribute up, and it does not count epochs."""
    if "epoch" in attribute:
        return False
    return any(
        isinstance(item, r.AugmentedAssign)
        and item.operator.startswith("Add")
        and _own(item.target, walk.self_name(function)) == attribute
        for function in (*_reached(methods, "__iter__"), *_reached(methods, "__next__"))
        for item in walk.descendants(function)
    )


def _only_counts(methods: Methods, attribute: str) -> bool:
    """Whether an attribute is only ever set to a number that is written out, and counted up."""
    for _, function in methods.values():
        for name, value, statement in _assignments(function):
            if name == attribute and not isinstance(statement, r.AugmentedAssign) and not isinstance(value, r.Constant):
                return False
    return True


def _may_count_skipped(methods: Methods, restored: list[r.FunctionDef], attribute: str, key: str) -> bool:
    """Whether the class skips the restored items itself and may count them while it does."""
    kept = {
        name
        for function in restored
        for name, value, _ in _assignments(function)
        if value is not None
        for part in walk.descendants(value)
        if isinstance(part, r.Constant) and part.value == key
    }
    if not kept:
        return False
    for function in _reached(methods, "__iter__"):
        own = walk.self_name(function)
        for item in walk.descendants(function):
            if isinstance(item, r.For | r.While) and _skips_before_counting(item.body, attribute, own):
                return False
    return True


def _skips_before_counting(block: r.Block, attribute: str, own: str) -> bool:
    """Whether a loop's body leaves the turn, under some test, before it counts the item."""
    skipped = False
    for statement in block:
        if isinstance(statement, r.If) and statement.body and isinstance(statement.body[-1], r.Jump):
            counts = [isinstance(item, r.AugmentedAssign) and not _own(item.target, own) for item in statement.body]
            skipped = skipped or (statement.body[-1].kind == "continue" and any(counts))
        if isinstance(statement, r.AugmentedAssign) and _own(statement.target, own) == attribute:
            return skipped
    return False


def _is_cleared_first(methods: Methods, attribute: str) -> bool:
    """Whether ``__iter__`` sets the attribute to zero before anything reads it."""
    known = methods.get("__iter__")
    if known is None:
        return False
    own = walk.self_name(known[1])
    for statement in known[1].body:
        if isinstance(statement, r.Assign) and any(_own(target, own) == attribute for target in statement.targets):
            return isinstance(statement.value, r.Constant) and statement.value.value == 0
        for item in walk.descendants(statement):
            name = _own(item, own)
            if name == attribute or name in methods:
                return False
    return False


def _goes_elsewhere(restored: list[r.FunctionDef], attribute: str, key: str) -> bool:
    """Whether the restored value reaches something besides the attribute: another attribute, an object that is held."""
    for function in restored:
        own = walk.self_name(function)
        for item in walk.descendants(function):
            if isinstance(item, r.Call) and isinstance(item.func, r.Attribute) and item.func.attr != "get":
                if any(_own(part, own) for part in walk.descendants(item.func)):
                    return True
        for name, value, _ in _assignments(function):
            if name != attribute and value is not None and "epoch" not in name:
                if any(isinstance(part, r.Constant) and part.value == key for part in walk.descendants(value)):
                    return True
                if any(_own(part, own) == attribute for part in walk.descendants(value)):
                    return True
        if any(isinstance(item, r.For | r.While) for item in walk.descendants(function)):
            return True
    return False


# --- offsets that are applied on every pass ----------------------------------------------------------------------------


def _assigned_from_outside(model: Model) -> set[str]:
    """Return the attributes that some code assigns to an object other than ``self``."""
    found: set[str] = set()
    for record in model.project.records:
        for item in walk.descendants(record):
            targets = item.targets if isinstance(item, r.Assign) else ()
            if isinstance(item, r.AugmentedAssign):
                targets = (item.target,)
            found.update(target.attr for target in targets if isinstance(target, r.Attribute) and not _own(target, "self"))
    return found


def _offsets(cls: ProjectClass, methods: Methods, moved: set[str]) -> Iterator[LostPlace]:
    """Yield places at which every pass of a class starts, though the place is within one pass over the data.

    That it is meant for several passes shows in its being reduced to the length of one: ``consumed % total``.
    """
    known = methods.get("__iter__")
    init = methods.get("__init__")
    if known is None or init is None or any(isinstance(i, r.While) for i in walk.descendants(known[1])):
        return
    owner, function = known
    own = walk.self_name(function)
    given = {parameter.name for parameter in init[1].parameters}
    for item in _starts(function):
        if not isinstance(item, r.Arithmetic) or item.operator != "Modulo":
            continue
        attribute = _own(item.left, own)
        if not _OFFSET.search(attribute) or attribute in moved:
            continue
        settings = [
            (method, value)
            for _, method in methods.values()
            for name, value, _ in _assignments(method)
            if name == attribute
        ]
        if settings and all(m is init[1] and isinstance(v, r.Name) and v.id in given for m, v in settings):
            yield LostPlace(cls, (owner.module, owner.record.at), "offset on each pass", attribute)


def _starts(function: r.FunctionDef) -> Iterator[r.AnyExpression]:
    """Yield where the passes of a generator start: the first arguments of its ``range`` and ``islice``."""
    bound: dict[str, list[r.AnyExpression]] = {}
    for item in walk.descendants(function):
        if isinstance(item, r.Assign) and item.value is not None:
            for target in item.targets:
                if isinstance(target, r.Name):
                    bound.setdefault(target.id, []).append(item.value)
    for item in walk.descendants(function):
        if not isinstance(item, r.For) or not isinstance(item.iterable, r.Call):
            continue
        name, arguments = walk.last_name(item.iterable), item.iterable.arguments
        start = arguments[0].value if name == "range" and len(arguments) > 1 else None
        start = arguments[1].value if name == "islice" and len(arguments) > 2 else start
        if isinstance(start, r.Name):
            values = bound.get(start.id, [])
            start = values[0] if len(values) == 1 else None
        if start is not None:
            yield start


# --- epochs that are restored and not passed on -------------------------------------------------------------------------


def _epochs(model: Model, cls: ProjectClass, methods: Methods) -> Iterator[LostPlace]:
    """Yield restored epochs that do not reach the object whose state is restored beside them."""
    for owner, function in methods.values():
        if owner is not cls or not function.parameters[1:]:
            continue
        own = walk.self_name(function)
        epochs = [
            name
            for name, value, _ in _assignments(function)
            if "epoch" in name.lower() and value is not None and _reads_parameter(value, function)
        ]
        if not epochs:
            continue
        for call, held, path in _restored(function.body, own, ()):
            beside = [s for block in path for s in block if not any(item is call for item in walk.descendants(s))]
            if not _is_told(cls, held) or any(_tells(methods, statement, held, own) for statement in beside):
                continue
            if not _is_told_before_it_is_read(methods, held) and _may_forget(model, cls, held):
                yield LostPlace(cls, (owner.module, call.at), "epoch not given", epochs[0], held=held)


def _reads_parameter(value: r.AnyExpression, function: r.FunctionDef) -> bool:
    """Whether a value is looked up in what a method was given: ``state["epoch"]``, ``state.get("epoch", 0)``."""
    names = {parameter.name for parameter in function.parameters[1:]}
    return any(isinstance(part, r.Name) and part.id in names for part in walk.descendants(value))


Path = tuple[r.Block, ...]


def _restored(block: r.Block, own: str, path: Path) -> Iterator[tuple[r.Call, str, Path]]:
    """Yield the calls ``self.held.load_state_dict(…)``: the call, the attribute, the bodies that it stands in."""
    path = (*path, block)
    for statement in block:
        inner = [getattr(statement, field, ()) for field in ("body", "orelse", "final")]
        inner += [handler.body for handler in getattr(statement, "handlers", ())]
        if any(inner) and not isinstance(statement, r.FunctionDef | r.ClassDef):
            for body in inner:
                yield from _restored(body, own, path)
            continue
        for item in walk.descendants(statement):
            if isinstance(item, r.Call) and isinstance(item.func, r.Attribute) and item.func.attr == "load_state_dict":
                if held := _own(item.func.value, own):
                    yield item, held, path


def _sets_epoch(item: Any, held: str) -> bool:
    return (
        isinstance(item, r.Call)
        and isinstance(item.func, r.Attribute)
        and item.func.attr == "set_epoch"
        and isinstance(item.func.value, r.Attribute)
        and item.func.value.attr == held
    )


def _is_told(cls: ProjectClass, held: str) -> bool:
    """Whether the class sets the epoch of what it holds."""
    return any(_sets_epoch(item, held) for item in walk.descendants(cls.record))


def _tells(methods: Methods, statement: r.AnyStatement, held: str, own: str) -> bool:
    """Whether a statement, outside branches that the call does not stand in, sets the epoch of what is held."""
    branches = isinstance(statement, r.If | r.Try | r.For | r.While)
    for item in walk.descendants(statement):
        if _sets_epoch(item, held):
            # A branch on whether it has the method at all is as good as a call.
            return not branches or isinstance(statement, r.If) and _asks(statement.test, held)
        name = _own(item, own)
        if name in methods and not branches:
            reached = _reached(methods, name)
            if any(_sets_epoch(part, held) for function in reached for part in walk.descendants(function)):
                return True
    return False


def _asks(test: r.AnyExpression, held: str) -> bool:
    return any(isinstance(item, r.Attribute) and item.attr == held for item in walk.descendants(test))


def _is_told_before_it_is_read(methods: Methods, held: str) -> bool:
    """Whether a pass sets the epoch before it takes its first item from what is held."""
    for name in ("__iter__", "__next__"):
        for function in _reached(methods, name):
            told = [item.at for item in walk.descendants(function) if _sets_epoch(item, held)]
            read = _first_read(function, held)
            if told and (read is None or min(told) < read):
                return True
    return False


def _first_read(function: r.FunctionDef, held: str) -> int | None:
    """Return where a method first iterates what is held, or calls a method that may."""
    own = walk.self_name(function)
    found: list[int] = []
    for item in walk.descendants(function):
        if isinstance(item, r.For):
            if any(_own(part, own) for part in walk.descendants(item.iterable)):
                found.append(item.at)
        elif isinstance(item, r.Call) and walk.last_name(item) == "iter":
            if any(isinstance(part, r.Attribute) and part.attr == held for part in walk.descendants(item)):
                found.append(item.at)
    return min(found, default=None)


def _may_forget(model: Model, cls: ProjectClass, held: str) -> bool:
    """Whether the state of what is held may lack its epoch: a library's does, and so does anybody's object."""
    values = [value for instance in model.instances(cls) for value in instance.base.get(held, ())]
    return not any(
        isinstance(value, Object)
        and isinstance(value.cls, ProjectClass)
        and class_has(value.cls, "load_state_dict") is not False
        and class_has(value.cls, "set_epoch") is not False
        for value in values
    )
