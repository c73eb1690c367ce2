"""How a class writes its methods, so that a new one looks like its neighbours, and where a new one goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import libcst as cst

from lint_epoch.fixes.filetree import FileTree, Statement, walk
from lint_epoch.fixes.insertion import commented_end, commented_start, is_docstring, statements

_PROPERTY_DECORATORS = frozenset({"property", "cached_property", "abstractproperty", "getter", "setter", "deleter"})
_ITERATION = frozenset({"__iter__", "__next__", "__aiter__", "__anext__", "__len__", "__getitem__"})
_CONSTRUCTION = frozenset({"__new__", "__init__", "__post_init__"})


@dataclass(frozen=True, slots=True)
class ClassStyle:
    """What the methods of a class have in common."""

    annotates_parameters: bool
    annotates_returns: bool
    quotes: str | None
    """The quotes of a docstring; ``None`` where methods have no docstring."""
    blank_lines: int
    """Blank lines between two methods."""
    unit: str
    """One level of indentation."""
    state_type: str
    """How a state dictionary is annotated without a new import."""


def style_of(file: FileTree, owner: cst.ClassDef) -> ClassStyle:
    """Return the style of most methods of a class; at a tie, the more careful one."""
    methods = methods_of(owner)
    ordinary = [method for method in methods if method.name.value not in _CONSTRUCTION] or methods
    annotates_returns = _most(method.returns is not None for method in ordinary)
    parameters = [method.params.params[1:] for method in methods if len(method.params.params) > 1]
    annotated = [any(parameter.annotation is not None for parameter in some) for some in parameters]
    docstrings = [docstring for method in ordinary if (docstring := _docstring(method)) is not None]
    return ClassStyle(
        annotates_parameters=_most(annotated) if annotated else annotates_returns,
        annotates_returns=annotates_returns,
        quotes=docstrings[0].quote if docstrings and 2 * len(docstrings) >= len(ordinary) else None,
        blank_lines=_blank_lines(file, owner),
        unit=file.unit(methods[0] if methods else owner),
        state_type=_state_type(file.tree),
    )


def methods_of(owner: cst.ClassDef) -> list[cst.FunctionDef]:
    """Return the methods that stand directly in a class."""
    return [statement for statement in statements(owner.body) if isinstance(statement, cst.FunctionDef)]


def method_named(owner: cst.ClassDef, name: str) -> cst.FunctionDef | None:
    """Return a class's own method, the last one where there are several."""
    return next((method for method in reversed(methods_of(owner)) if method.name.value == name), None)


def parameter_names(method: cst.FunctionDef) -> list[str]:
    """Return the names of the parameters that may be given by position."""
    return [parameter.name.value for parameter in (*method.params.posonly_params, *method.params.params)]


def place_for_method(owner: cst.ClassDef) -> Statement:
    """Return the statement of a class behind which a new method goes.

    It is the last property; else the last method of iteration; else the constructor; else the last method; else the
    last statement.
    """
    methods = methods_of(owner)
    for belongs in (
        _is_property,
        lambda method: method.name.value in _ITERATION,
        lambda method: method.name.value in _CONSTRUCTION,
        lambda method: True,
    ):
        if found := [method for method in methods if belongs(method)]:
            return found[-1]
    return statements(owner.body)[-1]


def defines(owner: cst.ClassDef, name: str) -> bool:
    """Return whether a name is bound in the body of a class, by whatever statement, also under a condition."""
    return name in names_bound(owner)


def names_bound(owner: cst.ClassDef) -> set[str]:
    """Return the names that the statements of a class's body bind."""
    found: set[str] = set()
    for node in walk(owner.body, closed=(cst.FunctionDef, cst.ClassDef)):
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            found.add(node.name.value)
        elif isinstance(node, cst.AssignTarget | cst.AnnAssign):
            found |= {name.value for name in (node.target, *walk(node.target)) if isinstance(name, cst.Name)}
    return found


def _is_property(method: cst.FunctionDef) -> bool:
    for decorator in method.decorators:
        name = decorator.decorator
        if isinstance(name, cst.Attribute):
            name = name.attr
        if isinstance(name, cst.Name) and name.value in _PROPERTY_DECORATORS:
            return True
    return False


def _docstring(method: cst.FunctionDef) -> cst.SimpleString | None:
    first = statements(method.body)[0]
    if isinstance(first, cst.Expr) and is_docstring(first) and isinstance(first.value, cst.SimpleString):
        return first.value
    return None


def _most(answers: Iterable[bool]) -> bool:
    """Return whether at least half of the answers are yes; no answers are no."""
    given = list(answers)
    return bool(given) and 2 * sum(given) >= len(given)


def _blank_lines(file: FileTree, owner: cst.ClassDef) -> int:
    gaps: Counter[int] = Counter()
    for above, below in pairwise(statements(owner.body)):
        if isinstance(above, cst.FunctionDef) and isinstance(below, cst.FunctionDef):
            between = file.lines[commented_end(file, above) : commented_start(file, below)]
            gaps[sum(1 for line in between if not line.strip())] += 1
    return gaps.most_common(1)[0][0] if gaps else 1


def _state_type(tree: cst.Module) -> str:
    imported: set[str] = set()
    for line in tree.body:
        for statement in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            if isinstance(statement, cst.ImportFrom) and not isinstance(statement.names, cst.ImportStar):
                imported.update(alias.evaluated_name for alias in statement.names if alias.asname is None)
    if "Any" not in imported:
        return "dict"
    return "Dict[str, Any]" if "Dict" in imported else "dict[str, Any]"
