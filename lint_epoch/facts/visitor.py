"""The libcst visitor that turns one module into records.

It visits statements; expressions are lowered by hand, since visiting their white space would cost more than all the
rest. No metadata provider is used: a record carries the index of its node, and ``positions`` computes lines and
columns, for a file in which something is shown, from the nodes that ``nodes_of`` lists in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from lint_epoch.facts import records as r
from lint_epoch.facts.expressions import ExpressionReader


def read_module(tree: cst.Module) -> r.Module:
    """Return what the module says."""
    visitor = FactsVisitor()
    tree.visit(visitor)
    return r.Module(body=visitor.body, nodes=len(visitor.nodes))


def nodes_of(tree: cst.Module) -> Sequence[cst.CSTNode]:
    """Return the tree's nodes in the visitor's order, so that ``nodes[record.at]`` is the record's node."""
    visitor = FactsVisitor()
    tree.visit(visitor)
    return visitor.nodes


Span = tuple[int, int, int, int]


def positions(tree: cst.Module) -> list[Span]:
    """Return for each index its (line, column, end line, end column), counted from 1, columns in code points."""
    from libcst.metadata import MetadataWrapper, PositionProvider

    # The tree is fresh from the parser and is not edited, so it needs no copy (which costs as much as parsing).
    wrapper = MetadataWrapper(tree, unsafe_skip_copy=True)
    known = wrapper.resolve(PositionProvider)
    found: list[Span] = []
    for node in nodes_of(wrapper.module):
        span = known.get(node)
        if span is None:
            found.append((1, 1, 1, 1))
            continue
        start, end = span.start, span.end
        found.append((start.line, start.column + 1, end.line, end.column + 1))
    return found


class FactsVisitor(ExpressionReader, cst.CSTVisitor):
    """Builds the records of a module's statements, nested as they stand."""

    def __init__(self) -> None:
        super().__init__()
        self.nodes: list[cst.CSTNode] = []
        self.body: r.Block = ()
        self._blocks: list[list[r.AnyStatement]] = []
        self._yields: list[bool] = []

    def _emit(self, record: r.AnyStatement) -> bool:
        self._blocks[-1].append(record)
        return False

    def _block(self, body: cst.BaseSuite | Sequence[cst.CSTNode] | None) -> r.Block:
        if body is None:
            return ()
        self._blocks.append([])
        for statement in body.body if isinstance(body, cst.BaseSuite) else body:
            statement.visit(self)
        return tuple(self._blocks.pop())

    def _orelse(self, orelse: cst.If | cst.Else | None) -> r.Block:
        if orelse is None:
            return ()
        return self._block([orelse]) if isinstance(orelse, cst.If) else self._block(orelse.body)

    def visit_Module(self, node: cst.Module) -> bool:
        self.at(node)
        self.body = self._block(node.body)
        return False

    def visit_SimpleStatementLine(self, node: cst.SimpleStatementLine) -> bool:
        for small in node.body:
            small.visit(self)
        return False

    # --- imports -------------------------------------------------------------------------------------------------

    def visit_Import(self, node: cst.Import) -> bool:
        for alias in node.names:
            self._emit(r.Import(self.at(node), alias.evaluated_name, alias.evaluated_alias))
        return False

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:
        names: list[r.ImportedName] = []
        if not isinstance(node.names, cst.ImportStar):
            for alias in node.names:
                names.append(r.ImportedName(alias.evaluated_name, alias.evaluated_alias or alias.evaluated_name))
        module = dotted(node.module) if node.module is not None else ""
        return self._emit(r.ImportFrom(self.at(node), module, len(node.relative), tuple(names)))

    # --- simple statements ---------------------------------------------------------------------------------------

    def visit_Assign(self, node: cst.Assign) -> bool:
        at = self.at(node)
        targets = tuple(self.read(target.target) for target in node.targets)
        return self._emit(r.Assign(at, targets, self.read(node.value), None))

    def visit_AnnAssign(self, node: cst.AnnAssign) -> bool:
        at = self.at(node)
        target = self.read(node.target)
        value = self.read(node.value) if node.value is not None else None
        return self._emit(r.Assign(at, (target,), value, self.read(node.annotation.annotation)))

    def visit_AugAssign(self, node: cst.AugAssign) -> bool:
        at = self.at(node)
        operator = type(node.operator).__name__.removesuffix("Assign")
        return self._emit(r.AugmentedAssign(at, self.read(node.target), operator, self.read(node.value)))

    def visit_Expr(self, node: cst.Expr) -> bool:
        return self._emit(r.ExpressionStatement(self.at(node), self.read(node.value)))

    def visit_Return(self, node: cst.Return) -> bool:
        at = self.at(node)
        return self._emit(r.Return(at, self.read(node.value) if node.value is not None else None))

    def visit_Raise(self, node: cst.Raise) -> bool:
        at = self.at(node)
        return self._emit(r.Raise(at, self.read(node.exc) if node.exc is not None else None))

    def visit_Assert(self, node: cst.Assert) -> bool:
        return self._emit(r.Assert(self.at(node), self.read(node.test)))

    def visit_Break(self, node: cst.Break) -> bool:
        return self._emit(r.Jump(self.at(node), "break"))

    def visit_Continue(self, node: cst.Continue) -> bool:
        return self._emit(r.Jump(self.at(node), "continue"))

    def visit_Global(self, node: cst.Global) -> bool:
        return self._emit(r.Declaration(self.at(node), "global", tuple(item.name.value for item in node.names)))

    def visit_Nonlocal(self, node: cst.Nonlocal) -> bool:
        return self._emit(r.Declaration(self.at(node), "nonlocal", tuple(item.name.value for item in node.names)))

    def visit_Del(self, node: cst.Del) -> bool:
        return self._emit(r.Delete(self.at(node), (self.read(node.target),)))

    def visit_Pass(self, node: cst.Pass) -> bool:
        return False

    # --- compound statements -------------------------------------------------------------------------------------

    def visit_If(self, node: cst.If) -> bool:
        at = self.at(node)
        test = self.read(node.test)
        return self._emit(r.If(at, test, self._block(node.body), self._orelse(node.orelse)))

    def visit_For(self, node: cst.For) -> bool:
        at = self.at(node)
        target, iterable = self.read(node.target), self.read(node.iter)
        orelse = self._block(node.orelse.body) if node.orelse is not None else ()
        return self._emit(r.For(at, target, iterable, self._block(node.body), orelse))

    def visit_While(self, node: cst.While) -> bool:
        at = self.at(node)
        test = self.read(node.test)
        orelse = self._block(node.orelse.body) if node.orelse is not None else ()
        return self._emit(r.While(at, test, self._block(node.body), orelse))

    def visit_Try(self, node: cst.Try | cst.TryStar) -> bool:
        at = self.at(node)
        body = self._block(node.body)
        handlers: list[r.Handler] = []
        for handler in node.handlers:
            handler_at = self.at(handler)
            kinds = self.read(handler.type) if handler.type is not None else None
            named = handler.name.name.value if handler.name and isinstance(handler.name.name, cst.Name) else None
            several = kinds.elements if isinstance(kinds, r.Sequence) else () if kinds is None else (kinds,)
            handlers.append(r.Handler(handler_at, several, named, self._block(handler.body)))
        orelse = self._block(node.orelse.body) if node.orelse is not None else ()
        final = self._block(node.finalbody.body) if node.finalbody is not None else ()
        return self._emit(r.Try(at, body, tuple(handlers), orelse, final))

    def visit_TryStar(self, node: cst.TryStar) -> bool:
        return self.visit_Try(node)

    def visit_With(self, node: cst.With) -> bool:
        at = self.at(node)
        items: list[r.WithItem] = []
        for item in node.items:
            target = self.read(item.asname.name) if item.asname is not None else None
            items.append(r.WithItem(self.read(item.item), target))
        return self._emit(r.With(at, tuple(items), self._block(node.body)))

    def visit_Match(self, node: cst.Match) -> bool:
        at = self.at(node)
        subject = self.read(node.subject)
        cases: list[r.Case] = []
        for case in node.cases:
            pattern = case.pattern
            constant = self.read(pattern.value) if isinstance(pattern, cst.MatchValue) else None
            names = names_bound(pattern)
            irrefutable = isinstance(pattern, cst.MatchAs) and pattern.pattern is None
            guard = self.read(case.guard) if case.guard is not None else None
            cases.append(r.Case(names, constant, irrefutable, guard, self._block(case.body)))
        return self._emit(r.Match(at, subject, tuple(cases)))

    # --- definitions ---------------------------------------------------------------------------------------------

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        at = self.at(node)
        decorators = tuple(self.read(decorator.decorator) for decorator in node.decorators)
        parameters = self.read_parameters(node.params)
        returns = self.read(node.returns.annotation) if node.returns is not None else None
        outer, self.has_yield = self.has_yield, False
        body = self._block(node.body)
        is_generator, self.has_yield = self.has_yield, outer
        trivial = all(
            isinstance(statement, r.ExpressionStatement) and isinstance(statement.value, r.Constant | r.Opaque)
            for statement in body
        )
        record = r.FunctionDef(at, node.name.value, parameters, returns, decorators, body, is_generator, trivial)
        return self._emit(record)

    def visit_ClassDef(self, node: cst.ClassDef) -> bool:
        at = self.at(node)
        decorators = tuple(self.read(decorator.decorator) for decorator in node.decorators)
        bases = tuple(self.read(base.value) for base in node.bases if not base.star)
        keywords = tuple(
            r.Argument(self.read(argument.value), argument.keyword.value if argument.keyword else None)
            for argument in node.keywords
        )
        body = self._block(node.body)
        return self._emit(r.ClassDef(at, node.name.value, bases, keywords, decorators, body))


def dotted(node: cst.BaseExpression) -> str:
    """Return the text of a dotted name."""
    if isinstance(node, cst.Attribute):
        return f"{dotted(node.value)}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else ""


def names_bound(pattern: cst.MatchPattern) -> tuple[str, ...]:
    """Return the names that a ``case`` pattern binds, in order."""
    found: list[str] = []

    class Binders(cst.CSTVisitor):
        def visit_MatchAs(self, node: cst.MatchAs) -> None:
            if node.name is not None:
                found.append(node.name.value)

        def visit_MatchStar(self, node: cst.MatchStar) -> None:
            if node.name is not None:
                found.append(node.name.value)

    pattern.visit(Binders())
    return tuple(found)
