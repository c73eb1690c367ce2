"""Evaluates expressions."""

from __future__ import annotations

from lint_epoch.facts import records as r
from lint_epoch.project.classes import (
    DICT,
    LIST,
)
from lint_epoch.project.interpreter.core import Core, truth
from lint_epoch.project.interpreter.loops import MOST_KNOWN_ITEMS
from lint_epoch.project.ranks import main_only
from lint_epoch.project.state import varying
from lint_epoch.project.values import (
    ComprehensionValue,
    Const,
    Data,
    FunctionValue,
    Object,
    TupleValue,
    Unknown,
    ValueSet,
    View,
    join,
    measured,
    only_constant,
    unknown,
)

_FOLDABLE = {
    "Add": lambda a, b: a + b,
    "Subtract": lambda a, b: a - b,
    "Multiply": lambda a, b: a * b,
}


class Expressions(Core):
    """The part of the interpreter that evaluates expressions."""

    def evaluate(self, node: r.AnyExpression) -> ValueSet:
        """Return what an expression can be."""
        if self.cells is None:
            return unknown("not reached")
        return getattr(self, f"_eval_{type(node).__name__}")(node)  # type: ignore[no-any-return]

    def _eval_Constant(self, node: r.Constant) -> ValueSet:
        return (Const(node.value),)

    def _eval_Name(self, node: r.Name) -> ValueSet:
        return self.read_name(node.id, node)

    def _eval_Opaque(self, node: r.Opaque) -> ValueSet:
        parts = [self.evaluate(part) for part in node.parts]
        return (Data(varying(*parts)),)

    def _eval_Starred(self, node: r.Starred) -> ValueSet:
        return self.evaluate(node.value)

    def _eval_Walrus(self, node: r.Walrus) -> ValueSet:
        values = self.evaluate(node.value)
        self.bind_name(node.target.id if isinstance(node.target, r.Name) else "", values)
        return values

    def _eval_Sequence(self, node: r.Sequence) -> ValueSet:
        starred = any(isinstance(element, r.Starred) for element in node.elements)
        elements = [self.evaluate(element) for element in node.elements]
        if node.kind == "tuple" and not starred:
            return (TupleValue(tuple(elements)),)
        made = Object(LIST, self.site(node))
        if starred:
            inner = [
                self.iterate(values, element)[0] if isinstance(element, r.Starred) else values
                for element, values in zip(node.elements, elements, strict=True)
            ]
            self.fill(made, "[]", join(*inner))
            return (made,)
        for index, values in enumerate(elements):
            self.fill(made, f"[{index}]", values)
        self.fill(made, "#", (Const(len(elements)),))
        if elements:
            self.fill(made, "[]", join(*elements))
        return (made,)

    def _eval_Mapping(self, node: r.Mapping) -> ValueSet:
        made = Object(DICT, self.site(node))
        held: list[ValueSet] = []
        keys: list[ValueSet] = []
        closed = True
        for key, value in zip(node.keys, node.values, strict=True):
            values = self.evaluate(value)
            if key is None:
                closed = False
                held.append(unknown("an unpacked dict"))
                continue
            name = only_constant(self.evaluate(key))
            held.append(values)
            if name is None:
                closed = False
            else:
                keys.append((name,))
                self.fill(made, f"[{name.value!r}]", values)
        if held:
            self.fill(made, "[]", join(*held))
        if closed:
            self.fill(made, "#keys", (TupleValue(tuple(keys)),))
        return (made,)

    def _eval_Conditional(self, node: r.Conditional) -> ValueSet:
        answer = truth(self.evaluate(node.test))
        if answer is not None:
            return self.evaluate(node.body if answer else node.orelse)
        return join(self.evaluate(node.body), self.evaluate(node.orelse))

    def _eval_Boolean(self, node: r.Boolean) -> ValueSet:
        left = self.evaluate(node.left)
        answer = truth(left)
        stops = node.operator == "or"
        if answer is stops:
            return left
        right = self.evaluate(node.right)
        if answer is not None:
            return right
        if truth(right) is (not stops) and node.operator == "or":
            return left if main_only(left) is not None else (Data(),)
        if truth(right) is False and node.operator == "and":
            return right
        sides = {main_only(left), main_only(right)}
        if node.operator == "and" and True in sides:
            return (Data(rank=True, main_only=True),)
        if node.operator == "or" and not any(isinstance(v, Object) for v in (*left, *right)):
            # `rank == 0 or not distributed` holds on one rank alone as soon as there are several.
            return (Data(rank=True, main_only=True),) if True in sides else join(left, right)
        kept = tuple(v for v in left if not (isinstance(v, Const) and bool(v.value) is not stops))
        return join(kept, right) if kept else right

    def _eval_Not(self, node: r.Not) -> ValueSet:
        values = self.evaluate(node.value)
        answer = truth(values)
        if answer is not None:
            return (Const(not answer),)
        main = main_only(values)
        if main is not None:
            return (Data(rank=True, main_only=not main),)
        if values and all(isinstance(v, Data) and v.rank for v in values):
            return (Data(rank=True, main_only=True),)
        return (Data(varying(values)),)

    def _eval_Compare(self, node: r.Compare) -> ValueSet:
        left = self.evaluate(node.left)
        rights = [self.evaluate(right) for right in node.rights]
        if len(rights) != 1:
            return (Data(varying(left, *rights)),)
        rest = measured(left, "rest")
        if rest is not None:
            self.saw("boundary", "", (rest,), node)
        return self._compared(node.operators[0], left, rights[0])

    def _compared(self, operator: str, left: ValueSet, right: ValueSet) -> ValueSet:
        if operator in ("is", "is not") and only_constant(right) == Const(None):
            known = self._is_none(left)
            return (Data(),) if known is None else (Const(known is (operator == "is")),)
        first, second = only_constant(left), only_constant(right)
        if first is not None and second is not None and operator in ("==", "!="):
            return (Const((first.value == second.value) is (operator == "==")),)
        if operator in ("in", "not in") and first is not None:
            items = self.known_items(right)
            constants = [only_constant(item) for item in items] if items is not None else [None]
            if constants and all(item is not None for item in constants):
                return (Const((first in constants) is (operator == "in")),)
        if operator in ("==", "!=") and self._are_distinct(left, right):
            return (Const(operator == "!="),)
        return self._rank_test(operator, left, right)

    @staticmethod
    def _are_distinct(left: ValueSet, right: ValueSet) -> bool:
        """Whether two sets of constants have none in common."""
        if not all(isinstance(value, Const) for value in (*left, *right)):
            return False
        return bool(left) and bool(right) and not set(left) & set(right)

    def _rank_test(self, operator: str, left: ValueSet, right: ValueSet) -> ValueSet:
        """Return what a comparison with a rank's number says about ranks."""
        if any(isinstance(value, Const) for value in left) and any(isinstance(v, Data) and v.rank for v in right):
            left, right = right, left
        is_rank = bool(left) and all(isinstance(value, Data) and value.rank for value in left)
        if is_rank and not any(value.main_only is not None for value in left if isinstance(value, Data)):
            constant = only_constant(right)
            if operator in ("==", "<=") and constant == Const(0):
                return (Data(rank=True, main_only=True),)
            if operator in ("!=", ">") and constant == Const(0):
                return (Data(rank=True, main_only=False),)
            if operator == "<" and constant == Const(1):
                return (Data(rank=True, main_only=True),)
            if operator in ("in", "not in"):
                items = self.known_items(right) or []
                if (Const(0),) in items:
                    return (Data(rank=True, main_only=operator == "in"),)
        return (Data(varying(left, right)),)

    @staticmethod
    def _is_none(values: ValueSet) -> bool | None:
        answers: set[bool] = set()
        for value in values:
            if isinstance(value, Unknown):
                return None
            if isinstance(value, Data):
                # A datum that is not None: numbers and strings that were computed.
                return None
            answers.add(isinstance(value, Const) and value.value is None)
        return answers.pop() if len(answers) == 1 else None

    def _eval_Arithmetic(self, node: r.Arithmetic) -> ValueSet:
        left = self.evaluate(node.left)
        right = self.evaluate(node.right) if node.right is not None else ()
        return self.arithmetic(node.operator, left, right)

    def arithmetic(self, operator: str, left: ValueSet, right: ValueSet) -> ValueSet:
        """Return the outcome of an operation; small whole numbers are computed."""
        first, second = only_constant(left), only_constant(right)
        if first is not None and second is not None and operator in _FOLDABLE:
            if type(first.value) is int and type(second.value) is int and abs(first.value) < 2**31:
                return (Const(_FOLDABLE[operator](first.value, second.value)),)
            if isinstance(first.value, str) and isinstance(second.value, str) and operator == "Add":
                return (Const(first.value + second.value),)
        if operator == "Add" and any(isinstance(v, Object) and v.cls is LIST for v in (*left, *right)):
            made = Object(LIST, (None, 0))
            self.fill(made, "[]", join(self.iterate_quietly(left), self.iterate_quietly(right)))
            return (made,)
        rank = any(isinstance(value, Data) and value.rank for value in (*left, *right))
        if operator not in ("Add", "Subtract", "Multiply", "FloorDivide", "Divide"):
            rank = False
        whole = measured(right, "length")
        what = {"FloorDivide": "passes", "Modulo": "rest"}.get(operator)
        return (Data(varying(left, right), rank, measure=(what, whole) if what and whole is not None else None),)

    def iterate_quietly(self, values: ValueSet) -> ValueSet:
        """Return the items of containers, without a pass."""
        found: list[ValueSet] = []
        for value in values:
            if isinstance(value, TupleValue):
                found.extend(value.elements)
            elif isinstance(value, Object):
                found.append(self.get_attribute(value, "[]") or ())
            else:
                found.append(unknown("items of something unknown"))
        return join(*found) if found else ()

    def _eval_Lambda(self, node: r.Lambda) -> ValueSet:
        self.frame.captured = True
        return (FunctionValue(node, self.frame.module, self.frame),)

    def _eval_Yield(self, node: r.Yield) -> ValueSet:
        values = self.evaluate(node.value) if node.value is not None else (Const(None),)
        if node.delegates:
            values, _ = self.iterate(values, node)
        self.frame.yields.append(values)
        if self.yielded and (kept := self.fork()) is not None:
            self.yielded[-1].append(kept)
        return (Data(),)

    def _eval_Comprehension(self, node: r.Comprehension) -> ValueSet:
        items = None
        if len(node.generators) == 1:
            items = self.known_items(self.evaluate(node.generators[0].iterable))
        if items is not None:
            return self._comprehend_each(node, items)
        for generator in node.generators:
            elements, _ = self.iterate(self.evaluate(generator.iterable), generator.iterable)
            self.assign_quietly(generator.target, elements)
            for condition in generator.conditions:
                self.evaluate(condition)
        element = self.evaluate(node.element)
        if node.kind == "generator":
            return (ComprehensionValue(element),)
        made = Object(DICT if node.kind == "dict" else LIST, self.site(node))
        self.fill(made, "[]", element)
        return (made,)

    def _comprehend_each(self, node: r.Comprehension, items: list[ValueSet]) -> ValueSet:
        made = Object(DICT if node.kind == "dict" else LIST, self.site(node))
        found: list[ValueSet] = []
        keys: list[ValueSet] = []
        for index, item in enumerate(items):
            self.assign_quietly(node.generators[0].target, item)
            for condition in node.generators[0].conditions:
                self.evaluate(condition)
            key = only_constant(self.evaluate(node.key)) if node.key is not None else Const(index)
            element = self.evaluate(node.element)
            found.append(element)
            if key is not None:
                keys.append((key,))
                self.fill(made, f"[{key.value!r}]", element)
        if node.kind == "generator":
            return (ComprehensionValue(join(*found)),) if found else (Data(),)
        if found:
            self.fill(made, "[]", join(*found))
        if node.kind == "dict" and len(keys) == len(items):
            self.fill(made, "#keys", (TupleValue(tuple(keys)),))
        if node.kind == "list" and not node.generators[0].conditions:
            self.fill(made, "#", (Const(len(items)),))
        return (made,)

    def known_items(self, values: ValueSet) -> list[ValueSet] | None:
        """Return the items one by one, if the value is a short display of known items."""
        if len(values) != 1:
            return None
        value = values[0]
        if isinstance(value, TupleValue):
            return list(value.elements) if len(value.elements) <= MOST_KNOWN_ITEMS else None
        if isinstance(value, View) and value.kind in ("enumerate", "same") and len(value.sources) == 1:
            inner = self.known_items(value.sources[0])
            if inner is None or value.kind == "same":
                return inner
            return [(TupleValue(((Const(index),), item)),) for index, item in enumerate(inner)]
        if isinstance(value, View) and value.kind == "zip":
            columns = [self.known_items(source) for source in value.sources]
            if any(column is None for column in columns):
                return None
            rows = zip(*(column or [] for column in columns), strict=False)
            return [(TupleValue(tuple(row)),) for row in rows]
        if not isinstance(value, Object):
            return None
        if value.cls is DICT:
            keys = self.get_attribute(value, "#keys")
            return self.known_items(keys) if keys is not None else None
        count = only_constant(self.get_attribute(value, "#") or ()) if value.cls is LIST else None
        if count is None or not isinstance(count.value, int) or count.value > MOST_KNOWN_ITEMS:
            return None
        return [self.get_attribute(value, f"[{index}]") or unknown("item") for index in range(count.value)]
