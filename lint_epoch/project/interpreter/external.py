"""What the tables say of libraries, carried out: constructors' attributes, functions, methods of library objects."""

from __future__ import annotations

from lint_epoch.facts import records as r
from lint_epoch.facts.text import text_of
from lint_epoch.project.classes import DICT, LIST, LibraryClass, class_has
from lint_epoch.project.interpreter.core import Core
from lint_epoch.project.libraries import AttributeRule
from lint_epoch.project.model import library_classes
from lint_epoch.project.passes import EpochSet
from lint_epoch.project.ranks import by_name
from lint_epoch.project.state import varying
from lint_epoch.project.values import (
    BoundExternal,
    CallArguments,
    Const,
    Data,
    External,
    Object,
    TupleValue,
    Unknown,
    Value,
    ValueSet,
    View,
    each,
    join,
    only_constant,
    unknown,
)


class Externals(Core):
    """The part of the interpreter that stands in for libraries."""

    # --- attributes ------------------------------------------------------------------------------------------------

    def library_attribute(self, value: Object, cls: LibraryClass, name: str, record: r.AnyExpression) -> ValueSet:
        """Return what an attribute of a library's object can be."""
        for ancestor in cls.ancestors():
            rules = ancestor.entry.attributes.get(name)
            if rules is not None:
                return self._by_rules(value, name, rules)
            effect = ancestor.entry.methods.get(name)
            if effect is not None:
                return self._member_effect(value, name, effect)
        if isinstance(value.cls, LibraryClass) and class_has(value.cls, name) is False:
            return ()
        if cls.entry.kind == "framework":
            return (BoundExternal(value, name),)
        if name in value.arguments and cls.entry.kind != "other":
            return value.arguments[name]
        return (BoundExternal(value, name),)

    def _member_effect(self, value: Object, name: str, effect: str) -> ValueSet:
        if effect == "main process":
            return (Data(rank=True, main_only=True),)
        if effect == "rank":
            return (Data(rank=True),)
        return (Data(),) if effect == "data" else (BoundExternal(value, name),)

    def _by_rules(self, value: Object, name: str, rules: tuple[AttributeRule, ...]) -> ValueSet:
        found: list[ValueSet] = []
        for rule in rules:
            holds = self._holds(value, rule)
            if holds is False:
                continue
            found.append(self._by_rule(value, name, rule))
            if holds is True:
                break
        return join(*found) if found else ()

    def _holds(self, value: Object, rule: AttributeRule) -> bool | None:
        if rule.if_given is not None:
            return self._is_given(value, rule.if_given)
        if rule.if_none is not None:
            given = value.arguments.get(rule.if_none)
            if given is None:
                return None if "**" in value.arguments else False
            answers = {isinstance(v, Const) and v.value is None for v in given if not isinstance(v, Unknown | Data)}
            if any(isinstance(v, Unknown) for v in given):
                # A batch size of None is rare, and written out where it is meant.
                return answers == {True}
            return True if answers == {True} else None if True in answers else False
        if rule.if_true is not None:
            given = value.arguments.get(rule.if_true)
            if given is None:
                return None if "**" in value.arguments else False
            constant = only_constant(given)
            return bool(constant.value) if constant is not None else None
        return True

    def _is_given(self, value: Object, name: str) -> bool | None:
        given = value.arguments.get(name)
        if given is None:
            return None if "**" in value.arguments else False
        answers: set[bool] = set()
        for alternative in given:
            if isinstance(alternative, Unknown | Data):
                return None
            answers.add(not (isinstance(alternative, Const) and alternative.value is None))
        return answers.pop() if len(answers) == 1 else None

    def _by_rule(self, value: Object, name: str, rule: AttributeRule) -> ValueSet:
        if rule.none:
            return (Const(None),)
        if rule.argument is not None:
            given = value.arguments.get(rule.argument)
            if given is None:
                return unknown(f"the argument {rule.argument}")
            if rule.if_given is not None:
                given = tuple(v for v in given if not (isinstance(v, Const) and v.value is None))
            return given
        if rule.new is not None:
            return (self._made_once(value, name, rule),)
        if rule.of is not None and rule.attribute is not None:
            attribute = rule.attribute
            return each(
                value.arguments.get(rule.of, ()), lambda v: self.attribute(v, attribute, r.Name(value.site[1], ""))
            )
        return unknown(name)

    def _made_once(self, value: Object, name: str, rule: AttributeRule) -> Value:
        cached = value.base.get(f"~{name}~{rule.new}")
        if cached is not None:
            return cached[0]
        assert rule.new is not None
        cls = self.project.library_class(rule.new)
        made = Object(cls, value.site)
        first = cls.entry.parameters[0] if cls.entry.parameters else ""
        if rule.with_attribute is not None:
            made.arguments[first] = self.attribute(value, rule.with_attribute, r.Name(value.site[1], ""))
        if rule.with_prepared is not None:
            prepared = rule.with_prepared
            made.arguments[first] = each(
                value.arguments.get("prepared", ()), lambda v: self.attribute(v, prepared, r.Name(value.site[1], ""))
            )
        value.base[f"~{name}~{rule.new}"] = (made,)
        return made

    # --- calls of methods --------------------------------------------------------------------------------------------

    def call_bound_external(
        self, function: BoundExternal, arguments: CallArguments, record: r.AnyExpression
    ) -> ValueSet:
        """Return what a call of a library object's method can give."""
        receiver, name = function.receiver, function.name
        if receiver.cls in (LIST, DICT):
            return self._container_method(receiver, name, arguments, record)
        if name == "__init__":
            for base in library_classes(receiver):
                if base.entry.parameters:
                    # `super().__init__(…)` of a project's subclass of a library's class.
                    self.bind_library(receiver, base, arguments)
                    break
            return (Const(None),)
        if name == "__setattr__" and len(arguments.positional) == 2:
            return self.set_by_name((receiver,), *arguments.positional, record)
        if name == "__iter__":
            return (self.pass_of_base(receiver, record),)
        if name == "set_epoch":
            here = self.moment(record)
            values = arguments.positional[0] if arguments.positional else ()
            self.trace.epochs.append(EpochSet(receiver, values, here, self.origin or here, "call", None))
            return (Const(None),)
        if name in ("state_dict", "load_state_dict") and self.project.is_loader(receiver):
            self.saw("restore" if name == "load_state_dict" else "save", name, (receiver,), record)
        for base in library_classes(receiver):
            effect = base.entry.methods.get(name)
            if effect == "prepare" and base.entry.prepares is not None:
                return self._prepared(base, arguments, record)
            if effect == "argument":
                return arguments.positional[0] if arguments.positional else unknown(text_of(record))
            if effect in ("copy", "shuffled copy"):
                return self.derived_stream(receiver, arguments, record, shuffled=effect == "shuffled copy")
            if effect in ("event", "handler", "run"):
                return self.engine_method(receiver, effect, arguments, record)
            if effect is not None:
                return self._member_effect(receiver, name, effect)
        if self.project.is_loader(receiver):
            return (Data(),)
        self.escape(text_of(record), arguments, record)
        return unknown(f"{text_of(record)} cannot be seen")

    def _prepared(self, base: LibraryClass, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        """Return what a framework's ``prepare`` gives: every loader becomes the framework's own."""
        prepares = base.entry.prepares
        assert prepares is not None
        cls = self.project.library_class(prepares.as_)

        def prepared(value: Value) -> ValueSet:
            if not isinstance(value, Object) or not self.project.is_torch_loader(value):
                return (value,)
            if prepares.shards:
                self.saw("prepare", base.name, (value,), record)
            made = Object(cls, self.site(record))
            made.arguments["prepared"] = (value,)
            return (made,)

        results = [each(values, prepared) for values in arguments.positional]
        if arguments.open:
            return unknown("prepare with unpacked arguments")
        if len(results) == 1:
            return results[0]
        return (TupleValue(tuple(results)),)

    def _container_method(
        self, value: Object, name: str, arguments: CallArguments, record: r.AnyExpression
    ) -> ValueSet:
        held = self.get_attribute(value, "[]")
        first = arguments.positional[0] if arguments.positional else ()
        if name in ("append", "add", "insert") and arguments.positional:
            added = arguments.positional[-1]
            count = only_constant(self.get_attribute(value, "#") or ((Const(0),) if held is None else ()))
            if count is not None and isinstance(count.value, int) and name == "append":
                self.set_attribute(value, f"[{count.value}]", added)
                self.set_attribute(value, "#", (Const(count.value + 1),))
            elif name == "append":
                self.set_attribute(value, "#", (Data(),))
            self.set_attribute(value, "[]", added if held is None else join(held, added))
            return (Const(None),)
        if name == "extend":
            items, _ = self.iterate(first, record)
            self.set_attribute(value, "#", (Data(),))
            self.set_attribute(value, "[]", items if held is None else join(held, items))
            return (Const(None),)
        if name in ("get", "pop", "setdefault"):
            key = only_constant(first)
            exact = self.get_attribute(value, f"[{key.value!r}]") if key is not None else None
            if exact is not None:
                return exact
            default = arguments.positional[1] if len(arguments.positional) > 1 else (Const(None),)
            return default if held is None else join(held, default)
        if name == "values":
            return self._dict_values(value, with_keys=False)
        if name == "items":
            return self._dict_values(value, with_keys=True)
        if name == "keys":
            return (value,)
        if name == "copy":
            return (value,)
        if name == "update" and first:
            self.set_attribute(value, "[]", join(held or first, unknown("updated")))
        return (Data(),)

    def _dict_values(self, value: Object, *, with_keys: bool) -> ValueSet:
        keys = self.get_attribute(value, "#keys")
        made = Object(LIST, value.site)
        if keys is not None and isinstance(keys[0], TupleValue):
            for index, key in enumerate(keys[0].elements):
                name = only_constant(key)
                item = self.get_attribute(value, f"[{name.value!r}]") if name is not None else None
                item = item if item is not None else unknown("a value")
                self.fill(made, f"[{index}]", (TupleValue((key, item)),) if with_keys else item)
            self.fill(made, "#", (Const(len(keys[0].elements)),))
        held = self.get_attribute(value, "[]") or unknown("a value")
        self.fill(made, "[]", (TupleValue(((Data(),), held)),) if with_keys else held)
        return (made,)

    # --- calls of functions ------------------------------------------------------------------------------------------

    def call_external(self, function: External, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        """Return what a call of a library's function can give."""
        if function.dotted == "builtins.object.__setattr__" and len(arguments.positional) == 3:
            return self.set_by_name(*arguments.positional, record)
        known = self.project.libraries.functions.get(function.dotted)
        if known is None:
            return self._unknown_external(function, arguments, record)
        positional = arguments.positional
        handler = getattr(self, f"_gives_{known.gives.replace(' ', '_').replace('-', '_')}", None)
        if handler is not None:
            return handler(arguments, record)  # type: ignore[no-any-return]
        if known.gives == "argument":
            return positional[known.of] if len(positional) > known.of else unknown(function.dotted)
        if known.gives == "list of new":
            made = Object(LIST, self.site(record))
            part = Object(self.project.library_class(known.new), self.site(record))
            if len(positional) > known.of:
                part.arguments["dataset"] = positional[known.of]
            self.fill(made, "[]", (part,))
            return (made,)
        return unknown(f"{function.dotted}()")

    def _unknown_external(self, function: External, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        self.escape(function.dotted, arguments, record)
        last = function.dotted.rpartition(".")[2]
        named = by_name(last)
        if named is not None:
            return (named,)
        if last in ("tqdm", "track") and arguments.positional:
            return (View("same", arguments.positional[:1]),)
        return unknown(f"{function.dotted}() is not in the tables")

    def _gives_rank(self, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        return (Data(rank=True),)

    def _gives_data(self, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        return (Data(varying(*arguments.values())),)

    def _gives_module(self, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        named = record.arguments[0].value if isinstance(record, r.Call) and record.arguments else None
        if isinstance(named, r.Opaque):
            return self.project.modules_like(named)
        constant = only_constant(arguments.positional[0]) if arguments.positional else None
        if constant is None or not isinstance(constant.value, str) or constant.value.startswith("."):
            return unknown("a module with a computed name")
        return self.project.resolve(self.project.imported(constant.value, "", self.frame.module), self)

    def _gives_environment(self, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        name = only_constant(arguments.positional[0]) if arguments.positional else None
        named = by_name(name.value) if name is not None and isinstance(name.value, str) else None
        return (named or Data(),)

    def _gives_no_gradients(self, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        return (External("no gradients"),)

    def _gives_view(self, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        source = arguments.positional[:1] or (
            (arguments.keywords["iterable"],) if "iterable" in arguments.keywords else ()
        )
        return (View("same", tuple(source)),) if source else (Data(),)

    def _gives_range(self, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        return (View("range", ()),)

    def _gives_endless_range(self, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        return (View("endless range", ()),)

    def _gives_cycle(self, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        return self.cycled(arguments.positional[0], record) if arguments.positional else unknown("cycle of nothing")

    def _gives_partial(self, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        return self.partial(arguments)

    def _gives_spawn(self, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        """``spawn(fn, args=(…))`` calls ``fn(rank, *args)`` in each process."""
        target = arguments.positional[0] if arguments.positional else arguments.keywords.get("fn", ())
        given = arguments.keywords.get("args") or (arguments.positional[1] if len(arguments.positional) > 1 else ())
        items = self.known_items(given) if given else []
        rest = items if items is not None else []
        called = CallArguments(((Data(rank=True),), *rest), {}, items is None)
        return self.call(target, called, record)
