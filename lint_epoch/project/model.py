"""The project as the interpreter sees it: its modules, its classes, the libraries it uses, what is worth following."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable

from lint_epoch.facts import records as r
from lint_epoch.project import libraries, walk
from lint_epoch.project.classes import (
    DICT,
    LIST,
    PLAIN_BASES,
    AnyClass,
    LibraryClass,
    ProjectClass,
    class_has,
    is_a,
)
from lint_epoch.project.interpreter.core import MOST_STEPS_OF_GROUP, Core
from lint_epoch.project.modules import ModuleFile, ModuleIndex
from lint_epoch.project.passes import Trace
from lint_epoch.project.ranks import by_name
from lint_epoch.project.relevance import Relevance
from lint_epoch.project.state import Frame
from lint_epoch.project.values import (
    MOST_VALUES,
    CallArguments,
    ClassValue,
    Const,
    External,
    FunctionValue,
    GeneratorValue,
    IteratorValue,
    ModuleValue,
    Object,
    TupleValue,
    Unknown,
    Value,
    ValueSet,
    View,
    join,
    unknown,
)

#: How deep containers of loaders are searched: a dict of lists of loaders is as deep as people go.
DEEPEST_CONTAINER = 2


#: Attributes that hold one value for a whole job, or hold such: a seed, and the parts of a configuration around it.
_SETTING = re.compile(
    r"^(?:\w+_)?seed$|^(?:args|cfg|conf|config|opts?|hparams|params|train|training|data|dataset|system)$"
)


class LazyImport(Value):
    """A name that an import binds; it is looked up when it is first read, so that import cycles do no harm."""

    __slots__ = ("external", "name", "parts")

    def __init__(self, parts: tuple[str, ...], name: str | None, external: str) -> None:
        self.parts = parts
        self.name = name
        self.external = external

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LazyImport) and (other.parts, other.name) == (self.parts, self.name)

    def __hash__(self) -> int:
        return hash((self.parts, self.name))


class Project:
    """What all runs share."""

    def __init__(self, index: ModuleIndex, *, closed_world: bool = False, tables: tuple[str, ...] = ()) -> None:
        self.index = index
        self.closed_world = closed_world
        self.libraries = libraries.load(tables)
        self.relevance = Relevance()
        self.relevance.know(name.decode() for name in libraries.telling_names(tables))
        self.executed: set[int] = set()
        """Records (by id) of functions that some run has executed."""
        self.instances: dict[int, list[Object]] = {}
        """Objects that were made, by the id of their class."""
        self.patched_names: set[str] = set()
        """Attributes that some code gives to objects from outside, so that a class does not tell all."""
        self.changed_names: set[str] = set()
        """Attributes that some code binds for an object other than ``self``, or raises."""
        self._parts: dict[tuple[int, str], tuple[Unknown, Unknown]] = {}
        self.traces: list[Trace] = []
        self.modules: list[ModuleFile] = []
        """The modules that take part and could be read."""
        self.steps = 0
        """Statements executed in all runs."""
        self.most_steps = MOST_STEPS_OF_GROUP
        """The bound of ``steps`` for the present kind of root."""
        self.running_modules = 0
        """Modules whose bodies are being run: until they are done, an import of theirs may still be unknown."""
        self._looking_up: set[tuple[tuple[str, ...], str | None]] = set()
        self._library_classes: dict[str, LibraryClass] = {}
        self._classes: dict[int, ProjectClass] = {}

    @property
    def records(self) -> list[r.Module]:
        """What the modules say that take part."""
        return [module.record for module in self.modules if module.record is not None]

    # --- names -----------------------------------------------------------------------------------------------------

    def imported(self, dotted: str, alias: str | None, importer: ModuleFile) -> ValueSet:
        """Return what ``import dotted [as alias]`` binds."""
        wanted = dotted if alias is not None else dotted.split(".")[0]
        parts = self.index.absolute(wanted, importer)
        return (LazyImport(parts, None, wanted),) if parts is not None else self.external(wanted)

    def imported_name(self, statement: r.ImportFrom, name: str, importer: ModuleFile) -> ValueSet:
        """Return what ``from module import name`` binds."""
        if statement.level:
            parts: tuple[str, ...] | None = self.index.relative(statement.module, statement.level, importer)
        else:
            parts = self.index.absolute(statement.module, importer)
        if parts is None:
            return self.external(f"{statement.module}.{name}")
        return (LazyImport(parts, name, f"{statement.module}.{name}"),)

    def modules_like(self, name: r.Opaque) -> ValueSet:
        """Return the modules whose dotted name a formatted string can give: ``f"trainers.{kind}_trainer"``."""
        parts = [
            re.escape(part.value) if isinstance(part, r.Constant) and isinstance(part.value, str) else r"\w+"
            for part in name.parts
        ]
        pattern = re.compile(r"(?:\w+\.)*" + "".join(parts))
        if parts[:1] == [r"\w+"] or not name.parts:
            return unknown("a module with a computed name")
        found = [file for file in self.index.files if pattern.fullmatch(".".join(file.parts))]
        if not 0 < len(found) < MOST_VALUES:
            return unknown("a module with a computed name")
        return tuple(ModuleValue(file) for file in found)

    def star(self, statement: r.ImportFrom, importer: ModuleFile, interpreter: Core) -> dict[str, ValueSet]:
        """Return what ``from module import *`` binds."""
        if statement.level:
            parts: tuple[str, ...] | None = self.index.relative(statement.module, statement.level, importer)
        else:
            parts = self.index.absolute(statement.module, importer)
        module = self.index.at(parts) if parts is not None else None
        if module is None or module.running:
            return {}
        self.run_module(module)
        names = module.globals or {}
        return {name: values for name, values in names.items() if not name.startswith("_")}  # type: ignore[misc]

    def resolve(self, values: ValueSet, interpreter: Core) -> ValueSet:
        """Look up the imports among the alternatives."""
        if not any(isinstance(value, LazyImport) for value in values):
            return values
        return join(
            *(self._looked_up(value, interpreter) if isinstance(value, LazyImport) else (value,) for value in values)
        )

    def _looked_up(self, value: LazyImport, interpreter: Core) -> ValueSet:
        key = (value.parts, value.name)
        if key in self._looking_up:
            # `from . import part` in a package's own __init__: the name is the submodule.
            submodule = self.index.at((*value.parts, value.name)) if value.name is not None else None
            return (ModuleValue(submodule),) if submodule is not None else unknown(f"{value.external} imports itself")
        self._looking_up.add(key)
        try:
            return self._look_up(value, interpreter)
        finally:
            self._looking_up.discard(key)

    def _look_up(self, value: LazyImport, interpreter: Core) -> ValueSet:
        module = self.index.at(value.parts)
        if value.name is None:
            if module is not None:
                return (ModuleValue(module),)
            return self.external(value.external)
        if module is not None:
            found = self._bound_in(module, value.name, interpreter)
            if found is not None:
                return found
        submodule = self.index.at((*value.parts, value.name))
        if submodule is not None:
            return (ModuleValue(submodule),)
        if module is None and not self.index.is_folder(value.parts):
            return self.external(value.external)
        return unknown(f"{value.external} cannot be resolved")

    def module_attribute(self, module: ModuleFile, name: str, interpreter: Core) -> ValueSet:
        """Return what an attribute of a module is: a name that its body binds, or a submodule."""
        found = self._bound_in(module, name, interpreter)
        if found is not None:
            return found
        submodule = self.index.at((*module.parts, name)) if module.is_package else None
        if submodule is not None:
            return (ModuleValue(submodule),)
        return unknown(f"{module.shown} has no {name} that can be seen")

    def _bound_in(self, module: ModuleFile, name: str, interpreter: Core) -> ValueSet | None:
        """Return what a name holds that a module's body binds."""
        held = interpreter.load(module.frame_uid, name) if module.running else None
        if held is None:
            self.run_module(module)
            known = (module.globals or {}).get(name)
            if isinstance(known, tuple):
                return self._settled(module, name, known, interpreter)
            held = self._defined(module, name)
        return self.resolve(held, interpreter) if held is not None else None

    def _settled(self, module: ModuleFile, name: str, held: ValueSet, interpreter: Core) -> ValueSet:
        """Return what a name of a finished module holds, with its imports looked up once and for all."""
        found = self.resolve(held, interpreter)
        if found is not held and module.globals is not None:
            if not any(isinstance(value, Unknown) for value in found) or not self.running_modules:
                module.globals[name] = found
        return found

    def _defined(self, module: ModuleFile, name: str) -> ValueSet | None:
        """Return a function or class of a module that is only just being run (an import cycle)."""
        if not module.running or module.record is None:
            return None
        for item in walk.definitions(module.record.body):
            if item.name == name and isinstance(item, r.FunctionDef):
                return (FunctionValue(item, module, None),)
        return None

    def global_name(self, module: ModuleFile, name: str, interpreter: Core) -> ValueSet:
        """Return what a name means that no frame binds: the module's, or a builtin's."""
        if module.globals is not None:
            known = module.globals.get(name)
            if isinstance(known, tuple):
                return self._settled(module, name, known, interpreter)
        elif not module.running:
            self.run_module(module)
            return self.global_name(module, name, interpreter)
        defined = self._defined(module, name)
        if defined is not None:
            return defined
        if hasattr(builtins, name):
            return (External(f"builtins.{name}"),)
        found = by_name(name)
        return (found,) if found is not None else unknown(f"{name} is bound nowhere")

    def run_module(self, module: ModuleFile) -> None:
        """Run a module's body, once."""
        if module.globals is not None or module.running:
            return
        from lint_epoch.project.roots import run_body

        run_body(self, module)

    def external(self, dotted: str) -> ValueSet:
        """Return a library's name: a class of the tables, or something to look up when it is called."""
        if dotted in self.libraries.classes:
            return (ClassValue(self.library_class(dotted)),)
        named = by_name(dotted.rpartition(".")[2]) if dotted.startswith("os.environ") else None
        return (named,) if named is not None else (External(dotted),)

    def in_module(self, function: FunctionValue, node: r.AnyExpression, interpreter: Core) -> ValueSet:
        """Evaluate an expression (a default) where a function is defined."""
        if function.closure is None:
            return unknown("a default")
        outer, interpreter.frame = interpreter.frame, function.closure
        try:
            return interpreter.evaluate(node)
        finally:
            interpreter.frame = outer

    def parameter(self, function: FunctionValue, parameter: r.Parameter, interpreter: Core) -> ValueSet:
        """Return what a parameter is that no caller gives."""
        found = by_name(parameter.name)
        return (found,) if found is not None else unknown(f"the parameter {parameter.name}", parameter.name)

    # --- classes ---------------------------------------------------------------------------------------------------

    def library_class(self, dotted: str) -> LibraryClass:
        """Return a class of the tables."""
        entry = self.libraries.classes[dotted]
        known = self._library_classes.get(entry.name)
        if known is None:
            bases = tuple(self.library_class(base) for base in entry.bases)
            known = self._library_classes[entry.name] = LibraryClass(entry, bases)
        return known

    def class_of(self, record: r.ClassDef, module: ModuleFile, frame: Frame) -> ProjectClass:
        """Return the project's class of a record."""
        known = self._classes.get(id(record))
        if known is None:
            known = self._classes[id(record)] = ProjectClass(record, module, frame)
        known.closure = frame
        return known

    def classes(self) -> Iterable[ProjectClass]:
        """All classes of the project that were met, in the order in which they were met."""
        return list(self._classes.values())

    def base_class(self, node: r.AnyExpression, values: ValueSet) -> AnyClass | str | None:
        """Return what a base of a class is; ``"plain"`` for one that adds nothing, ``None`` for an unknown one."""
        for value in values:
            if isinstance(value, ClassValue):
                return value.cls
        return "plain" if walk.last_name(node) in PLAIN_BASES else None

    def created(self, value: Object) -> None:
        """Remember an object by its class."""
        self.instances.setdefault(id(value.cls), []).append(value)

    def is_instance(self, value: Value, classes: list[Value]) -> bool | None:
        """Whether a value is an instance of one of the classes: yes, no, or unknown."""
        if isinstance(value, Const) and value.value is None:
            return False
        if not isinstance(value, Object) or value.cls in (LIST, DICT) or value.assumed:
            return None
        answers: list[bool | None] = []
        for wanted in classes:
            if isinstance(wanted, ClassValue):
                answers.append(self._is_a(value, wanted.cls))
            else:
                answers.append(None)
        if True in answers:
            return True
        return None if None in answers or not answers else False

    @staticmethod
    def _is_a(value: Object, wanted: AnyClass) -> bool | None:
        """Whether an object is an instance of a class; a protocol asks for its methods."""
        if isinstance(wanted, ProjectClass):
            if any(walk.last_name(base) == "Protocol" for base in wanted.record.bases):
                answers = {class_has(value.cls, name) for name in wanted.functions}
                return False if False in answers else True if answers == {True} else None
            if isinstance(value.cls, LibraryClass):
                # It was made by a call of the library's own class, so it is no subclass of it.
                return False
        return is_a(value.cls, wanted)

    def part_of_unknown(self, value: Unknown, name: str) -> Unknown:
        """Return an attribute of something that cannot be seen: each time the same if it is a setting."""
        part = Unknown(value.reason, f"{value.parameter}.{name}")
        if not _SETTING.search(name) or name in self.changed_names:
            return part
        return self._parts.setdefault((id(value), name), (value, part))[1]

    # --- loaders and samplers ----------------------------------------------------------------------------------------

    def kind(self, value: Object) -> str:
        """Return ``loader``, ``sampler`` or ``dataset`` for an object of such a class, else an empty string."""
        for cls in library_classes(value):
            if cls.entry.kind in ("loader", "sampler", "dataset"):
                return cls.entry.kind
        return ""

    def is_loader(self, value: Object) -> bool:
        """Whether an object is a loader, sampler or dataset of a library, or of a class that derives from one."""
        return bool(self.kind(value))

    def is_torch_loader(self, value: Object) -> bool:
        """Whether an object is a ``torch.utils.data.DataLoader``."""
        return any(cls.entry.name == "torch.utils.data.DataLoader" for cls in library_classes(value))

    def keeps_epoch_in(self, value: Object, attribute: str) -> bool:
        """Whether that attribute of a sampler, dataset or wrapper is its epoch, or the seed to which that is added."""
        for cls in library_classes(value):
            if cls.entry.epoch_attribute and attribute in (cls.entry.epoch_attribute, "seed"):
                return True
        if not isinstance(value.cls, ProjectClass) or "epoch" not in attribute.lower():
            return False
        return self.is_loader(value) or value.cls.function("__iter__") is not None

    def loaders_in(self, values: ValueSet, interpreter: Core, depth: int = 0) -> list[Value]:
        """Return the loaders, samplers, datasets and iterators among values and in containers of them."""
        found: list[Value] = []
        for value in values:
            if isinstance(value, GeneratorValue | IteratorValue | View):
                found.append(value)
            elif isinstance(value, TupleValue) and depth < DEEPEST_CONTAINER:
                for element in value.elements:
                    found.extend(self.loaders_in(element, interpreter, depth + 1))
            elif isinstance(value, Object):
                if value.cls in (LIST, DICT):
                    if depth < DEEPEST_CONTAINER:
                        held = interpreter.get_attribute(value, "[]")
                        found.extend(self.loaders_in(held or (), interpreter, depth + 1))
                elif self.is_loader(value) or self._iterates(value):
                    found.append(value)
        return found

    def _makes(self, record: r.FunctionDef | r.Lambda, value: Object) -> bool:
        """Whether a function makes an object of a class that has to do with loaders: what it is given may hold one."""
        if not isinstance(record, r.FunctionDef) or record.name not in ("__init__", "__post_init__"):
            return False
        return isinstance(value.cls, ProjectClass) and self.relevance.of(value.cls.record)

    @staticmethod
    def _holds_holder(value: Value, interpreter: Core) -> bool:
        """Whether a dict or list holds an object that keeps a loader: a bundle of data, model and optimizer."""
        if not isinstance(value, Object) or value.cls not in (LIST, DICT):
            return False
        held = interpreter.get_attribute(value, "[]") or ()
        return any(isinstance(item, Object) and item.holds_loader for item in held)

    @staticmethod
    def _iterates(value: Object) -> bool:
        cls = value.cls
        return isinstance(cls, ProjectClass) and any(cls.function(name) for name in ("__iter__", "__next__"))

    # --- what is worth following -------------------------------------------------------------------------------------

    def is_worth_running(self, function: FunctionValue, arguments: CallArguments, interpreter: Core) -> bool:
        """Whether a call can show something of loaders: the function names them, or is given one."""
        record = function.record
        if self.relevance.of(record):
            self.executed.add(id(record))
            return True
        if isinstance(record, r.Lambda) or self.relevance.chooses(record):
            return True
        if any(self.loaders_in(values, interpreter) for values in arguments.values()):
            self.executed.add(id(record))
            return True
        if any(self._holds_holder(value, interpreter) for values in arguments.values() for value in values):
            self.executed.add(id(record))
            return True
        bound = function.bound
        if isinstance(bound, Object) and (bound.holds_loader or self._makes(record, bound) or self._may_count(bound)):
            self.executed.add(id(record))
            return True
        return False

    @staticmethod
    def _may_count(value: Object) -> bool:
        """Whether the methods of an object may change its epoch."""
        return isinstance(value.cls, ProjectClass) and value.cls.function("set_epoch") is not None

    def is_worth_building(self, cls: ProjectClass, arguments: CallArguments, interpreter: Core) -> bool:
        """Whether a constructor can show something of loaders."""
        if any(isinstance(base, ProjectClass) and self.relevance.of(base.record) for base in cls.mro()):
            return True
        if any(base.entry.kind in ("loader", "sampler", "dataset") for base in cls.library_bases()):
            return True
        return any(self.loaders_in(values, interpreter) for values in arguments.values())


def method_of(value: Value, name: str) -> FunctionValue | None:
    """Return a method of an object of the project's, bound to it; ``None`` if it is another value or has none."""
    if not isinstance(value, Object) or not isinstance(value.cls, ProjectClass):
        return None
    found = value.cls.function(name)
    if found is None:
        return None
    owner, function = found
    return FunctionValue(function, owner.module, owner.closure, owner, value)


def library_classes(value: Object) -> list[LibraryClass]:
    """Return the library's classes that an object is an instance of, nearest first."""
    if isinstance(value.cls, LibraryClass):
        return list(value.cls.ancestors())
    return value.cls.library_bases() if isinstance(value.cls, ProjectClass) else []
