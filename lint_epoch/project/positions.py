"""Classes that save their place in the data and do not find it again: what their own code says of a resume.

The place is an attribute that counts items or epochs. A class that saves it under a key of its ``state_dict``, reads
the key when it is restored and counts on from there is right; the ways to lose it are told here from the class alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

from lint_epoch.facts import records as r
from lint_epoch.project import walk
from lint_epoch.project.classes import ProjectClass
from lint_epoch.project.methods import Methods, assignments, methods_of, own_name, reached
from lint_epoch.project.modules import ModuleFile
from lint_epoch.project.restored_epochs import UngivenEpoch, ungiven_epochs
from lint_epoch.project.view import Model

Kind = Literal["not restored", "cleared", "offset on each pass", "epoch not given"]

#: What attributes are called that hold a place at which to go on.
_OFFSET = re.compile(r"consumed|start|offset|skip|resume|position|yielded|processed", re.I)


class LostPlace:
    """One way in which a class loses its place."""

    __slots__ = ("at", "attribute", "cls", "held", "key", "kind", "module", "ungiven")

    def __init__(
        self,
        cls: ProjectClass,
        where: tuple[ModuleFile, int],
        kind: Kind,
        attribute: str,
        key: str = "",
        held: str = "",
    ) -> None:
        self.cls = cls
        self.module, self.at = where
        self.kind = kind
        self.attribute = attribute
        """The attribute that holds the place, or the epoch."""
        self.key = key
        self.held = held
        """The attribute of the object whose state is restored."""
        self.ungiven: UngivenEpoch | None = None


def lost_places(model: Model) -> Iterator[LostPlace]:
    """Yield the ways in which classes of the project lose their place."""
    moved = _assigned_from_outside(model)
    for cls in model.project.classes():
        methods = methods_of(cls)
        if walk.updates_dict(cls.record) or (
            "__iter__" not in methods and "__next__" not in methods and "reset" not in methods
        ):
            continue
        if "state_dict" in methods and "load_state_dict" in methods:
            yield from _counts(cls, methods)
        yield from _offsets(cls, methods, moved)
        for one in ungiven_epochs(model, cls, methods):
            lost = LostPlace(cls, (one.module, one.at), "epoch not given", one.attribute, held=one.held)
            lost.ungiven = one
            yield lost


# --- counts of items -------------------------------------------------------------------------------------------------


def _counts(cls: ProjectClass, methods: Methods) -> Iterator[LostPlace]:
    """Yield counts of items that the state holds and that a restored object does not go on from."""
    load_owner, load = methods["load_state_dict"]
    restored = reached(methods, "load_state_dict")
    keys = {item.value for function in restored for item in walk.descendants(function) if isinstance(item, r.Constant)}
    for key, attribute in _saved(methods["state_dict"][1]).items():
        if key not in keys or not _is_count(methods, attribute):
            continue
        given = [value for f in restored for name, value, _ in assignments(f) if name == attribute]
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
            if isinstance(key, r.Constant) and isinstance(key.value, str) and (name := own_name(value, own)):
                found[key.value] = name
    return found


def _is_count(methods: Methods, attribute: str) -> bool:
    """Whether a pass counts an attribute up, and it does not count epochs."""
    if "epoch" in attribute:
        return False
    return any(
        isinstance(item, r.AugmentedAssign)
        and item.operator.startswith("Add")
        and own_name(item.target, walk.self_name(function)) == attribute
        for function in (*reached(methods, "__iter__"), *reached(methods, "__next__"))
        for item in walk.descendants(function)
    )


def _only_counts(methods: Methods, attribute: str) -> bool:
    """Whether an attribute is only ever set to a number that is written out, and counted up."""
    for _, function in methods.values():
        for name, value, statement in assignments(function):
            if name == attribute and not isinstance(statement, r.AugmentedAssign) and not isinstance(value, r.Constant):
                return False
    return True


def _may_count_skipped(methods: Methods, restored: list[r.FunctionDef], attribute: str, key: str) -> bool:
    """Whether the class skips the restored items itself and may count them while it does."""
    kept = {
        name
        for function in restored
        for name, value, _ in assignments(function)
        if value is not None
        for part in walk.descendants(value)
        if isinstance(part, r.Constant) and part.value == key
    }
    if not kept:
        return False
    for function in reached(methods, "__iter__"):
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
            counts = [isinstance(item, r.AugmentedAssign) and not own_name(item.target, own) for item in statement.body]
            skipped = skipped or (statement.body[-1].kind == "continue" and any(counts))
        if isinstance(statement, r.AugmentedAssign) and own_name(statement.target, own) == attribute:
            return skipped
    return False


def _is_cleared_first(methods: Methods, attribute: str) -> bool:
    """Whether ``__iter__`` sets the attribute to zero before anything reads it."""
    known = methods.get("__iter__")
    if known is None:
        return False
    own = walk.self_name(known[1])
    for statement in known[1].body:
        if isinstance(statement, r.Assign) and any(own_name(target, own) == attribute for target in statement.targets):
            return isinstance(statement.value, r.Constant) and statement.value.value == 0
        for item in walk.descendants(statement):
            name = own_name(item, own)
            if name == attribute or name in methods:
                return False
    return False


def _goes_elsewhere(restored: list[r.FunctionDef], attribute: str, key: str) -> bool:
    """Whether the restored value reaches something besides the attribute: another attribute, an object that is held."""
    for function in restored:
        own = walk.self_name(function)
        for item in walk.descendants(function):
            if isinstance(item, r.Call) and isinstance(item.func, r.Attribute) and item.func.attr != "get":
                if any(own_name(part, own) for part in walk.descendants(item.func)):
                    return True
        for name, value, _ in assignments(function):
            if name != attribute and value is not None and "epoch" not in name:
                if any(isinstance(part, r.Constant) and part.value == key for part in walk.descendants(value)):
                    return True
                if any(own_name(part, own) == attribute for part in walk.descendants(value)):
                    return True
        if any(isinstance(item, r.For | r.While) for item in walk.descendants(function)):
            return True
    return False


# --- offsets that are applied on every pass --------------------------------------------------------------------------


def _assigned_from_outside(model: Model) -> set[str]:
    """Return the attributes that some code assigns to an object other than ``self``."""
    found: set[str] = set()
    for record in model.project.records:
        for item in walk.descendants(record):
            targets = item.targets if isinstance(item, r.Assign) else ()
            if isinstance(item, r.AugmentedAssign):
                targets = (item.target,)
            found.update(
                target.attr for target in targets if isinstance(target, r.Attribute) and not own_name(target, "self")
            )
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
        attribute = own_name(item.left, own)
        if not _OFFSET.search(attribute) or attribute in moved:
            continue
        settings = [
            (method, value)
            for _, method in methods.values()
            for name, value, _ in assignments(method)
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
