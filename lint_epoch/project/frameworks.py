"""The training loops of frameworks: a subclass of the project gives the loader, the framework takes pass after pass."""

from __future__ import annotations

from lint_epoch.facts import records as r
from lint_epoch.project import walk
from lint_epoch.project.classes import LibraryClass, ProjectClass
from lint_epoch.project.interpreter.core import RunStoppedError
from lint_epoch.project.interpreter.machine import Interpreter
from lint_epoch.project.libraries import FitLoop
from lint_epoch.project.model import Project, method_of
from lint_epoch.project.state import Frame, Loop
from lint_epoch.project.values import CallArguments, ClassValue, Data, Object, Value, ValueSet


def fit_loops(project: Project) -> list[tuple[ProjectClass, LibraryClass]]:
    """Return the classes of the project that give a framework its loader, each with the class that it extends."""
    found: list[tuple[ProjectClass, LibraryClass]] = []
    for cls in project.classes():
        base = next((base for base in cls.library_bases() if base.entry.fit is not None), None)
        if base is None or base.entry.fit is None:
            continue
        fit = base.entry.fit
        given = cls.functions.get(fit.loader)
        if given is None or not project.relevance.of(given):
            continue
        if not any(cls.function(name) for name in fit.replaced_by) and not _may_be_told_elsewhere(project, cls, fit):
            found.append((cls, base))
    return found


def _may_be_told_elsewhere(project: Project, cls: ProjectClass, fit: FitLoop) -> bool:
    """Whether a hook of a class without a loader of its own, a callback for one, sets an epoch while it trains."""
    own = cls.mro()
    return any(
        "set_epoch" in walk.mentions(function)
        for other in project.classes()
        if other not in own and other.function(fit.loader) is None
        for name, function in other.functions.items()
        if name in fit.hooks
    )


def run_fit(project: Project, cls: ProjectClass, base: LibraryClass) -> None:
    """Make an instance with arguments that nobody knows and train with its loader, as the framework would."""
    fit = base.entry.fit
    assert fit is not None
    interpreter = Interpreter(project)
    given = cls.functions[fit.loader]
    interpreter.frame = Frame(cls.module, None, None, (cls.module, given.at), closure=cls.closure)
    place = r.Name(given.at, f"{cls.name}.{fit.loader}()")
    try:
        for value in interpreter.call((ClassValue(cls),), CallArguments(), place):
            if isinstance(value, Object):
                _fit(interpreter, cls, value, fit, place)
    except (RunStoppedError, RecursionError) as error:
        interpreter.trace.stopped = str(error) or "the run is nested too deep"
    project.traces.append(interpreter.trace)


def _fit(interpreter: Interpreter, cls: ProjectClass, value: Object, fit: FitLoop, place: r.Name) -> None:
    for name in fit.setup:
        _call(interpreter, value, name, place)
    loaders = _call(interpreter, value, fit.loader, place)
    entry = interpreter.project.library_class(fit.run_by).entry
    loop = Loop(cls.functions[fit.loader], interpreter.frame, "framework")
    told = " and ".join(f"its `{path}`" if path else "the loader itself" for path in entry.sets_epoch)
    loop.runner = f"{entry.name}, which calls set_epoch of {told} alone"
    loop.hook = fit.hook
    loop.asks_loader = "" in entry.sets_epoch
    for _ in interpreter.twice(loop):
        for name in fit.hooks:
            _call(interpreter, value, name, place)
        for loader in interpreter.project.loaders_in(loaders, interpreter):
            for path in entry.sets_epoch:
                _tell(interpreter, loader, path, loop, place)
            interpreter.iterate((loader,), place)


def _call(interpreter: Interpreter, value: Object, name: str, place: r.Name) -> ValueSet:
    method = method_of(value, name)
    return interpreter.call((method,), CallArguments(), place) if method is not None else ()


def _tell(interpreter: Interpreter, loader: Value, path: str, loop: Loop, place: r.Name) -> None:
    """Call ``set_epoch`` of what a path leads to, if that has one."""
    reached = interpreter.at_end_of(loader, f"{path}.set_epoch", place)
    interpreter.call(reached, CallArguments(((Data(frozenset({loop.uid})),),)), place)
