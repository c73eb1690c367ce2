"""The mend of ``itertools.cycle``: a generator of the module's own, which starts each pass with the next epoch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lint_epoch.diagnostics import FixOffer
from lint_epoch.facts import records as r
from lint_epoch.project import walk
from lint_epoch.project.epochs import Repeat
from lint_epoch.project.modules import ModuleFile
from lint_epoch.project.places import call_at
from lint_epoch.project.receivers import Reach, has_part, hears, is_loader
from lint_epoch.project.scope import names_bound
from lint_epoch.project.values import Object, Value
from lint_epoch.project.view import Model
from lint_epoch.project.wrappers import through_of
from lint_epoch.repairs import InsertStatement, ReplaceExpression, ReplaceStatement, Single, Through, Together
from lint_epoch.rules.mends import Mend, was_set_before

#: Names for the generator, in order of preference.
_NAMES = ("cycle_epochs", "endless_epochs")
_DOCSTRING = '"""Give batches for ever, each pass in the order of its own epoch."""'


def replace_cycle(model: Model, repeats: Sequence[Repeat], calls_in_module: int) -> Mend:
    """Return the mend of a call of ``itertools.cycle`` over a loader.

    Args:
        model: the model.
        repeats: what the call repeats.
        calls_in_module: how many such calls its module has; the mend of several would be one generator for all.
    """
    advice = Mend(advice="go over the loader in a loop of its own, with set_epoch in front of each pass")
    loop, started = repeats[0].loop, repeats[0].started()
    module = loop.module
    call = call_at(loop.frame, loop.record.at)
    if call is None or len(call.arguments) != 1 or calls_in_module != 1 or module.record is None:
        return advice
    outside = [other for other, _ in started.moment.turns if other is not loop]
    if any(other.repeats for other in outside) or any(was_set_before(repeat) for repeat in repeats):
        return advice
    holder = next((one for one in module.record.body if _holds(one, call)), None)
    name = next((name for name in _NAMES if name not in _names_in(module.record)), None)
    if not isinstance(holder, r.FunctionDef | r.ClassDef) or name is None or _is_annotated(module.record):
        return advice
    argument = call.arguments[0].value
    values = Reach.of_pass(model.project, started).values(argument)
    source = started.source
    through = through_of(source, repeats[0]) if isinstance(source, Object) and is_loader(source) else None
    if not through or "." in through or source not in values:
        return advice
    imports = _imports(module, call)
    if imports is None:
        return advice
    counts, changed = imports
    lines = _generator(name, _call(through, values), counts, has_docstring=_has_docstrings(module.record))
    parts: tuple[Single, ...] = (
        InsertStatement(module.path, holder.at, "\n".join([*lines, "", "", ""])),
        ReplaceExpression(module.path, call.func.at, name),
        *changed,
    )
    offer = FixOffer("safe", f"replace it by a generator that calls loader.{through}.set_epoch in front of each pass")
    return Mend(offer, (Together(module.path, parts),))


def _generator(name: str, call: Sequence[str], counts: str, *, has_docstring: bool) -> list[str]:
    head = [f"def {name}(loader):", *([f"    {_DOCSTRING}"] if has_docstring else [])]
    if counts:
        return [
            *head,
            f"    for epoch in {counts}():",
            *(f"        {line}" for line in call),
            "        yield from loader",
        ]
    body = [*call, "epoch += 1", "yield from loader"]
    return [*head, "    epoch = 0", "    while True:", *(f"        {line}" for line in body)]


def _call(through: Through, values: Sequence[Value]) -> list[str]:
    """Return the lines that set the epoch, asked for where a loader may have another sampler or be something else."""
    call = f"loader.{through}.set_epoch(epoch)"
    if all(has_part(value, through) for value in values):
        parts = [part for value in values if isinstance(value, Object) for part in value.arguments.get(through, ())]
        given = all(isinstance(value, Object) and value.arguments.get(through) for value in values)
        if given and all(isinstance(part, Object) and hears(part) for part in parts):
            return [call]
        return [f'if hasattr(loader.{through}, "set_epoch"):', f"    {call}"]
    return [f'if hasattr(getattr(loader, "{through}", None), "set_epoch"):', f"    {call}"]


def _imports(module: ModuleFile, call: r.Call) -> tuple[str, tuple[Single, ...]] | None:
    """Return how ``itertools.count`` is written, empty if it is not at hand, and the change of an import for it.

    ``cycle`` gives its place to ``count`` where nothing else of the module uses it.
    """
    assert module.record is not None  # the call stands in it
    if isinstance(call.func, r.Attribute):
        return (
            ("itertools.count", ())
            if isinstance(call.func.value, r.Name) and call.func.value.id == "itertools"
            else None
        )
    if not isinstance(call.func, r.Name):
        return None
    used = call.func.id
    uses = sum(isinstance(item, r.Name) and item.id == used for item in walk.descendants(module.record))
    found = [
        (statement, item)
        for statement in module.record.body
        if isinstance(statement, r.ImportFrom) and statement.module == "itertools" and not statement.level
        for item in statement.names
        if item.alias == used
    ]
    if len(found) != 1 or found[0][1].name != "cycle":
        return None
    if uses > 1:
        return "", ()
    names = found[0][0].names
    if used != "cycle" or any(item.alias != item.name for item in names) or "count" in _names_in(module.record):
        return None
    text = ", ".join("count" if item.name == "cycle" else item.name for item in names)
    return "count", (ReplaceStatement(module.path, found[0][0].at, (f"from itertools import {text}",)),)


def _holds(statement: r.Statement, call: r.Call) -> bool:
    return any(item is call for item in walk.descendants(statement))


def _names_in(record: r.Module) -> set[str]:
    read = {item.id for item in walk.descendants(record) if isinstance(item, r.Name)}
    return read | names_bound(record.body)


def _functions(record: r.Module) -> Iterator[r.FunctionDef]:
    return (item for item in walk.descendants(record) if isinstance(item, r.FunctionDef))


def _is_annotated(record: r.Module) -> bool:
    """Whether functions of a module say what they take or give: a new one would have to, with imports for it."""
    return any(
        one.returns is not None or any(parameter.annotation is not None for parameter in one.parameters)
        for one in _functions(record)
    )


def _has_docstrings(record: r.Module) -> bool:
    """Whether at least half of a module's functions have a docstring."""
    functions = list(_functions(record))
    told = sum(
        isinstance(one.body[0], r.ExpressionStatement)
        and isinstance(one.body[0].value, r.Constant)
        and isinstance(one.body[0].value.value, str)
        for one in functions
        if one.body
    )
    return 2 * told >= len(functions)
