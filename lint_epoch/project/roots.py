"""Where runs begin: modules, functions that nobody in the project calls, classes that nobody in it makes."""

from __future__ import annotations

import re
from collections import Counter

from lint_epoch.facts import records as r
from lint_epoch.facts.text import text_of
from lint_epoch.project import walk
from lint_epoch.project.classes import ProjectClass
from lint_epoch.project.frameworks import fit_loops, run_fit
from lint_epoch.project.interpreter import core
from lint_epoch.project.interpreter.core import RunStoppedError
from lint_epoch.project.interpreter.machine import Interpreter
from lint_epoch.project.model import Project
from lint_epoch.project.modules import ModuleFile
from lint_epoch.project.passes import Trace
from lint_epoch.project.state import Frame, Loop
from lint_epoch.project.values import CallArguments, Data, FunctionValue, Object, ValueSet, join, only_constant, unknown

#: Rounds over the methods of a class that nobody calls: the first fills the attributes, the second sees them.
METHOD_ROUNDS = 2


def run_body(project: Project, module: ModuleFile) -> Trace:
    """Run a module's body; what it binds becomes the module's names."""
    interpreter = Interpreter(project)
    if module.record is None:
        module.globals = {}
        return interpreter.trace
    frame = Frame(module, None, None, (module, 0))
    interpreter.frame = frame
    module.running, module.frame_uid = True, frame.uid
    project.running_modules += 1
    frame.captured = True
    try:
        interpreter.execute(module.record.body)
    except (RunStoppedError, RecursionError) as error:
        interpreter.trace.stopped = str(error)
    module.globals = {
        name: values
        for (uid, name), values in (interpreter.cells.items() if interpreter.cells is not None else ())
        if uid == frame.uid
    }
    for name in _rebound(module.record):
        held = module.globals.get(name)
        constant = only_constant(held) if isinstance(held, tuple) else None
        if constant is not None and isinstance(held, tuple):
            # Some function binds it anew, in this run or in another.
            another = unknown(f"{name}, which is bound anew") if constant.value is None else (Data(),)
            module.globals[name] = join(held, another)
    module.running = False
    project.running_modules -= 1
    interpreter.keep()
    project.traces.append(interpreter.trace)
    return interpreter.trace


def _rebound(record: r.Module) -> set[str]:
    """Return the names of a module that its functions declare ``global``."""
    declared = (item for item in walk.descendants(record) if isinstance(item, r.Declaration))
    return {name for item in declared if item.kind == "global" for name in item.names}


def run_function(project: Project, function: FunctionValue, arguments: CallArguments | None = None) -> Trace:
    """Run a function with arguments that nobody knows, or with some that are known."""
    interpreter = Interpreter(project)
    interpreter.frame = Frame(function.module, None, None, (function.module, function.record.at))
    project.executed.add(id(function.record))
    _guarded(interpreter, lambda: _call(interpreter, function, arguments or CallArguments()))
    interpreter.keep()
    project.traces.append(interpreter.trace)
    return interpreter.trace


def _call(interpreter: Interpreter, function: FunctionValue, arguments: CallArguments) -> None:
    place = r.Name(function.record.at, "")
    values = interpreter.call((function,), arguments, place)
    if isinstance(function.record, r.FunctionDef) and function.record.is_generator:
        interpreter.iterate(values, place)


def _guarded(interpreter: Interpreter, run: object) -> None:
    try:
        run()  # type: ignore[operator]
    except (RunStoppedError, RecursionError) as error:
        interpreter.trace.stopped = str(error) or "the run is nested too deep"


def run_class(project: Project, cls: ProjectClass) -> Trace:
    """Make an instance with arguments that nobody knows and call each method that no run has called.

    A wrapper that nobody in the project makes is given somebody's distributed loader where it asks for a loader.
    """
    interpreter = Interpreter(project)
    frame = Frame(cls.module, None, None, (cls.module, cls.record.at), closure=cls.closure)
    interpreter.frame = frame
    place = r.Name(cls.record.at, cls.name)
    arguments = CallArguments(keywords=_somebodys_loaders(project, cls))

    def run() -> None:
        from lint_epoch.project.values import ClassValue

        made = interpreter.call((ClassValue(cls),), arguments, place)
        for value in made:
            if isinstance(value, Object):
                _call_methods(project, interpreter, cls, value, place)
                if cls.function("__iter__") is not None:
                    _pass_twice(interpreter, cls, value, place)

    _guarded(interpreter, run)
    interpreter.keep()
    project.traces.append(interpreter.trace)
    return interpreter.trace


#: What a parameter is called, or annotated with, that takes a loader.
_LOADER_NAME = re.compile(r"^(data_?)?loader$|^train_(data_?)?loader$", re.I)
_LOADER_CLASSES = frozenset({"DataLoader", "StatefulDataLoader"})


def _somebodys_loaders(project: Project, cls: ProjectClass) -> dict[str, ValueSet]:
    """Return a distributed loader for each parameter of a wrapper's constructor that asks for one, and its flags."""
    init = cls.function("__init__")
    is_wrapper = any(cls.function(name) is not None for name in ("__iter__", "__next__"))
    made = any(value.frame is not None and not _is_test(value.site[0]) for value in project.instances.get(id(cls), ()))
    if init is None or made or not is_wrapper or project.closed_world or is_script(cls.module):
        return {}
    if "cache" in cls.name.lower():
        # It gives the same batches again on purpose.
        return {}
    found: dict[str, ValueSet] = {}
    for parameter in init[1].parameters:
        named = walk.names_in(parameter.annotation)
        if named & _LOADER_CLASSES or (parameter.annotation is None and _LOADER_NAME.match(parameter.name)):
            found[parameter.name] = (_somebodys_loader(project, init[0].module, parameter),)
    if found:
        # Who gives a distributed loader may well turn on what is off by default.
        flags = (one for one in init[1].parameters if isinstance(one.default, r.Constant))
        found.update({one.name: (Data(),) for one in flags if isinstance(one.default.value, bool)})  # type: ignore[union-attr]
    return found


def _somebodys_loader(project: Project, module: ModuleFile, parameter: r.Parameter) -> Object:
    """Return a loader as anybody may give it: with a sampler that shuffles by the epoch."""
    site = (module, parameter.at)
    loader = Object(project.library_class("torch.utils.data.DataLoader"), site, assumed=True)
    sampler = Object(project.library_class("torch.utils.data.distributed.DistributedSampler"), site, assumed=True)
    loader.arguments["sampler"] = (sampler,)
    return loader


def _pass_twice(interpreter: Interpreter, cls: ProjectClass, value: Object, place: r.Name) -> None:
    """Take two passes over an object, as any user of the class would."""
    function = cls.function("__iter__")
    assert function is not None
    loop = Loop(function[1], interpreter.frame, "any user's")
    for _ in interpreter.twice(loop):
        interpreter.iterate((value,), place)


def _call_methods(project: Project, interpreter: Interpreter, cls: ProjectClass, value: Object, place: r.Name) -> None:
    methods: dict[str, tuple[ProjectClass, r.FunctionDef]] = {}
    for owner in reversed(cls.mro()):
        if isinstance(owner, ProjectClass):
            methods.update({name: (owner, function) for name, function in owner.functions.items()})
    methods.pop("__init__", None)
    called = {name for name in methods if name.startswith("__") and name not in ("__iter__", "__next__", "__call__")}
    inner = _called_by_siblings(cls)
    for round_number in range(METHOD_ROUNDS):
        if round_number == METHOD_ROUNDS - 1:
            # What the constructor put back, or handed out, is still so when the methods are called.
            before_calls = [call for call in interpreter.trace.calls if call.kind in ("restore", "escape")]
            interpreter.trace = Trace()
            interpreter.trace.calls.extend(before_calls)
        for name, (owner, function) in methods.items():
            if name in called or name in inner or not project.relevance.of(function):
                continue
            if any(walk.last_name(d) in ("property", "staticmethod", "setter") for d in function.decorators):
                continue
            method = FunctionValue(function, owner.module, owner.closure, owner, value)
            project.executed.add(id(function))
            before = interpreter.fork()
            result = interpreter.call((method,), CallArguments(), place)
            if function.is_generator and name != "__iter__":
                interpreter.iterate(result, place)
            interpreter.cells = interpreter.merge(before, interpreter.cells)


def _called_by_siblings(cls: ProjectClass) -> set[str]:
    """Return the methods that other methods of the class call: they are run from there."""
    found: set[str] = set()
    for owner in cls.mro():
        if isinstance(owner, ProjectClass):
            for name, function in owner.functions.items():
                own = walk.self_name(function)
                for item in walk.descendants(function):
                    if isinstance(item, r.Call) and isinstance(item.func, r.Attribute) and item.func.attr != name:
                        if isinstance(item.func.value, r.Name) and item.func.value.id == own:
                            found.add(item.func.attr)
    return found


def run_all(project: Project, modules: list[ModuleFile]) -> None:
    """Run every root of the modules that take part."""
    # Where the bound on the group's work is reached, the files that say most have had their turn.
    modules = sorted(modules, key=lambda module: (not module.has_evidence, module.shown))
    project.modules = modules
    records = project.records
    for record in records:
        project.relevance.learn(record)
    project.relevance.settle(records)
    _note_bindings(project, records)
    mentioned = _mentioned(records)
    # Tests run all that a project has, with toys for data: what they would use up is spent on the project first.
    for part in (
        [module for module in modules if not _is_test(module)],
        [module for module in modules if _is_test(module)],
    ):
        _run_part(project, part, mentioned)


def _run_part(project: Project, modules: list[ModuleFile], mentioned: Counter[str]) -> None:
    project.most_steps = (project.steps + core.MOST_STEPS_OF_GROUP) // 2
    for module in modules:
        project.run_module(module)
    project.most_steps = core.MOST_STEPS_OF_GROUP
    for cls, base in fit_loops(project):
        if cls.module in modules:
            run_fit(project, cls, base)
    functions = _functions(modules)
    functions.sort(key=lambda item: mentioned[item[1].name] > 0)
    for module, function in functions:
        if id(function) not in project.executed and project.relevance.of(function):
            frame = _module_frame(module)
            run_function(project, FunctionValue(function, module, frame))
    _run_open_guards(project, modules)
    _run_open_generators(project, modules)
    for cls in project.classes():
        if cls.module in modules and _is_unmade(project, cls) and project.relevance.of(cls.record):
            run_class(project, cls)


def _is_test(module: ModuleFile | None) -> bool:
    """Whether a file only tests the project's code."""
    return module is not None and any(
        part in ("test", "tests", "testing") or part.startswith("test_") for part in module.parts
    )


def _run_open_guards(project: Project, modules: list[ModuleFile]) -> None:
    """Run each function once more that tests what it is given and that somebody outside the project may call.

    Its callers in the project tell what they give; others may give something else. A script's functions and private
    ones are closed, and so is everything if the project says so.
    """
    if project.closed_world:
        return
    asking: dict[int, FunctionValue] = {}
    for trace in project.traces:
        for guard in trace.guards:
            function = guard.moment.frame.function
            if function is None or function.module not in modules:
                continue
            if guard.answer is False and isinstance(function.record, r.FunctionDef):
                asking.setdefault(id(function.record), function)
    for function in asking.values():
        assert isinstance(function.record, r.FunctionDef)
        if function.owner is None and not function.record.name.startswith("_") and not is_script(function.module):
            run_function(project, function)
    owners = {id(function.owner): function.owner for function in asking.values() if function.owner is not None}
    for owner in owners.values():
        if not owner.name.startswith("_") and not is_script(owner.module):
            run_class(project, owner)


def _run_open_generators(project: Project, modules: list[ModuleFile]) -> None:
    """Run each public generator that is annotated to take a loader with somebody's, if no run gave it one."""
    if project.closed_world:
        return
    read = {
        id(one.moment.frame.function.record)
        for trace in project.traces
        for one in trace.passes
        if one.moment.frame.function is not None and isinstance(one.source, Object)
    }
    for module, function in _functions(modules):
        if function.is_generator and id(function) not in read and not is_script(module) and not _is_test(module):
            given: dict[str, ValueSet] = {
                parameter.name: (_somebodys_loader(project, module, parameter),)
                for parameter in function.parameters
                if walk.names_in(parameter.annotation) & _LOADER_CLASSES
            }
            if given and not function.name.startswith("_"):
                run_function(project, FunctionValue(function, module, _module_frame(module)), CallArguments((), given))


def is_script(module: ModuleFile) -> bool:
    """Whether a module is run rather than imported: it has a main guard, or stands in no package and runs by itself."""
    if module.record is None:
        return False
    for statement in module.record.body:
        if isinstance(statement, r.If) and isinstance(statement.test, r.Compare):
            left = statement.test.left
            if isinstance(left, r.Name) and left.id == "__name__":
                return True
    calls = [s for s in module.record.body if isinstance(s, r.For | r.While)]
    return bool(calls)


def _module_frame(module: ModuleFile) -> Frame:
    frame = Frame(module, None, None, (module, 0))
    frame.uid = module.frame_uid
    return frame


def _functions(modules: list[ModuleFile]) -> list[tuple[ModuleFile, r.FunctionDef]]:
    found: list[tuple[ModuleFile, r.FunctionDef]] = []
    for module in modules:
        if module.record is not None:
            for item in walk.definitions(module.record.body):
                if isinstance(item, r.FunctionDef):
                    found.append((module, item))
    return found


def _is_unmade(project: Project, cls: ProjectClass) -> bool:
    """Whether some method of a class that has to do with loaders was run by nobody."""
    waiting = [
        function
        for name, function in cls.functions.items()
        if id(function) not in project.executed and (not name.startswith("__") or name in ("__iter__", "__next__"))
    ]
    if any(project.relevance.of(function) for function in waiting):
        return True
    return bool(waiting) and bool(_somebodys_loaders(project, cls))


def _mentioned(records: list[r.Module]) -> Counter[str]:
    """Count in how many functions each name occurs, its own definition aside."""
    counts: Counter[str] = Counter()
    for record in records:
        for item in walk.descendants(record):
            if isinstance(item, r.Name):
                counts[item.id] += 1
            elif isinstance(item, r.Attribute):
                counts[item.attr] += 1
    return counts


def _note_bindings(project: Project, records: list[r.Module]) -> None:
    """Note which attributes some code binds from outside of the object, and which it raises."""
    for record in records:
        for item in walk.descendants(record):
            if isinstance(item, r.AugmentedAssign) and isinstance(item.target, r.Attribute):
                project.changed_names.add(item.target.attr)
            elif isinstance(item, r.Assign):
                for target in (one for one in item.targets if isinstance(one, r.Attribute)):
                    if text_of(target.value) != "self":
                        project.changed_names.add(target.attr)
                    if target.attr in ("set_epoch", "state_dict", "__len__"):
                        project.patched_names.add(target.attr)
            elif isinstance(item, r.Call) and isinstance(item.func, r.Name) and item.func.id == "setattr":
                name = item.arguments[1].value if len(item.arguments) > 1 else None
                if isinstance(name, r.Constant) and isinstance(name.value, str):
                    project.patched_names.add(name.value)
