"""The attribute in which a class keeps the epoch of its next pass: its name, its first value, and who sets it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

import libcst as cst

from lint_epoch.fixes.filetree import FileTree, Statement, is_name, last_name, walk
from lint_epoch.fixes.insertion import after, at_top, behind_docstring, commented_end, is_docstring, statements
from lint_epoch.fixes.spans import Edit
from lint_epoch.fixes.style import defines, method_named, methods_of, names_bound, parameter_names

#: Names for the attribute, in order of preference.
_NAMES = ("_epoch", "_next_epoch", "_epoch_of_next_pass")

#: Decorators (of attrs) and bases whose classes decide themselves which attributes an object may have.
_CLOSED_DECORATORS = frozenset({"attrs", "define", "mutable", "frozen", "s"})
_CLOSED_BASES = frozenset({"NamedTuple", "TypedDict", "Struct", "BaseModel", "Enum", "IntEnum"})
_CONSTRUCTORS = ("__init__", "__post_init__")


@dataclass(frozen=True, slots=True)
class EpochStore:
    """Where a class keeps the epoch of its next pass, and what is still to be written for it."""

    attribute: str
    edits: tuple[Edit, ...]
    """What gives the attribute its first value, 0, and lets the class's own ``set_epoch`` keep the epoch in it."""


def store_for(file: FileTree, owner: cst.ClassDef, held: str, *, setter_comes: bool) -> EpochStore | None:
    """Return where a class can keep its epoch, or ``None`` if that cannot be added to it safely.

    Args:
        file: the file of the class.
        owner: the class.
        held: the attribute that holds what the class goes over; the epoch is initialised behind it.
        setter_comes: whether a ``set_epoch`` is inserted by another repair, which then knows the base classes.
    """
    setter = method_named(owner, "set_epoch")
    setting: list[Edit] = []
    if setter is None:
        # A set_epoch of its own would hide the base's, which does what cannot be known from here.
        inherited = any(defines(base, "set_epoch") for base in _above(file, owner))
        if defines(owner, "set_epoch") or (inherited and not setter_comes):
            return None
        attribute = _free_name(file, owner)
    elif (kept := _kept_by(setter)) is not None and _is_usable(file, owner, setter, kept):
        attribute = kept
    else:
        names = parameter_names(setter)
        if len(names) < 2 or setter.asynchronous is not None:
            return None
        attribute = _free_name(file, owner)
        setting = behind_docstring(file, setter.body, [f"{names[0]}.{attribute} = {names[1]}"])
    first_value = _initialise(file, owner, attribute, held)
    return None if first_value is None else EpochStore(attribute, (*first_value, *setting))


# --- the name --------------------------------------------------------------------------------------------------------


def _kept_by(setter: cst.FunctionDef) -> str | None:
    """Return the attribute in which a ``set_epoch`` keeps its argument, as it is or made an ``int``."""
    names = parameter_names(setter)
    for statement in statements(setter.body) if len(names) > 1 else ():
        for target, value in _assignments(statement):
            if isinstance(value, cst.Call) and is_name(value.func, "int") and len(value.args) == 1:
                value = value.args[0].value
            if isinstance(target, cst.Attribute) and is_name(target.value, names[0]) and is_name(value, names[1]):
                return target.attr.value
    return None


def _is_usable(file: FileTree, owner: cst.ClassDef, setter: cst.FunctionDef, attribute: str) -> bool:
    """Return whether advancing the attribute in front of a pass leaves what else uses it right.

    What reads it during a pass would see the next pass's epoch. Where other code writes it too (a restored state), it
    is the epoch to go on from all the same.
    """
    read = written = False
    for method in methods_of(owner):
        for use in _attributes(method) if method is not setter else ():
            if use.attr.value == attribute:
                is_target = isinstance(file.parent(use), cst.AssignTarget | cst.AnnAssign)
                read = read or not is_target
                written = written or (is_target and method.name.value not in _CONSTRUCTORS)
    return written or not read


def _free_name(file: FileTree, owner: cst.ClassDef) -> str:
    """Return a name for the attribute that neither the class nor one of its relatives in the file uses."""
    taken: set[str] = set()
    for relative in (owner, *_above(file, owner), *_below(file, owner)):
        taken |= names_bound(relative) | {use.attr.value for use in _attributes(relative)}
    numbered = (f"{_NAMES[0]}_{number}" for number in range(2, len(taken) + 3))
    return next(name for name in (*_NAMES, *numbered) if name not in taken)


def _above(file: FileTree, owner: cst.ClassDef) -> list[cst.ClassDef]:
    """Return the classes of the file that a class inherits from, at any depth."""
    found = [owner]
    for one in found:  # grows while it is gone through
        names = {last_name(base.value) for base in one.bases}
        found += [other for other in _classes(file) if other.name.value in names and other not in found]
    return found[1:]


def _below(file: FileTree, owner: cst.ClassDef) -> list[cst.ClassDef]:
    """Return the classes of the file that inherit from a class, at any depth."""
    return [other for other in _classes(file) if other is not owner and owner in _above(file, other)]


def _classes(file: FileTree) -> list[cst.ClassDef]:
    return [node for node in file.nodes if isinstance(node, cst.ClassDef)]


# --- its first value -------------------------------------------------------------------------------------------------


def _initialise(file: FileTree, owner: cst.ClassDef, attribute: str, held: str) -> list[Edit] | None:
    """Return the edits that give the attribute its first value, none if it has one, ``None`` if it cannot be had."""
    constructors = [method for name in _CONSTRUCTORS if (method := method_named(owner, name)) is not None]
    names = names_bound(owner)
    if attribute in names or any(_uses(part, attribute) for part in (*constructors, *_above(file, owner))):
        return []
    options = _dataclass_options(owner)
    if "__slots__" in names or "frozen" in options or _is_closed(owner):
        return None
    if "slots" in options:
        declared = f"{attribute}: int = field(default=0, init=False, repr=False, compare=False)"
        return _add_to_class(file, owner, declared) if _imports_field(file.tree) else None
    if constructors:
        if not parameter_names(constructors[0]):
            return None
        return _add_to_constructor(file, constructors[0], attribute, held)
    # Without an annotation it is no field of a data class, so that its constructor and comparison stay as they are.
    return _add_to_class(file, owner, f"{attribute} = 0")


def _add_to_constructor(file: FileTree, constructor: cst.FunctionDef, attribute: str, held: str) -> list[Edit]:
    """Initialise behind the assignment of what the class holds, or the call of the base's constructor, or first."""
    receiver = parameter_names(constructor)[0]
    line = f"{receiver}.{attribute} = 0"
    behind: Statement | None = None
    for statement in statements(constructor.body):
        targets = [target for target, _ in _assignments(statement)]
        if any(isinstance(target, cst.Attribute) and file.source(target) == f"{receiver}.{held}" for target in targets):
            return after(file, statement, [line])
        if isinstance(statement, cst.Expr) and isinstance(statement.value, cst.Call):
            behind = statement if last_name(statement.value.func) in _CONSTRUCTORS else behind
    return after(file, behind, [line]) if behind is not None else behind_docstring(file, constructor.body, [line])


def _add_to_class(file: FileTree, owner: cst.ClassDef, line: str) -> list[Edit]:
    """Put a line behind the assignments with which a class's body begins."""
    body = statements(owner.body)
    leading = list(takewhile(lambda statement: isinstance(statement, cst.BaseSmallStatement), body))
    if not leading:
        return at_top(file, owner.body, [line, ""])
    last = leading[-1]
    below = file.lines[commented_end(file, last) :][:1]
    gap = [""] if len(body) > len(leading) and below and below[0].strip() else []
    return after(file, last, [""] * (len(leading) == 1 and is_docstring(last)) + [line, *gap])


def _is_closed(owner: cst.ClassDef) -> bool:
    decorators = (last_name(decorator.decorator) for decorator in owner.decorators)
    bases = (last_name(base.value) for base in owner.bases)
    return not (_CLOSED_DECORATORS.isdisjoint(decorators) and _CLOSED_BASES.isdisjoint(bases))


def _dataclass_options(owner: cst.ClassDef) -> set[str]:
    """Return the options that are switched on in a class's ``@dataclass(...)``."""
    options: set[str] = set()
    for decorator in owner.decorators:
        call = decorator.decorator
        if isinstance(call, cst.Call) and last_name(call) == "dataclass":
            options |= {item.keyword.value for item in call.args if item.keyword and not is_name(item.value, "False")}
    return options


def _imports_field(tree: cst.Module) -> bool:
    for line in tree.body:
        for statement in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            if isinstance(statement, cst.ImportFrom) and not isinstance(statement.names, cst.ImportStar):
                from_dataclasses = statement.module is not None and is_name(statement.module, "dataclasses")
                if from_dataclasses and any(is_name(alias.name, "field") for alias in statement.names):
                    return True
    return False


# --- small questions to the tree -------------------------------------------------------------------------------------


def _assignments(statement: Statement) -> list[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """Return what a statement assigns to what, as (target, value)."""
    if isinstance(statement, cst.Assign):
        return [(target.target, statement.value) for target in statement.targets]
    if isinstance(statement, cst.AnnAssign) and statement.value is not None:
        return [(statement.target, statement.value)]
    return []


def _attributes(node: cst.CSTNode) -> Iterator[cst.Attribute]:
    return (found for found in walk(node) if isinstance(found, cst.Attribute))


def _uses(node: cst.CSTNode, attribute: str) -> bool:
    return any(use.attr.value == attribute for use in _attributes(node)) or (
        isinstance(node, cst.ClassDef) and attribute in names_bound(node)
    )
