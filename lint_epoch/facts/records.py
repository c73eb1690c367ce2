"""The skeleton of a module: its statements and expressions, in order and nested as they stand.

The records know no rule and no library. They are smaller than a syntax tree (no whitespace, no operators that the
inference does not read), fast to make, and can be stored in a format that cannot execute code.

``at`` names the tree's node: its index in the order in which the visitor meets nodes. It grows in source order, so
it also orders records; lines and columns are computed from it only where something is shown.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec


class Expression(msgspec.Struct, frozen=True, tag=True, array_like=True, gc=False):
    """What all expressions have in common."""

    at: int


class Name(Expression, frozen=True, tag=True):
    """A variable that is read, or a target that is bound."""

    id: str


class Attribute(Expression, frozen=True, tag=True):
    """``value.attr``."""

    value: AnyExpression
    attr: str


class Argument(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One argument of a call: positional, keyword, ``*value`` or ``**value``."""

    value: AnyExpression
    keyword: str | None = None
    star: Literal["", "*", "**"] = ""


class Call(Expression, frozen=True, tag=True):
    """``func(arguments)``."""

    func: AnyExpression
    arguments: tuple[Argument, ...]


class Constant(Expression, frozen=True, tag=True):
    """A literal string, number, truth value or ``None``."""

    value: str | int | float | bool | None


class Sequence(Expression, frozen=True, tag=True):
    """A tuple, list or set display."""

    kind: Literal["tuple", "list", "set"]
    elements: tuple[AnyExpression, ...]


class Mapping(Expression, frozen=True, tag=True):
    """A dict display; a key of ``None`` stands for ``**value``."""

    keys: tuple[AnyExpression | None, ...]
    values: tuple[AnyExpression, ...]


class Starred(Expression, frozen=True, tag=True):
    """``*value`` in a display or a target."""

    value: AnyExpression


class Conditional(Expression, frozen=True, tag=True):
    """``body if test else orelse``."""

    test: AnyExpression
    body: AnyExpression
    orelse: AnyExpression


class Boolean(Expression, frozen=True, tag=True):
    """``left and right`` or ``left or right``."""

    operator: Literal["and", "or"]
    left: AnyExpression
    right: AnyExpression


class Not(Expression, frozen=True, tag=True):
    """``not value``."""

    value: AnyExpression


class Compare(Expression, frozen=True, tag=True):
    """``left op right op right …``."""

    left: AnyExpression
    operators: tuple[str, ...]
    rights: tuple[AnyExpression, ...]


class Arithmetic(Expression, frozen=True, tag=True):
    """A binary or unary operation on data; a unary one has no ``right``."""

    operator: str
    left: AnyExpression
    right: AnyExpression | None


class Subscript(Expression, frozen=True, tag=True):
    """``value[index]``; an index of ``None`` stands for a slice or several."""

    value: AnyExpression
    index: AnyExpression | None


class Lambda(Expression, frozen=True, tag=True):
    """``lambda parameters: body``."""

    parameters: tuple[Parameter, ...]
    body: AnyExpression


class Walrus(Expression, frozen=True, tag=True):
    """``target := value``."""

    target: AnyExpression
    value: AnyExpression


class Yield(Expression, frozen=True, tag=True):
    """``yield value`` or ``yield from value``."""

    value: AnyExpression | None
    delegates: bool


class Generator(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One ``for target in iterable if …`` of a comprehension."""

    at: int
    target: AnyExpression
    iterable: AnyExpression
    conditions: tuple[AnyExpression, ...]


class Comprehension(Expression, frozen=True, tag=True):
    """A list, set, dict or generator comprehension; ``key`` is set for a dict."""

    kind: Literal["list", "set", "dict", "generator"]
    key: AnyExpression | None
    element: AnyExpression
    generators: tuple[Generator, ...]


class Opaque(Expression, frozen=True, tag=True):
    """Anything else that only makes data (an f-string, ``await``, a slice); its parts are still evaluated."""

    parts: tuple[AnyExpression, ...]


AnyExpression: TypeAlias = (
    Name
    | Attribute
    | Call
    | Constant
    | Sequence
    | Mapping
    | Starred
    | Conditional
    | Boolean
    | Not
    | Compare
    | Arithmetic
    | Subscript
    | Lambda
    | Walrus
    | Yield
    | Comprehension
    | Opaque
)


class Parameter(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A parameter of a function."""

    at: int
    name: str
    kind: Literal["positional", "keyword", "*", "**"]
    """``positional`` may be given by position or keyword, ``keyword`` by keyword alone."""
    default: AnyExpression | None
    annotation: AnyExpression | None


class Statement(msgspec.Struct, frozen=True, tag=True, array_like=True, gc=False):
    """What all statements have in common."""

    at: int


class ImportedName(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One name of an import: ``name`` is bound as ``alias``."""

    name: str
    alias: str


class Import(Statement, frozen=True, tag=True):
    """``import module [as alias]``; without an alias the first part of the dotted name is bound."""

    module: str
    alias: str | None


class ImportFrom(Statement, frozen=True, tag=True):
    """``from module import names``; ``level`` counts the leading dots, no names stand for ``*``."""

    module: str
    level: int
    names: tuple[ImportedName, ...]


class Assign(Statement, frozen=True, tag=True):
    """``target = … = value``; an annotation without a value has ``value`` ``None``."""

    targets: tuple[AnyExpression, ...]
    value: AnyExpression | None
    annotation: AnyExpression | None


class AugmentedAssign(Statement, frozen=True, tag=True):
    """``target op= value``."""

    target: AnyExpression
    operator: str
    value: AnyExpression


class ExpressionStatement(Statement, frozen=True, tag=True):
    """An expression for its effect."""

    value: AnyExpression


class Return(Statement, frozen=True, tag=True):
    """``return value``."""

    value: AnyExpression | None


class Raise(Statement, frozen=True, tag=True):
    """``raise value``."""

    value: AnyExpression | None


class Assert(Statement, frozen=True, tag=True):
    """``assert test``."""

    test: AnyExpression


class Jump(Statement, frozen=True, tag=True):
    """``break`` or ``continue``."""

    kind: Literal["break", "continue"]


class Declaration(Statement, frozen=True, tag=True):
    """``global names`` or ``nonlocal names``."""

    kind: Literal["global", "nonlocal"]
    names: tuple[str, ...]


class Delete(Statement, frozen=True, tag=True):
    """``del targets``."""

    targets: tuple[AnyExpression, ...]


class If(Statement, frozen=True, tag=True):
    """``if test: … else: …``; an ``elif`` is an ``If`` in ``orelse``."""

    test: AnyExpression
    body: Block
    orelse: Block


class For(Statement, frozen=True, tag=True):
    """``for target in iterable: … else: …``."""

    target: AnyExpression
    iterable: AnyExpression
    body: Block
    orelse: Block


class While(Statement, frozen=True, tag=True):
    """``while test: … else: …``."""

    test: AnyExpression
    body: Block
    orelse: Block


class Handler(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One ``except kinds as name``; no kinds stand for a bare ``except``."""

    at: int
    kinds: tuple[AnyExpression, ...]
    name: str | None
    body: Block


class Try(Statement, frozen=True, tag=True):
    """``try: … except …: … else: … finally: …``."""

    body: Block
    handlers: tuple[Handler, ...]
    orelse: Block
    final: Block


class WithItem(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """``value as target``."""

    value: AnyExpression
    target: AnyExpression | None


class With(Statement, frozen=True, tag=True):
    """``with items: …``."""

    items: tuple[WithItem, ...]
    body: Block


class Case(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One ``case``: the names that its pattern binds, the constant it asks for if it is one, and its guard."""

    names: tuple[str, ...]
    constant: AnyExpression | None
    irrefutable: bool
    guard: AnyExpression | None
    body: Block


class Match(Statement, frozen=True, tag=True):
    """``match subject: case …``."""

    subject: AnyExpression
    cases: tuple[Case, ...]


class FunctionDef(Statement, frozen=True, tag=True):
    """A function or method."""

    name: str
    parameters: tuple[Parameter, ...]
    returns: AnyExpression | None
    decorators: tuple[AnyExpression, ...]
    body: Block
    is_generator: bool
    is_trivial: bool
    """Whether the body does nothing (a docstring, ``pass``, ``...``)."""


class ClassDef(Statement, frozen=True, tag=True):
    """A class."""

    name: str
    bases: tuple[AnyExpression, ...]
    keywords: tuple[Argument, ...]
    decorators: tuple[AnyExpression, ...]
    body: Block


AnyStatement: TypeAlias = (
    Import
    | ImportFrom
    | Assign
    | AugmentedAssign
    | ExpressionStatement
    | Return
    | Raise
    | Assert
    | Jump
    | Declaration
    | Delete
    | If
    | For
    | While
    | Try
    | With
    | Match
    | FunctionDef
    | ClassDef
)
Block: TypeAlias = tuple[AnyStatement, ...]


class Module(msgspec.Struct, frozen=True, array_like=True):
    """What one module says."""

    body: Block
    nodes: int
    """How many nodes the visitor met: one more than the largest ``at``."""
