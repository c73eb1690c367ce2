"""Builtin functions that iterate, make containers or only compute."""

from __future__ import annotations

from lint_epoch.facts import records as r
from lint_epoch.project.classes import DICT, LIST, LibraryClass
from lint_epoch.project.interpreter.iteration import Iteration
from lint_epoch.project.model import method_of
from lint_epoch.project.state import varying
from lint_epoch.project.values import (
    CallArguments,
    ComprehensionValue,
    Const,
    Data,
    GeneratorValue,
    IteratorValue,
    Object,
    TupleValue,
    Unknown,
    Value,
    ValueSet,
    View,
    each,
    join,
    measured,
    unknown,
)


class Builtins(Iteration):
    """The part of the interpreter that knows what builtin functions give."""

    def _builtin_iter(self, node: r.Call) -> ValueSet:
        given = self.arguments(node).positional
        if not given:
            return unknown("iter()")
        return each(given[0], lambda value: self._iterator_of(value, node))

    def _iterator_of(self, value: Value, node: r.AnyExpression) -> ValueSet:
        if isinstance(value, IteratorValue):
            return (value,)
        if isinstance(value, Data | Const):
            return (Data(),)
        items, passes = self._iterate_value(value, node)
        return (IteratorValue((value,), passes, items),)

    def _builtin_next(self, node: r.Call) -> ValueSet:
        given = self.arguments(node).positional
        return each(given[0], lambda value: self.next_of(value, node)) if given else unknown("next()")

    def next_of(self, value: Value, node: r.AnyExpression) -> ValueSet:
        """Return the next item of an iterator."""
        if isinstance(value, IteratorValue):
            self._pull(value, node)
            return value.elements
        if isinstance(value, GeneratorValue):
            return self.start_generator(value, node)[0]
        if isinstance(value, View):
            return self._next_of_view(value, node)
        if (method := method_of(value, "__next__")) is not None:
            return self.call((method,), CallArguments(), node)
        if isinstance(value, ComprehensionValue):
            return value.elements
        if isinstance(value, Unknown):
            return unknown(value.reason)
        return (Data(),)

    def _next_of_view(self, value: View, node: r.AnyExpression) -> ValueSet:
        """Return the next item of an iterator over something else (``islice``, ``peekable``): all are of one pass."""
        known = self.pulled_views.get(id(value))
        if known is None:
            items, passes = self._iterate_view(value, node)
            known = self.pulled_views[id(value)] = (value, IteratorValue((value,), passes, items))
        self._pull(known[1], node)
        return known[1].elements

    def _builtin_enumerate(self, node: r.Call) -> ValueSet:
        given = self.arguments(node).positional
        return (View("enumerate", given[:1]),)

    def _builtin_zip(self, node: r.Call) -> ValueSet:
        return (View("zip", self.arguments(node).positional),)

    def _builtin_map(self, node: r.Call) -> ValueSet:
        given = self.arguments(node).positional
        return (View("map", given[1:]),)

    def _builtin_range(self, node: r.Call) -> ValueSet:
        given = self.arguments(node).positional
        if len(given) > 1 and (counted := measured(given[0], "passes")) is not None:
            self.saw("passes", "range", (counted,), node)
        return (View("range", ()),)

    def _builtin_reversed(self, node: r.Call) -> ValueSet:
        return (View("same", self.arguments(node).positional[:1]),)

    def _builtin_sorted(self, node: r.Call) -> ValueSet:
        given = self.arguments(node).positional
        return given[0] if given and self.known_items(given[0]) is not None else (Data(),)

    def _builtin_list(self, node: r.Call) -> ValueSet:
        return self._collected(node)

    def _builtin_tuple(self, node: r.Call) -> ValueSet:
        return self._collected(node)

    def _builtin_set(self, node: r.Call) -> ValueSet:
        return self._collected(node)

    def _collected(self, node: r.Call) -> ValueSet:
        given = self.arguments(node).positional
        made = Object(LIST, self.site(node))
        if not given:
            self.fill(made, "#", (Const(0),))
            return (made,)
        known = self.known_items(given[0])
        if known is not None:
            for index, item in enumerate(known):
                self.fill(made, f"[{index}]", item)
            self.fill(made, "#", (Const(len(known)),))
            if known:
                self.fill(made, "[]", join(*known))
            return (made,)
        items, _ = self.iterate(given[0], node)
        if items:
            self.fill(made, "[]", items)
        return (made,)

    def _builtin_dict(self, node: r.Call) -> ValueSet:
        arguments = self.arguments(node)
        made = Object(DICT, self.site(node))
        keys: list[ValueSet] = []
        for name, values in arguments.keywords.items():
            self.fill(made, f"[{name!r}]", values)
            keys.append((Const(name),))
        if arguments.positional or arguments.open:
            self.fill(made, "[]", unknown("dict()"))
            return (made,)
        self.fill(made, "#keys", (TupleValue(tuple(keys)),))
        if arguments.keywords:
            self.fill(made, "[]", join(*arguments.keywords.values()))
        return (made,)

    def _builtin_len(self, node: r.Call) -> ValueSet:
        given = self.arguments(node).positional
        if given:
            self.saw("length", "__len__", self._lengths(given[0], node, 0), node)
        only = given[0][0] if given and len(given[0]) == 1 else None
        return (Data(varying(*given), measure=("length", only) if isinstance(only, Object) else None),)

    def _lengths(self, values: ValueSet, node: r.AnyExpression, depth: int) -> ValueSet:
        """Return the objects whose length is asked for: a loader asks its sampler."""
        found: list[Value] = []
        for value in values:
            if isinstance(value, Object):
                found.append(value)
                if depth < 3 and isinstance(value.cls, LibraryClass) and value.cls.entry.kind in ("loader", "sampler"):
                    for name in value.cls.entry.holds:
                        if name != "dataset":
                            found.extend(self._lengths(self.attribute(value, name, node), node, depth + 1))
        return tuple(found)

    def _builtin_print(self, node: r.Call) -> ValueSet:
        self.arguments(node)
        return (Const(None),)

    def _builtin_type(self, node: r.Call) -> ValueSet:
        given = self.arguments(node).positional
        return (Data(),) if given else unknown("type")

    def _plain(self, node: r.Call) -> ValueSet:
        given = list(self.arguments(node).values())
        ranks = any(isinstance(value, Data) and value.rank for values in given for value in values)
        return (Data(varying(*given), ranks),)

    _builtin_int = _builtin_str = _builtin_float = _builtin_bool = _builtin_max = _builtin_min = _plain
    _builtin_sum = _builtin_abs = _builtin_round = _builtin_id = _builtin_repr = _builtin_hash = _plain
