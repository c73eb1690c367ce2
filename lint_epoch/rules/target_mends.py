"""Mends of guards and calls that ask the wrong part of a loader: they are led to the sampler that shuffles."""

from __future__ import annotations

from collections.abc import Sequence

from lint_epoch.diagnostics import FixOffer
from lint_epoch.facts import records as r
from lint_epoch.facts.text import text_of
from lint_epoch.project import walk
from lint_epoch.project.classes import ProjectClass, class_has, is_a
from lint_epoch.project.conditions import as_asked, asked_again, conditions_in, conditions_of
from lint_epoch.project.epochs import Repeat
from lint_epoch.project.model import library_classes
from lint_epoch.project.modules import ModuleFile
from lint_epoch.project.passes import CallSeen, GuardSeen
from lint_epoch.project.places import statements_to
from lint_epoch.project.receivers import asks_sampler, has_part, hears, is_loader
from lint_epoch.project.values import Const, Object, Value, ValueSet
from lint_epoch.project.view import Model
from lint_epoch.project.wrappers import through_of
from lint_epoch.repairs import Repair, ReplaceExpression, ReplaceStatement, Single, Together
from lint_epoch.rules.mends import Mend


def lead_call_to_sampler(model: Model, repeat: Repeat, calls: Sequence[CallSeen]) -> Mend:
    """Return the mend of a call on something that has no ``set_epoch`` in front of a sampler that has.

    Args:
        model: the model.
        repeat: a repeat whose sampler the call was meant for.
        calls: the call, each time that any run met it.
    """
    advice = Mend(advice="call it on the sampler that shuffles")
    call = calls[0]
    if not isinstance(call.record, r.Call) or not isinstance(call.record.func, r.Attribute):
        return advice
    asked = call.record.func.value
    right = _right_one(model, repeat, asked, [value for one in calls for value in one.values], short=True)
    if right is None:
        return advice
    text, values = right
    path, moment = call.moment.module.path, call.moment
    offer = FixOffer("safe", f"call it on {text}")
    replaced = ReplaceExpression(path, asked.at, text)
    conditions = conditions_of(repeat.target, moment.frame, moment.at)
    again = {asked_again(condition, moment.frame) for condition in conditions}
    round_call = {as_asked(condition) for condition in conditions_in(moment.frame, moment.at)} - {None}
    if again <= round_call if conditions else all(isinstance(value, Object) and hears(value) for value in values):
        return Mend(offer, (replaced,))
    argument = text_of(call.record.arguments[0].value) if len(call.record.arguments) == 1 else "…"
    statement = next(reversed(statements_to(moment.frame, moment.at)), None)
    if not isinstance(statement, r.ExpressionStatement) or statement.value is not call.record or "…" in argument:
        return advice
    test = again.pop() if len(again) == 1 and None not in again else None
    test = test or asks_sampler(model.project, moment.module, text, values)
    lines = (f"if {test}:", f"    {text}.set_epoch({argument})")
    return Mend(offer, (ReplaceStatement(path, statement.at, lines),))


def lead_guard_to_sampler(model: Model, repeat: Repeat, guards: Sequence[GuardSeen]) -> Mend:
    """Return the mend of a guard that asks another object than the sampler that shuffles, or for another class.

    Args:
        model: the model.
        repeat: a repeat whose sampler the guard was meant for.
        guards: the guard, each time that any run met it.
    """
    guard = guards[0]
    advice = Mend(advice="ask the sampler that shuffles")
    subjects = [value for one in guards for value in one.subject]
    if all(value is repeat.target or (isinstance(value, Object) and hears(value)) for value in subjects):
        return _ask_for_its_class(repeat, guard) or advice
    right = _right_one(model, repeat, guard.subject_record, subjects, short=False)
    if right is None:
        return advice
    text, values = right
    path = guard.moment.module.path
    wanted = model.project.library_class("torch.utils.data.distributed.DistributedSampler")
    if guard.kind == "isinstance" and not any(
        isinstance(value, Object) and is_a(value.cls, wanted) is True for value in values
    ):
        return advice
    parts: list[Single] = [ReplaceExpression(path, one.at, text) for one in _asked_with(guard)]
    offer = FixOffer("safe", f"ask {text}")
    repair: Repair = Together(path, tuple(parts)) if len(parts) > 1 else parts[0]
    return Mend(offer, (repair,))


def _asked_with(guard: GuardSeen) -> list[r.AnyExpression]:
    """Return the places that name what a guard asks: in its test, and in the calls of its branch."""
    asked = text_of(guard.subject_record)
    ways = statements_to(guard.moment.frame, guard.record.at)
    branch = ways[-1] if ways else None
    if guard.kind == "except" or not isinstance(branch, r.If):
        return [guard.subject_record]
    found: list[r.AnyExpression] = [
        item
        for item in walk.descendants(branch.test)
        if isinstance(item, r.Attribute | r.Name) and text_of(item) == asked
    ]
    for statement in branch.body:
        for item in walk.descendants(statement):
            if isinstance(item, r.Call) and isinstance(item.func, r.Attribute) and item.func.attr == "set_epoch":
                if text_of(item.func.value) == asked:
                    found.append(item.func.value)
    return found


def _right_one(
    model: Model, repeat: Repeat, asked: r.AnyExpression, values: Sequence[Value], *, short: bool
) -> tuple[str, ValueSet] | None:
    """Return the expression that reaches the sampler from what was asked, and what it can be.

    Args:
        model: the model.
        repeat: the path to the sampler.
        asked: what the code asks: a loader, or a part of it.
        values: all that it can be in any run.
        short: whether to take the loader's own ``sampler`` rather than that of the batch sampler which it made.
    """
    sources = repeat.sources()
    loaders = [source for source in sources if is_loader(source)]
    own = next((value for value in values if value in loaders), None)
    if isinstance(own, Object) and not (short and _is_made_by_loader(own, loaders)):
        through = through_of(own, repeat)
        holders, holder = values, asked
    elif isinstance(asked, r.Attribute) and asked.attr in ("sampler", "batch_sampler"):
        loader = next((one for one in loaders if any(_is_part(value, one) for value in values)), None)
        through = through_of(loader, repeat) if loader is not None else None
        holders, holder = [one for value in values for one in _loaders_of(model, value)], asked.value
    else:
        return None
    if not through or not holders or not all(has_part(value, through) for value in holders):
        return None
    found: list[Value] = list(holders)
    for name in through.split("."):
        found = [part for value in found if isinstance(value, Object) for part in _part(value, name)]
        if name != through.rpartition(".")[2] and not all(has_part(value, "sampler") for value in found):
            return None
    return f"{text_of(holder)}.{through}", tuple(found)


def _part(value: Object, name: str) -> ValueSet:
    """Return what a loader's part can be, as it was given; what the loader makes for itself has no ``set_epoch``."""
    given = value.arguments.get(name, ())
    return given if given else (Const(None),)


def _is_part(value: Value, loader: Object) -> bool:
    """Whether a loader has made a value for itself."""
    is_own = isinstance(value, Object) and value.site == loader.site and value.site[0] is not None
    return is_own and any(cls.entry.kind == "loader" for cls in library_classes(loader)) and value is not loader


def _is_made_by_loader(value: Object, loaders: Sequence[Object]) -> bool:
    return any(_is_part(value, loader) for loader in loaders)


def _loaders_of(model: Model, value: Value) -> list[Object]:
    """Return the loaders that made a part for themselves."""
    found = [one for objects in model.project.instances.values() for one in objects if is_loader(one)]
    return [one for one in found if _is_part(value, one)]


def _ask_for_its_class(repeat: Repeat, guard: GuardSeen) -> Mend | None:
    """Return the mend of an ``isinstance`` whose object is the right one, of another class."""
    cls, record = repeat.target.cls, guard.record
    if guard.kind != "isinstance" or not isinstance(record, r.Call) or class_has(cls, "set_epoch") is not True:
        return None
    path, asked = guard.moment.module.path, record.arguments[1].value
    name = _name_of(cls, guard.moment.module) if isinstance(cls, ProjectClass) else ""
    if not name or not isinstance(asked, r.Name | r.Attribute):
        text = f'hasattr({text_of(guard.subject_record)}, "set_epoch")'
        return Mend(FixOffer("safe", f"ask `{text}`"), (ReplaceExpression(path, record.at, text),))
    text = f"isinstance({text_of(guard.subject_record)}, ({text_of(asked)}, {name}))"
    return Mend(FixOffer("safe", f"ask for a {name} as well"), (ReplaceExpression(path, record.at, text),))


def _name_of(cls: ProjectClass, module: ModuleFile) -> str:
    """Return the name that a module has for a class, empty if it has none."""
    if cls.module is module:
        return cls.name
    for name, values in (module.globals or {}).items():
        found = values if isinstance(values, tuple) else ()
        if any(getattr(value, "cls", None) is cls and not isinstance(value, Object) for value in found):
            return name
    imports = [s for s in (module.record.body if module.record is not None else ()) if isinstance(s, r.ImportFrom)]
    return next((item.alias for s in imports for item in s.names if item.name == cls.name), "")
