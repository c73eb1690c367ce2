"""Attributes and items of values."""

from __future__ import annotations

from lint_epoch.facts import records as r
from lint_epoch.project import walk
from lint_epoch.project.classes import (
    DICT,
    LIST,
    LibraryClass,
    ProjectClass,
    class_has,
)
from lint_epoch.project.interpreter.core import Core
from lint_epoch.project.model import method_of
from lint_epoch.project.ranks import by_name
from lint_epoch.project.values import (
    BoundExternal,
    CallArguments,
    ClassValue,
    Const,
    Data,
    External,
    FunctionValue,
    GeneratorValue,
    IteratorValue,
    ModuleValue,
    Object,
    SuperValue,
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

_FOLDABLE = {
    "Add": lambda a, b: a + b,
    "Subtract": lambda a, b: a - b,
    "Multiply": lambda a, b: a * b,
}


#: Methods of dicts and lists that the inference follows.
_CONTAINER_METHODS = frozenset(
    {"append", "extend", "insert", "values", "items", "keys", "get", "pop", "update", "setdefault", "copy", "add"}
)


class Attributes(Core):
    """The part of the interpreter that reads attributes and items."""

    def _eval_Attribute(self, node: r.Attribute) -> ValueSet:
        return each(self.evaluate(node.value), lambda value: self.attribute(value, node.attr, node))

    def attribute(self, value: Value, name: str, record: r.AnyExpression) -> ValueSet:
        """Return what an attribute of a value can be."""
        if isinstance(value, Object):
            return self.object_attribute(value, name, record)
        if isinstance(value, ModuleValue):
            return self.project.module_attribute(value.module, name, self)
        if isinstance(value, External):
            return self.project.external(f"{value.dotted}.{name}")
        if isinstance(value, ClassValue):
            return self._class_attribute(value, name)
        if isinstance(value, SuperValue):
            return self._super_attribute(value, name)
        if isinstance(value, Unknown):
            found = by_name(name)
            return (found,) if found is not None else (self.project.part_of_unknown(value, name),)
        if isinstance(value, Data):
            return (Data(value.varies, value.rank),)
        if isinstance(value, IteratorValue | View | GeneratorValue) and name in ("__next__", "next"):
            return (NextMethod(value),)
        if isinstance(value, View) and len(value.sources) == 1:
            # A progress bar answers for what it shows only in the few attributes that it has itself.
            return (Data(),)
        return unknown(f"attribute {name}")

    def object_attribute(self, value: Object, name: str, record: r.AnyExpression) -> ValueSet:
        """Return what an attribute of an object can be."""
        held = self.get_attribute(value, name)
        if held is not None:
            return held
        cls = value.cls
        if isinstance(cls, ProjectClass):
            found = self._member(value, cls, name, record)
            if found is not None:
                return found
            if name == "__class__":
                return (ClassValue(cls),)
            for base in cls.library_bases():
                if name in base.entry.attributes or name in base.entry.methods:
                    return self.library_attribute(value, base, name, record)
            delegate = cls.function("__getattr__")
            if delegate is not None:
                method = FunctionValue(delegate[1], delegate[0].module, delegate[0].closure, delegate[0], value)
                return self.call((method,), CallArguments(((Const(name),),)), record)
            if class_has(cls, name) is False:
                return ()
            if any(base.entry.kind in ("loader", "sampler", "dataset") for base in cls.library_bases()):
                return (BoundExternal(value, name),)
            named = by_name(name)
            return (named,) if named is not None else unknown(f"{cls.name}.{name} is set elsewhere")
        if isinstance(cls, LibraryClass):
            return self.library_attribute(value, cls, name, record)
        return (BoundExternal(value, name),) if name in _CONTAINER_METHODS else (Data(),)

    def _member(self, value: Object, cls: ProjectClass, name: str, record: r.AnyExpression) -> ValueSet | None:
        for owner in cls.mro():
            if not isinstance(owner, ProjectClass):
                continue
            if name in owner.patched:
                return owner.patched[name]  # type: ignore[return-value]  # only value sets are put there
            if name in owner.functions:
                return self._bound(owner, owner.functions[name], value, record)
            if name in owner.assigned:
                statement = owner.assigned[name]
                return self.class_variable(owner, statement) if statement.value is not None else unknown(name)
        return None

    def class_variable(self, owner: ProjectClass, statement: r.Assign) -> ValueSet:
        """Return what a variable of a class's body holds."""
        assert statement.value is not None
        if isinstance(statement.value, r.Constant):
            return (Const(statement.value.value),)
        outer = self.frame
        if owner.closure is not None:
            self.frame = owner.closure
        try:
            return self.evaluate(statement.value)
        finally:
            self.frame = outer

    def _bound(self, owner: ProjectClass, function: r.FunctionDef, value: Value, record: r.AnyExpression) -> ValueSet:
        kinds = {walk.last_name(decorator) for decorator in function.decorators}
        method = FunctionValue(function, owner.module, owner.closure, owner, value)
        if kinds & {"property", "cached_property", "abstractproperty"}:
            return self.call((method,), CallArguments(), record)
        if "staticmethod" in kinds:
            return (FunctionValue(function, owner.module, owner.closure, owner, None),)
        if "classmethod" in kinds:
            cls = ClassValue(value.cls) if isinstance(value, Object) else value
            return (FunctionValue(function, owner.module, owner.closure, owner, cls),)
        return (method,)

    def _class_attribute(self, value: ClassValue, name: str) -> ValueSet:
        cls = value.cls
        if not isinstance(cls, ProjectClass):
            return unknown(f"{cls.name}.{name}")
        for owner in cls.mro():
            if not isinstance(owner, ProjectClass):
                continue
            if name in owner.patched:
                return owner.patched[name]  # type: ignore[return-value]  # only value sets are put there
            if name in owner.functions:
                function = owner.functions[name]
                kinds = {walk.last_name(decorator) for decorator in function.decorators}
                bound = value if "classmethod" in kinds else None
                return (FunctionValue(function, owner.module, owner.closure, owner, bound),)
            if name in owner.assigned and owner.assigned[name].value is not None:
                return self.class_variable(owner, owner.assigned[name])
        return (Const(cls.name),) if name == "__name__" else unknown(f"{cls.name}.{name}")

    def _super_attribute(self, value: SuperValue, name: str) -> ValueSet:
        instance = value.instance
        if not isinstance(instance, Object) or not isinstance(instance.cls, ProjectClass):
            return unknown("super of an unknown class")
        mro = instance.cls.mro()
        after = mro[mro.index(value.owner) + 1 :] if value.owner in mro else []
        for owner in after:
            if isinstance(owner, ProjectClass) and name in owner.functions:
                return self._bound(owner, owner.functions[name], instance, r.Name(0, name))
            if isinstance(owner, LibraryClass):
                return (BoundExternal(instance, name),)
        return unknown(f"super().{name}")

    def _eval_Subscript(self, node: r.Subscript) -> ValueSet:
        values = self.evaluate(node.value)
        index = only_constant(self.evaluate(node.index)) if node.index is not None else None
        key = index.value if index is not None and isinstance(index.value, int | str) else None
        return each(values, lambda value: self.item_of(value, key, node))

    def item_of(self, value: object, index: int | str | None, record: r.AnyExpression) -> ValueSet:
        """Return what ``value[index]`` can be."""
        if isinstance(value, TupleValue):
            if isinstance(index, int) and -len(value.elements) <= index < len(value.elements):
                return value.elements[index]
            return join(*value.elements) if value.elements else unknown("an empty tuple")
        if isinstance(value, Object):
            return self._object_item(value, index, record)
        if isinstance(value, Data):
            return (Data(value.varies, value.rank),)
        if isinstance(value, External) and value.dotted == "os.environ":
            named = by_name(index) if isinstance(index, str) else None
            return (named or Data(),)
        if isinstance(value, Unknown):
            named = by_name(index) if isinstance(index, str) else None
            return (named,) if named is not None else unknown(value.reason)
        if isinstance(value, Const):
            return (Data(),)
        return unknown("an item of something unknown")

    def _object_item(self, value: Object, index: int | str | None, record: r.AnyExpression) -> ValueSet:
        if value.cls in (LIST, DICT):
            held = self.get_attribute(value, f"[{index!r}]") if index is not None else None
            if held is None:
                held = self.get_attribute(value, "[]")
            return held if held is not None else unknown("an item that was not seen")
        if (method := method_of(value, "__getitem__")) is not None:
            argument: ValueSet = (Const(index),) if index is not None else (Data(),)
            return self.call((method,), CallArguments((argument,)), record)
        return unknown("an item of an object")


class NextMethod(Value):
    """The ``__next__`` of an iterator, taken as a value."""

    __slots__ = ("iterator",)

    def __init__(self, iterator: Value) -> None:
        self.iterator = iterator
