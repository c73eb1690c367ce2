"""Tests of what an object is or has: hasattr, getattr, isinstance, callable, and catching AttributeError."""

from __future__ import annotations

from lint_epoch.facts import records as r
from lint_epoch.facts.text import text_of
from lint_epoch.project import walk
from lint_epoch.project.classes import class_has
from lint_epoch.project.interpreter.core import Core
from lint_epoch.project.passes import GuardSeen
from lint_epoch.project.values import (
    BoundExternal,
    ClassValue,
    Const,
    Data,
    FunctionValue,
    ModuleValue,
    Object,
    Unknown,
    Value,
    ValueSet,
    each,
    join,
    only_constant,
    unknown,
)


class Guards(Core):
    """The part of the interpreter that answers guards and writes them down."""

    def has(self, values: ValueSet, name: str) -> bool | None:
        """Whether all values have an attribute (yes), none has it (no), or unknown."""
        answers = {self._value_has(value, name) for value in values}
        return answers.pop() if len(answers) == 1 else None

    def _value_has(self, value: Value, name: str) -> bool | None:
        if isinstance(value, Const):
            return False if value.value is None else None
        if not isinstance(value, Object):
            return None
        if self.get_attribute(value, name) is not None:
            return True
        if value.open or value.assumed or name in self.project.patched_names:
            return None
        return class_has(value.cls, name)

    def guard(self, kind: str, name: str, node: r.Call, subject: ValueSet, answer: bool | None) -> None:
        """Write down a test of what an object is or has."""
        first = node.arguments[0].value
        self.trace.guards.append(GuardSeen(kind, name, subject, first, answer, self.moment(node), node))  # type: ignore[arg-type]

    def _builtin_hasattr(self, node: r.Call) -> ValueSet:
        if len(node.arguments) != 2:
            return (Data(),)
        subject = self.evaluate(node.arguments[0].value)
        name = only_constant(self.evaluate(node.arguments[1].value))
        if name is None or not isinstance(name.value, str):
            return (Data(),)
        answer = self.has(subject, name.value)
        self.guard("hasattr", name.value, node, subject, answer)
        return (Data(),) if answer is None else (Const(answer),)

    def _builtin_getattr(self, node: r.Call) -> ValueSet:
        if len(node.arguments) < 2:
            return unknown("getattr")
        subject = self.evaluate(node.arguments[0].value)
        name = only_constant(self.evaluate(node.arguments[1].value))
        default = self.evaluate(node.arguments[2].value) if len(node.arguments) > 2 else None
        if name is None or not isinstance(name.value, str):
            return unknown("getattr with a computed name")
        text = name.value
        answer = self.has(subject, text)
        if default is not None:
            self.guard("getattr", text, node, subject, answer)
        if answer is False and default is not None:
            return default
        found = each(subject, lambda value: self.attribute(value, text, node))
        if all(isinstance(value, ModuleValue) for value in subject):
            # Of the modules that a computed name can mean, those that have no such name cannot be meant.
            found = tuple(value for value in found if not isinstance(value, Unknown)) or found
        if default is not None and answer is None:
            return join(found, default) if found else default
        return found

    def _builtin_setattr(self, node: r.Call) -> ValueSet:
        if len(node.arguments) != 3:
            return (Const(None),)
        subject, names, values = (self.evaluate(argument.value) for argument in node.arguments)
        return self.set_by_name(subject, names, values, node)

    def set_by_name(self, subject: ValueSet, names: ValueSet, values: ValueSet, record: r.AnyExpression) -> ValueSet:
        """Bind an attribute whose name is a value: ``setattr(subject, name, value)``."""
        name = only_constant(names)
        for value in subject:
            if isinstance(value, Object):
                if name is not None and isinstance(name.value, str):
                    self.set_attribute(value, name.value, values)
                    self.noticed_assignment(value, name.value, values, record)
                else:
                    value.open = True
        return (Const(None),)

    def _builtin_callable(self, node: r.Call) -> ValueSet:
        values = self.evaluate(node.arguments[0].value) if node.arguments else ()
        answers: set[bool | None] = set()
        for value in values:
            if isinstance(value, FunctionValue | BoundExternal | ClassValue):
                answers.add(True)
            else:
                answers.add(False if isinstance(value, Const) else None)
        answer = answers.pop() if len(answers) == 1 else None
        return (Data(),) if answer is None else (Const(answer),)

    def _builtin_isinstance(self, node: r.Call) -> ValueSet:
        if len(node.arguments) != 2:
            return (Data(),)
        subject = self.evaluate(node.arguments[0].value)
        wanted = self.evaluate(node.arguments[1].value)
        classes = self.known_items(wanted)
        flat = [value for item in classes for value in item] if classes is not None else list(wanted)
        answers = {self.project.is_instance(value, flat) for value in subject}
        answer = answers.pop() if len(answers) == 1 else None
        self.guard("isinstance", walk.last_name(node.arguments[1].value) or "class", node, subject, answer)
        return (Data(),) if answer is None else (Const(answer),)

    # --- except AttributeError ---------------------------------------------------------------------------------------

    def enter_try(self, statement: r.Try) -> int:
        """Note that a ``try`` begins; one that catches AttributeError is a guard of the calls in its body."""
        names = {text_of(kind).rpartition(".")[2] for handler in statement.handlers for kind in handler.kinds}
        bare = any(not handler.kinds for handler in statement.handlers)
        self.tries.append(bool(names & {"AttributeError", "Exception"}) or bare)
        return len(self.tries)

    def leave_try(self, mark: int) -> None:
        """Note that the body of a ``try`` has ended."""
        del self.tries[mark - 1 :]

    def missing_method(self, func: r.Attribute, missing: ValueSet, present: ValueSet, node: r.Call) -> None:
        """Write down a call of a method that some receivers do not have."""
        if present and not all(isinstance(value, Const) for value in present):
            return
        if any(_asks_for_attributes(guard.test) for guard in self.guards if guard.branch):
            return
        if any(self.tries):
            guard = GuardSeen("except", func.attr, missing, func.value, False, self.moment(node), node)
            self.trace.guards.append(guard)
            return
        self.saw("missing", func.attr, missing, node)


def _asks_for_attributes(test: r.AnyExpression) -> bool:
    """Whether a test asks what an object is or has, so that a call under it is guarded."""
    return any(
        isinstance(item, r.Call) and walk.last_name(item) in ("hasattr", "isinstance", "getattr", "callable")
        for item in walk.descendants(test)
    )
