"""Makes objects of the project's and of libraries' classes."""

from __future__ import annotations

from lint_epoch.facts import records as r
from lint_epoch.project.classes import DICT, LIST, LibraryClass, ProjectClass
from lint_epoch.project.interpreter.core import Core
from lint_epoch.project.model import method_of
from lint_epoch.project.values import (
    CallArguments,
    ClassValue,
    Object,
    ValueSet,
    unknown,
)


class Constructors(Core):
    """The part of the interpreter that makes objects."""

    def construct(self, value: ClassValue, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        """Return what a call of a class can give."""
        cls = value.cls
        made = Object(cls, self.site(record))
        made.frame = self.frame
        self.project.created(made)
        if isinstance(cls, LibraryClass):
            self.bind_library(made, cls, arguments)
            return (made,)
        if not isinstance(cls, ProjectClass):
            return self._container(cls is LIST, arguments, record)
        if not self.project.is_worth_building(cls, arguments, self):
            self.escape(cls.name, arguments, record)
            made.open = True
            return (made,)
        method = method_of(made, "__init__")
        if method is not None:
            self.call_value(method, arguments, record)
        elif cls.is_dataclass:
            self._bind_fields(made, cls, arguments)
        else:
            for base in cls.library_bases():
                if base.entry.parameters:
                    self.bind_library(made, base, arguments)
                    break
        return (made,)

    def _bind_fields(self, made: Object, cls: ProjectClass, arguments: CallArguments) -> None:
        positional = list(arguments.positional)
        classes = [owner for owner in reversed(cls.mro()) if isinstance(owner, ProjectClass)]
        fields = {name: (owner, field) for owner in classes for name, field in owner.assigned.items()}
        for name, (owner, field) in fields.items():
            if field.annotation is None:
                continue
            if name in arguments.keywords:
                self.set_attribute(made, name, arguments.keywords[name])
            elif positional:
                self.set_attribute(made, name, positional.pop(0))
            elif field.value is not None and not arguments.open:
                self.set_attribute(made, name, self.class_variable(owner, field))
            else:
                self.set_attribute(made, name, unknown(f"field {name}"))

    def _container(self, is_list: bool, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        made = Object(LIST if is_list else DICT, self.site(record))
        for values in arguments.positional:
            items, _ = self.iterate(values, record)
            self.fill(made, "[]", items)
        return (made,)

    def bind_library(self, made: Object, cls: LibraryClass, arguments: CallArguments) -> None:
        """Bind the arguments of a library's constructor."""
        names = cls.entry.parameters
        for name, values in zip(names, arguments.positional, strict=False):
            made.arguments[name] = values
        if len(arguments.positional) > len(names) and not names:
            made.arguments["*"] = unknown("an argument of an unknown name")
        made.arguments.update(arguments.keywords)
        if arguments.open:
            made.arguments["**"] = unknown("unpacked arguments")
