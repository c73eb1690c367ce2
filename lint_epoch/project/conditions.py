"""Under which conditions an object was made, and whether a condition can be asked again somewhere else."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lint_epoch.facts import records as r
from lint_epoch.facts.text import text_of
from lint_epoch.project import walk
from lint_epoch.project.classes import ProjectClass
from lint_epoch.project.places import code_of, given_to, path_to
from lint_epoch.project.scope import names_bound, times_bound
from lint_epoch.project.state import Frame
from lint_epoch.project.values import Object

#: Questions that have the same answer wherever a job asks them.
_QUESTIONS = frozenset(
    {"is_initialized", "is_available", "get_world_size", "is_dist_avail_and_initialized", "is_distributed"}
    | {"is_dist_initialized", "is_dist_available_and_initialized", "device_count"}
)
_OPPOSITE = {"==": "!=", "!=": "==", "is": "is not", "is not": "is", "in": "not in", "not in": "in"}
_OPPOSITE |= {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}


@dataclass(frozen=True, slots=True)
class Condition:
    """A test that had to go one way for an object to be made."""

    frame: Frame
    at: int
    """The place of what holds the branch."""
    test: r.AnyExpression | None
    """``None`` for what is no test: a ``case``, an exception, a loop that may take no turn."""
    branch: bool
    choice: r.If | None = None
    """The statement with both branches, if it is one."""

    def decides_alone(self, names: Iterable[str]) -> bool:
        """Whether variables and attributes are bound in one place alone, so that nothing else is there otherwise."""
        if self.choice is None or any(isinstance(item, r.Return) for item in walk.descendants(self.choice)):
            return False
        return all(times_bound(code_of(self.frame), name) <= 1 for name in names)

    @property
    def place(self) -> tuple[int, int, bool]:
        """What tells it from other conditions."""
        return id(self.frame), self.at, self.branch


def conditions_of(value: Object, frame: Frame, at: int) -> list[Condition]:
    """Return the conditions under which an object was made and that do not hold for a place in a frame as such.

    They are read from the code round the calls that led to it, so that a setting counts even where its value is known.
    """
    if value.frame is None:  # nobody saw it being made
        return [Condition(frame, at, None, True)]
    round_place = {condition.place for condition in _round(frame, at)}
    shared = {id(one) for one in frame.chain()}
    found: list[Condition] = []
    current: Frame | None = value.frame
    made_at = value.site[1]
    while current is not None:
        found += [one for one in conditions_in(current, made_at) if one.place not in round_place]
        if id(current) in shared:
            break
        made_at = current.call_site[1]
        current = current.caller
    return found


def _round(frame: Frame, at: int) -> Iterator[Condition]:
    """Yield the conditions round a place in a frame, and round the calls that led to the frame."""
    current: Frame | None = frame
    while current is not None:
        yield from conditions_in(current, at)
        at = current.call_site[1]
        current = current.caller


def conditions_in(frame: Frame, at: int) -> Iterator[Condition]:
    """Yield the conditions round a place in a frame's own code, outermost first."""
    path = path_to(code_of(frame), at)
    for holder, inner in itertools.pairwise(path):
        yield from _passed_by(frame, holder, inner)
        match holder:
            case r.If(test=test, body=body) if inner is not test and not _is_main_guard(test):
                yield Condition(frame, holder.at, test, _among(inner, body), holder)
            case r.Conditional(test=test, body=taken) if inner is not test:
                yield Condition(frame, holder.at, test, inner is taken)
            case r.Handler(at=start) | r.Case(body=(r.Statement(at=start), *_)):
                yield Condition(frame, start, None, True)
            case r.Try(body=body, handlers=handlers) if _among(inner, body) and not all(map(_leaves, handlers)):
                yield Condition(frame, holder.at, None, True)
            case r.For(body=body) | r.While(body=body) if _among(inner, body):
                yield Condition(frame, holder.at, None, True)


def _among(wanted: object, block: r.Block) -> bool:
    return any(statement is wanted for statement in block)


def _passed_by(frame: Frame, holder: object, inner: object) -> Iterator[Condition]:
    """Yield the conditions in front of a statement of a block under which the function would have returned."""
    for name in ("body", "orelse", "final"):
        block = getattr(holder, name, ())
        if isinstance(block, tuple) and _among(inner, block):
            for statement in block[: next(index for index, one in enumerate(block) if one is inner)]:
                if isinstance(statement, r.If) and isinstance(statement.body[-1], r.Return) and not statement.orelse:
                    yield Condition(frame, statement.at, statement.test, False)


def _leaves(handler: r.Handler) -> bool:
    """Whether nothing behind a ``try`` is reached from a handler."""
    return bool(handler.body) and isinstance(handler.body[-1], r.Raise | r.Return)


def _is_main_guard(test: r.AnyExpression) -> bool:
    return isinstance(test, r.Compare) and isinstance(test.left, r.Name) and test.left.id == "__name__"


# --- asking again ----------------------------------------------------------------------------------------------------


def asked_again(condition: Condition, frame: Frame) -> str | None:
    """Return a condition as source that asks the same later in a frame; ``None`` if the answer may be another."""
    test = condition.test
    if test is None or isinstance(test, r.Constant) or not _is_plain(test):
        return None
    if condition.frame.caller is frame:
        return _asked_by_caller(condition, frame)
    names = {item.id for item in walk.descendants(test) if isinstance(item, r.Name)}
    names |= {item.attr for item in walk.descendants(test) if isinstance(item, r.Attribute)}
    if condition.frame is frame:
        if names & _bound_after(condition.frame, test.at):
            return None
    elif not _is_own_setting(test, condition.frame, frame):
        return None
    return as_asked(condition)


def _asked_by_caller(condition: Condition, frame: Frame) -> str | None:
    """Return a condition on a parameter as its caller asks it: the test of the argument that it gave."""
    test = condition.test.value if isinstance(condition.test, r.Not) else condition.test
    if not isinstance(test, r.Name) or times_bound(code_of(condition.frame), test.id):
        return None
    given = given_to(condition.frame).get(test.id)
    if given is None:
        return None
    branch = condition.branch is not isinstance(condition.test, r.Not)
    # The caller's own condition, at the place of its call.
    return asked_again(Condition(frame, given.at, given, branch), frame)


def as_asked(condition: Condition) -> str | None:
    """Return what a condition asks as source; ``None`` if that cannot be said in short."""
    if condition.test is None or not _is_plain(condition.test):
        return None
    return text_of(condition.test) if condition.branch else _denied(condition.test)


def _is_plain(test: r.AnyExpression) -> bool:
    """Whether a test is made of names, attributes, literals and questions, and written as ``text_of`` writes it."""
    match test:
        case r.Name():
            return True
        case r.Constant(value=value):
            return not isinstance(value, str) or (value.isprintable() and not set(value) & set("\"'\\"))
        case r.Attribute(value=value):
            return _is_plain(value)
        case r.Subscript(value=value, index=r.Constant() as index):
            return _is_plain(value) and _is_plain(index)
        case r.Call(func=r.Name() | r.Attribute() as func, arguments=()):
            return walk.last_name(func) in _QUESTIONS and _is_plain(func)
        case r.Compare(left=left, rights=(right,)):
            return all(
                _is_plain(side) and not isinstance(side, r.Compare | r.Boolean | r.Not) for side in (left, right)
            )
        case r.Not(value=value):
            return _is_plain(value) and not isinstance(value, r.Boolean)
        case r.Boolean(operator=operator, left=left, right=right):
            sides = (left, right)
            return (
                all(_is_plain(side) for side in sides)
                and not isinstance(right, r.Boolean)
                and not any(isinstance(side, r.Boolean) and side.operator != operator for side in sides)
            )
        case _:
            return False


def _denied(test: r.AnyExpression) -> str | None:
    match test:
        case r.Not(value=value):
            return text_of(value)
        case r.Compare(left=left, operators=(operator,), rights=(right,)) if operator in _OPPOSITE:
            return f"{text_of(left)} {_OPPOSITE[operator]} {text_of(right)}"
        case r.Boolean():
            return None
        case _:
            return f"not {text_of(test)}"


def _bound_after(frame: Frame, at: int) -> set[str]:
    """Return the variables and attributes that a frame's code binds behind a place."""
    code = code_of(frame)
    later = tuple(item for item in walk.descendants(code) if getattr(item, "at", -1) > at and _is_statement(item))
    return names_bound(later)


def _is_statement(item: object) -> bool:
    return isinstance(item, r.Statement) and not isinstance(item, r.FunctionDef | r.ClassDef)


def _is_own_setting(test: r.AnyExpression, made_in: Frame, asked_in: Frame) -> bool:
    """Whether a test asks attributes of ``self`` alone, which only one method of the class binds."""
    owner, made = made_in.self_value, made_in.function
    if not isinstance(owner, Object) or owner is not asked_in.self_value or not isinstance(owner.cls, ProjectClass):
        return False
    asks, called = asked_in.function, made
    if asks is None or called is None or not asks.record.parameters or not called.record.parameters:
        return False
    own = asks.record.parameters[0].name
    if called.record.parameters[0].name != own:
        return False
    for item in walk.descendants(test):
        if isinstance(item, r.Call) or (isinstance(item, r.Name) and item.id != own):
            return False
        if isinstance(item, r.Attribute) and isinstance(item.value, r.Name) and _binders(owner.cls, item.attr) > 1:
            return False
    return True


def _binders(cls: ProjectClass, attribute: str) -> int:
    """Return how many methods of a class bind an attribute of ``self``."""
    return sum(
        attribute in walk.self_attributes(function)
        for owner in cls.mro()
        if isinstance(owner, ProjectClass)
        for function in owner.functions.values()
    )
