"""Mends of a call of ``set_epoch`` that is there: moved, given the loop's count, made on the right sampler."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from lint_epoch.diagnostics import FixOffer
from lint_epoch.facts import records as r
from lint_epoch.facts.text import text_of
from lint_epoch.project import walk
from lint_epoch.project.conditions import conditions_of
from lint_epoch.project.counters import count_in
from lint_epoch.project.epochs import Repeat
from lint_epoch.project.interpreter.calls import MAIN_FUNCTIONS, RANK_FUNCTIONS
from lint_epoch.project.passes import EpochSet, Moment
from lint_epoch.project.places import block_with, call_at, code_of, place_in, statements_to
from lint_epoch.project.ranks import by_name
from lint_epoch.project.receivers import Reach
from lint_epoch.project.scope import names_bound, times_bound
from lint_epoch.project.state import Frame
from lint_epoch.project.unbound import UnboundEpoch
from lint_epoch.project.values import Object
from lint_epoch.project.view import Model
from lint_epoch.repairs import InsertAtTop, MoveBefore, ReplaceExpression, Together
from lint_epoch.rules.mends import Mend

#: Functions that only compute.
_WITHOUT_EFFECT = frozenset({"int", "len", "max", "min", "abs", "sum", "round", *RANK_FUNCTIONS})

# --- LEP303: earlier -------------------------------------------------------------------------------------------------


def move_in_front_of_pass(repeat: Repeat, epoch: EpochSet) -> Mend:
    """Return the mend that moves a late call in front of what starts the pass."""
    advice = Mend(advice="call it in front of what starts the pass")
    call, started = epoch.origin, repeat.consumer.moment
    at = place_in(call.frame, started)
    if at is None or started.turn(repeat.loop) is None:
        return Mend(advice="start each pass anew, after the call")
    to_call, to_start = statements_to(call.frame, call.at), statements_to(call.frame, at)
    if not to_call or not to_start:
        return advice
    shared = _shared(to_call, to_start)
    if len(to_start) == shared:  # the call stands in the loop over the batches itself
        goal, inside = to_start[-1], to_call[shared:]
    else:
        goal, inside = to_start[shared], to_call[shared:]
    is_in_loop = call.frame is not repeat.loop.frame or any(one is repeat.loop.record for one in to_start[:shared])
    if not inside or not is_in_loop or goal is repeat.loop.record or _is_elif(call.frame, goal):
        return advice
    moved = _with_its_conditions(inside)
    block = block_with(call.frame, goal)
    between = [one for one in block if goal.at <= one.at <= inside[0].at]
    if moved is None or goal.at > inside[0].at or _depends_on(moved, names_bound(tuple(between))):
        return advice
    offer = FixOffer("safe", "move the call in front of what starts the pass")
    return Mend(offer, (MoveBefore(call.module.path, moved.at, goal.at),))


def _shared(one: Sequence[r.Statement], other: Sequence[r.Statement]) -> int:
    """Return how many statements two ways into a function have in common."""
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine is not theirs:
            break
        count += 1
    return count


def _with_its_conditions(inside: Sequence[r.Statement]) -> r.Statement | None:
    """Return the call's statement, or the outermost ``if`` round it that holds nothing else.

    ``None`` if it stands in anything else than loops and such conditions.
    """
    moved = inside[-1]
    outer = list(inside[:-1])
    while outer and isinstance(outer[-1], r.If) and outer[-1].body == (moved,) and not outer[-1].orelse:
        moved = outer.pop()
    return moved if all(isinstance(one, r.For | r.While) for one in outer) else None


def _depends_on(statement: r.Statement, names: set[str]) -> bool:
    """Whether a statement reads one of the names: as a variable or as an attribute."""
    for item in walk.descendants(statement):
        if (isinstance(item, r.Name) and item.id in names) or (isinstance(item, r.Attribute) and item.attr in names):
            return True
    return False


def _is_elif(frame: Frame, statement: r.Statement) -> bool:
    """Whether a statement may be an ``elif``, in front of which none can stand."""
    if not isinstance(statement, r.If):
        return False
    holders = statements_to(frame, statement.at)[:-1]
    return bool(holders) and isinstance(holders[-1], r.If) and holders[-1].orelse == (statement,)


# --- LEP302, LEP306: another value -----------------------------------------------------------------------------------


def give_the_count(repeat: Repeat, epoch: EpochSet) -> Mend:
    """Return the mend that gives a call the loop's count instead of its argument."""
    place, loop = epoch.origin, repeat.loop
    call = call_at(place.frame, place.at)
    counter = count_in(place.frame, loop)
    if call is None or len(call.arguments) != 1 or call.arguments[0].star or counter is None:
        return Mend(advice="give it a count of the loop's turns")
    given = call.arguments[0].value
    replaced = ReplaceExpression(place.module.path, given.at, counter.text)
    offer = FixOffer("safe", f"set the epoch to {counter.text}")
    if called := next((walk.last_name(one) for one in walk.descendants(given) if isinstance(one, r.Call)), None):
        if called not in _WITHOUT_EFFECT:
            offer = FixOffer("unsafe", f"{offer.description}; {called or 'a function'} would no longer be called")
    if counter.kind == "renamed":
        named = InsertAtTop(loop.module.path, loop.record.at, (), counter.text)
        return Mend(offer, (Together(loop.module.path, (named, replaced)),))
    return Mend(offer, (replaced,))


def give_what_is_bound(found: UnboundEpoch) -> Mend:
    """Return the mend that gives a call the count that is there instead of a name that nothing binds."""
    if found.meant is None:
        return Mend(advice="give it a count of the loop's turns")
    offer = FixOffer("unsafe", f"set the epoch to {found.meant}; {found.name} may have been meant to be something else")
    return Mend(offer, (ReplaceExpression(found.module.path, found.call.arguments[0].value.at, found.meant),))


# --- LEP306: on all ranks ---------------------------------------------------------------------------------------------


def take_out_of_branch(epoch: EpochSet) -> Mend:
    """Return the mend that takes a call out of the branch that only some ranks take."""
    advice = Mend(advice="call it on every rank")
    place = epoch.origin
    tests = {guard.at for guard in epoch.moment.guards if guard.rank and guard.module is place.module}
    ways = statements_to(place.frame, place.at)
    found = [index for index, one in enumerate(ways) if isinstance(one, r.If) and one.test.at in tests]
    if len(found) != 1 or len(tests) != 1:
        return advice
    branch = ways[found[0]]
    assert isinstance(branch, r.If)  # so it was found
    inside = ways[found[0] + 1 :]
    moved = _with_its_conditions(inside)
    if moved is None or moved is not inside[0] or _is_elif(place.frame, branch):
        return advice
    in_front = tuple(one for one in block_with(place.frame, moved) if one.at < moved.at)
    if _depends_on(moved, names_bound(in_front)):
        return advice
    path = place.module.path
    if isinstance(branch.test, r.Boolean) and branch.test.operator == "and":
        kept = [side for side in (branch.test.left, branch.test.right) if not _asks_rank(side)]
        if len(kept) != 1 or branch.body != (moved,) or branch.orelse:
            return advice
        text = text_of(kept[0])
        repair = ReplaceExpression(path, branch.test.at, text)
        return Mend(FixOffer("safe", f"ask for `{text}` alone"), (repair,)) if "…" not in text else advice
    return Mend(FixOffer("safe", "take the call out of the branch"), (MoveBefore(path, moved.at, branch.at),))


def _asks_rank(test: r.AnyExpression) -> bool:
    """Whether a test asks which rank this is."""
    return any(by_name(name) or name in RANK_FUNCTIONS | MAIN_FUNCTIONS for name in _names_in(test))


def _names_in(node: r.AnyExpression) -> set[str]:
    items = list(walk.descendants(node))
    found = {item.id for item in items if isinstance(item, r.Name)}
    found |= {item.attr for item in items if isinstance(item, r.Attribute)}
    return found | {item.value for item in items if isinstance(item, r.Constant) and isinstance(item.value, str)}


# --- LEP305: on the right sampler -------------------------------------------------------------------------------------


def name_the_right_one(model: Model, repeats: Sequence[Repeat], epoch: EpochSet) -> Mend:
    """Return the mend that lets a call set the epoch of the sampler that the loop reads."""
    place, loop = epoch.origin, repeats[0].loop
    advice = Mend(advice="set the epoch of the sampler that is read")
    call = call_at(place.frame, place.at)
    if call is None or not isinstance(call.func, r.Attribute) or place.frame is not loop.frame:
        return advice
    if (given := _give_to_loader(model, repeats, epoch, call.func.value)) is not None:
        return given
    reached = Reach.of_loop(model.project, loop).reach(repeats)
    if reached is None or len(reached) != 1:
        return advice
    receiver, test = reached[0].receiver.text, reached[0].test
    path = place.module.path
    replaced = ReplaceExpression(path, call.func.value.at, receiver)
    offer = FixOffer("safe", f"set the epoch of {receiver}")
    if not test:
        return Mend(offer, (replaced,))
    for branch in _branches_round(place):
        asked = text_of(branch.test)
        if asked == test:
            return Mend(offer, (replaced,))
        if asked.replace(text_of(call.func.value), receiver) == test and _asks_only(branch, call):
            asks = ReplaceExpression(path, branch.test.at, test)
            return Mend(offer, (Together(path, (asks, replaced)),))
    return advice


def _give_to_loader(model: Model, repeats: Sequence[Repeat], epoch: EpochSet, named: r.AnyExpression) -> Mend | None:
    """Return the mend that gives a loader the sampler that was made for it, where it has got a twin of its own."""
    meant, twin = epoch.target, repeats[0].target
    frame = epoch.origin.frame
    is_alone = len({id(repeat.target) for repeat in repeats}) == 1 and not twin.names and meant.uid < twin.uid
    if not is_alone or meant.frame is not frame or twin.frame is not frame or not isinstance(named, r.Name):
        return None
    if any(one.source is meant for trace in model.project.traces for one in trace.passes) or not _are_alike(
        meant, twin
    ):
        return None
    places = [{one.place for one in conditions_of(sampler, frame, epoch.origin.at)} for sampler in (meant, twin)]
    code = code_of(frame)
    if places[0] != places[1] or times_bound(code, named.id) != 1:
        return None
    offer = FixOffer("safe", f"give the loader {named.id}, whose epoch is set")
    module, at = twin.site
    return Mend(offer, (ReplaceExpression(module.path, at, named.id),)) if module is not None else None


def _are_alike(one: Object, other: Object) -> bool:
    """Whether two samplers are made of the same; both are known to shuffle."""
    names = (one.arguments.keys() | other.arguments.keys()) - {"shuffle"}
    return one.cls is other.cls and all(one.arguments.get(name) == other.arguments.get(name) for name in names)


def _branches_round(place: Moment) -> list[r.If]:
    """Return the ``if`` statements of whose bodies a place is part, innermost first."""
    ways = statements_to(place.frame, place.at)
    return [
        outer
        for outer, inner in reversed(list(itertools.pairwise(ways)))
        if isinstance(outer, r.If) and any(inner is one for one in outer.body)
    ]


def _asks_only(branch: r.If, call: r.Call) -> bool:
    """Whether a branch holds nothing but a call."""
    only = branch.body[0] if len(branch.body) == 1 and not branch.orelse else None
    return isinstance(only, r.ExpressionStatement) and only.value is call
