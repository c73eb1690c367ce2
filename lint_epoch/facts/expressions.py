"""Lowers libcst's expressions to records, by a table from the node's type to the method that reads it."""

from __future__ import annotations

import ast
from collections.abc import Callable

import libcst as cst

from lint_epoch.facts import records as r

#: A longer string is prose or data: no name of an attribute, a split or a framework is that long.
LONGEST_STRING = 120

_COMPARISONS = {
    cst.Equal: "==",
    cst.NotEqual: "!=",
    cst.Is: "is",
    cst.IsNot: "is not",
    cst.In: "in",
    cst.NotIn: "not in",
    cst.LessThan: "<",
    cst.LessThanEqual: "<=",
    cst.GreaterThan: ">",
    cst.GreaterThanEqual: ">=",
}


class ExpressionReader:
    """Reads expressions; keeps the nodes that it meets in order."""

    nodes: list[cst.CSTNode]

    def __init__(self) -> None:
        super().__init__()
        self.has_yield = False
        self._readers: dict[type[cst.CSTNode], Callable[..., r.AnyExpression]] = {
            cst.Name: self._name,
            cst.Attribute: self._attribute,
            cst.Call: self._call,
            cst.SimpleString: self._string,
            cst.ConcatenatedString: self._string,
            cst.Integer: self._number,
            cst.Float: self._number,
            cst.Tuple: self._sequence,
            cst.List: self._sequence,
            cst.Set: self._sequence,
            cst.Dict: self._mapping,
            cst.IfExp: self._conditional,
            cst.BooleanOperation: self._boolean,
            cst.UnaryOperation: self._unary,
            cst.BinaryOperation: self._binary,
            cst.Comparison: self._comparison,
            cst.Subscript: self._subscript,
            cst.Lambda: self._lambda,
            cst.NamedExpr: self._walrus,
            cst.Yield: self._yield,
            cst.ListComp: self._comprehension,
            cst.SetComp: self._comprehension,
            cst.GeneratorExp: self._comprehension,
            cst.DictComp: self._comprehension,
            cst.FormattedString: self._formatted,
            cst.Await: self._await,
        }

    def at(self, node: cst.CSTNode) -> int:
        """Give the node its index."""
        self.nodes.append(node)
        return len(self.nodes) - 1

    def read(self, node: cst.CSTNode) -> r.AnyExpression:
        """Return the record of an expression."""
        reader = self._readers.get(type(node))
        return reader(node) if reader is not None else r.Opaque(self.at(node), ())

    def _name(self, node: cst.Name) -> r.AnyExpression:
        at = self.at(node)
        if node.value in ("None", "True", "False"):
            return r.Constant(at, {"None": None, "True": True, "False": False}[node.value])
        return r.Name(at, node.value)

    def _attribute(self, node: cst.Attribute) -> r.Attribute:
        return r.Attribute(self.at(node), self.read(node.value), node.attr.value)

    def _call(self, node: cst.Call) -> r.Call:
        at = self.at(node)
        func = self.read(node.func)
        arguments: list[r.Argument] = []
        for argument in node.args:
            star = argument.star
            keyword = argument.keyword.value if argument.keyword is not None else None
            arguments.append(
                r.Argument(self.read(argument.value), keyword, "**" if star == "**" else "*" if star else "")
            )
        return r.Call(at, func, tuple(arguments))

    def _string(self, node: cst.SimpleString | cst.ConcatenatedString) -> r.AnyExpression:
        at = self.at(node)
        if isinstance(node, cst.ConcatenatedString):
            value = node.evaluated_value
        elif len(node.value) > LONGEST_STRING:
            value = None
        else:
            value = node.evaluated_value
        return r.Constant(at, value) if isinstance(value, str) and len(value) <= LONGEST_STRING else r.Opaque(at, ())

    def _number(self, node: cst.Integer | cst.Float) -> r.AnyExpression:
        at = self.at(node)
        try:
            value = ast.literal_eval(node.value)
        except (ValueError, SyntaxError):
            return r.Opaque(at, ())
        # Numbers outside 64 bits cannot be stored, and no epoch, rank or worker count is among them.
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            return r.Opaque(at, ())
        return r.Constant(at, value) if isinstance(value, int | float) else r.Opaque(at, ())

    def _sequence(self, node: cst.Tuple | cst.List | cst.Set) -> r.Sequence:
        at = self.at(node)
        elements = tuple(self._element(element) for element in node.elements)
        kind = "tuple" if isinstance(node, cst.Tuple) else "list" if isinstance(node, cst.List) else "set"
        return r.Sequence(at, kind, elements)  # type: ignore[arg-type]  # mypy widens the conditional to str

    def _element(self, element: cst.BaseElement) -> r.AnyExpression:
        if isinstance(element, cst.StarredElement):
            return r.Starred(self.at(element), self.read(element.value))
        return self.read(element.value)

    def _mapping(self, node: cst.Dict) -> r.Mapping:
        at = self.at(node)
        keys: list[r.AnyExpression | None] = []
        values: list[r.AnyExpression] = []
        for element in node.elements:
            keys.append(self.read(element.key) if isinstance(element, cst.DictElement) else None)
            values.append(self.read(element.value))
        return r.Mapping(at, tuple(keys), tuple(values))

    def _conditional(self, node: cst.IfExp) -> r.Conditional:
        at = self.at(node)
        body = self.read(node.body)
        test = self.read(node.test)
        return r.Conditional(at, test, body, self.read(node.orelse))

    def _boolean(self, node: cst.BooleanOperation) -> r.Boolean:
        at = self.at(node)
        left = self.read(node.left)
        return r.Boolean(at, "and" if isinstance(node.operator, cst.And) else "or", left, self.read(node.right))

    def _unary(self, node: cst.UnaryOperation) -> r.AnyExpression:
        at = self.at(node)
        value = self.read(node.expression)
        if isinstance(node.operator, cst.Not):
            return r.Not(at, value)
        if isinstance(node.operator, cst.Minus) and isinstance(value, r.Constant) and type(value.value) is int:
            return r.Constant(at, -value.value)
        return r.Arithmetic(at, type(node.operator).__name__, value, None)

    def _binary(self, node: cst.BinaryOperation) -> r.Arithmetic:
        at = self.at(node)
        left = self.read(node.left)
        return r.Arithmetic(at, type(node.operator).__name__, left, self.read(node.right))

    def _comparison(self, node: cst.Comparison) -> r.Compare:
        at = self.at(node)
        left = self.read(node.left)
        operators: list[str] = []
        rights: list[r.AnyExpression] = []
        for target in node.comparisons:
            operators.append(_COMPARISONS.get(type(target.operator), "?"))
            rights.append(self.read(target.comparator))
        return r.Compare(at, left, tuple(operators), tuple(rights))

    def _subscript(self, node: cst.Subscript) -> r.Subscript:
        at = self.at(node)
        value = self.read(node.value)
        index: r.AnyExpression | None = None
        if len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Index):
            index = self.read(node.slice[0].slice.value)
        elif len(node.slice) > 1:
            elements = [
                self.read(element.slice.value) if isinstance(element.slice, cst.Index) else self._slice(element.slice)
                for element in node.slice
            ]
            index = r.Sequence(at, "tuple", tuple(elements))
        return r.Subscript(at, value, index)

    def _slice(self, node: cst.BaseSlice) -> r.Opaque:
        return r.Opaque(self.at(node), ())

    def _lambda(self, node: cst.Lambda) -> r.Lambda:
        at = self.at(node)
        outer = self.has_yield
        record = r.Lambda(at, self.read_parameters(node.params), self.read(node.body))
        self.has_yield = outer
        return record

    def _walrus(self, node: cst.NamedExpr) -> r.Walrus:
        return r.Walrus(self.at(node), self.read(node.target), self.read(node.value))

    def _yield(self, node: cst.Yield) -> r.Yield:
        at = self.at(node)
        self.has_yield = True
        if isinstance(node.value, cst.From):
            return r.Yield(at, self.read(node.value.item), True)
        return r.Yield(at, self.read(node.value) if node.value is not None else None, False)

    def _comprehension(self, node: cst.BaseComp) -> r.Comprehension:
        at = self.at(node)
        generators: list[r.Generator] = []
        clause: cst.CompFor | None = node.for_in
        while clause is not None:
            clause_at = self.at(clause)
            iterable = self.read(clause.iter)
            target = self.read(clause.target)
            conditions = tuple(self.read(condition.test) for condition in clause.ifs)
            generators.append(r.Generator(clause_at, target, iterable, conditions))
            clause = clause.inner_for_in
        if isinstance(node, cst.DictComp):
            key = self.read(node.key)
            return r.Comprehension(at, "dict", key, self.read(node.value), tuple(generators))
        assert isinstance(node, cst.BaseSimpleComp)
        kind = "list" if isinstance(node, cst.ListComp) else "set" if isinstance(node, cst.SetComp) else "generator"
        element = self.read(node.elt)
        return r.Comprehension(at, kind, None, element, tuple(generators))  # type: ignore[arg-type]  # as above

    def _formatted(self, node: cst.FormattedString) -> r.Opaque:
        at = self.at(node)
        parts: list[r.AnyExpression] = []
        for part in node.parts:
            if isinstance(part, cst.FormattedStringExpression):
                parts.append(self.read(part.expression))
            elif isinstance(part, cst.FormattedStringText) and len(part.value) <= LONGEST_STRING:
                # What is written between the braces tells which modules `import_module(f"trainers.{name}")` may mean.
                parts.append(r.Constant(at, part.value))
        return r.Opaque(at, tuple(parts))

    def _await(self, node: cst.Await) -> r.AnyExpression:
        # The awaited value is what the coroutine returns, and the inference takes calls of coroutines as plain calls.
        return self.read(node.expression)

    def read_parameters(self, node: cst.Parameters) -> tuple[r.Parameter, ...]:
        """Return the records of a function's parameters, in order."""
        found = [self._parameter(parameter, "positional") for parameter in (*node.posonly_params, *node.params)]
        if isinstance(node.star_arg, cst.Param):
            found.append(self._parameter(node.star_arg, "*"))
        found.extend(self._parameter(parameter, "keyword") for parameter in node.kwonly_params)
        if node.star_kwarg is not None:
            found.append(self._parameter(node.star_kwarg, "**"))
        return tuple(found)

    def _parameter(self, node: cst.Param, kind: str) -> r.Parameter:
        at = self.at(node)
        default = self.read(node.default) if node.default is not None else None
        annotation = self.read(node.annotation.annotation) if node.annotation is not None else None
        return r.Parameter(at, node.name.value, kind, default, annotation)  # type: ignore[arg-type]  # one of four
