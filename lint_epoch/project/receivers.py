"""Which expression at a place of the code reaches what must hear of the epoch, and under which test it does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from lint_epoch.facts import records as r
from lint_epoch.facts.text import text_of
from lint_epoch.project import walk
from lint_epoch.project.classes import ProjectClass, class_has, is_a
from lint_epoch.project.conditions import asked_again, conditions_of
from lint_epoch.project.epochs import Repeat
from lint_epoch.project.memory import Cells
from lint_epoch.project.model import Project, library_classes
from lint_epoch.project.modules import ModuleFile
from lint_epoch.project.passes import Pass
from lint_epoch.project.roots import is_script
from lint_epoch.project.scope import Scope, names_bound, root_of
from lint_epoch.project.state import Frame, Loop
from lint_epoch.project.values import Const, Object, Value, ValueSet
from lint_epoch.project.wrappers import has_own_route, target_of, through_of, wrappers
from lint_epoch.repairs import Through

#: Times that runs came to a place that are looked at; what is called more often is a helper for many loaders.
MOST_EXECUTIONS = 40


@dataclass(frozen=True, slots=True)
class Receiver:
    """An expression that reaches what must hear of the epoch."""

    holder: r.AnyExpression
    """What a name of the scope leads to."""
    through: Through
    """The attribute of the holder that has ``set_epoch``; empty for the holder itself."""

    @property
    def expression(self) -> r.AnyExpression:
        """The whole expression."""
        found = self.holder
        for name in self.through.split(".") if self.through else ():
            found = r.Attribute(0, found, name)
        return found

    @property
    def text(self) -> str:
        """The whole expression as source."""
        return text_of(self.expression)

    def call(self, argument: str) -> str:
        """Return the call as source."""
        return f"{self.text}.set_epoch({argument})"


@dataclass(frozen=True, slots=True)
class Reached:
    """A receiver and the test that must hold for it to have the method, empty if it always has."""

    receiver: Receiver
    test: str

    def lines(self, argument: str) -> tuple[str, ...]:
        """Return the call as lines of source, under its test."""
        call = self.receiver.call(argument)
        return (f"if {self.test}:", f"    {call}") if self.test else (call,)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of the code at one of the times that a run came there."""

    frame: Frame
    at: int
    cells: Cells


class Reach:
    """How the code of a place reaches the samplers behind its loaders, in all runs that came there.

    The place is the top of a loop, or stands in front of the statement that starts a pass.
    """

    def __init__(self, project: Project, spots: Sequence[Spot], bound: Set[str]) -> None:
        """Take the project, the place at all times, and the names that do not last at it."""
        self.project = project
        self._spots = spots
        self._bound = bound
        self._scopes: dict[int, Scope] = {}

    @classmethod
    def of_loop(cls, project: Project, loop: Loop) -> Reach:
        """Return the reach of the top of a loop."""
        loops = [one for trace in project.traces for one in trace.loops if one.record is loop.record]
        block = loop.record.body if isinstance(loop.record, r.For | r.While) else ()
        bound = names_bound(block)
        if isinstance(loop.record, r.For):
            bound |= names_bound((r.Assign(0, (loop.record.target,), loop.record.target, None),))
        spots = [Spot(one.frame, one.record.at, one.entry) for one in loops if one.entry is not None]
        return cls(project, spots, bound)

    @classmethod
    def of_pass(cls, project: Project, started: Pass) -> Reach:
        """Return the reach of the place in front of what starts a pass."""
        site = started.moment.site
        passes = [one for trace in project.traces for one in trace.passes if one.moment.site == site]
        found = [Spot(one.moment.frame, one.moment.at, one.entry) for one in passes if one.entry is not None]
        return cls(project, found, frozenset())

    def values(self, expression: r.AnyExpression) -> ValueSet:
        """Return what an expression can be at the place, at any time."""
        return tuple(value for spot in self._spots for value in self._scope(spot).values(expression))

    def _scope(self, spot: Spot) -> Scope:
        if id(spot) not in self._scopes:
            self._scopes[id(spot)] = Scope(self.project, spot.frame, spot.cells)
        return self._scopes[id(spot)]

    def _spot_of(self, repeat: Repeat) -> Spot | None:
        """Return the spot at which a repeat is to be told the epoch."""
        cells = {id(repeat.loop.entry), id(repeat.started().entry)}
        return next((spot for spot in self._spots if id(spot.cells) in cells), None)

    def reach(self, repeats: Sequence[Repeat]) -> list[Reached] | None:
        """Return how to reach all targets of repeats, each time considered; ``None`` if one cannot be reached.

        Args:
            repeats: repeats at this place whose targets never hear of the epoch.
        """
        if not 0 < len(self._spots) <= MOST_EXECUTIONS:
            return None
        chosen: list[Reached] = []
        for repeat in repeats:
            if any(self._serves(one.receiver, repeat, repeats) for one in chosen):
                continue
            found = next(
                (
                    Reached(receiver, test)
                    for receiver in self._receivers(repeat)
                    if self._serves(receiver, repeat, repeats)
                    and (test := self._test(receiver, [one for one in repeats if self._serves(receiver, one, repeats)]))
                    is not None
                ),
                None,
            )
            if found is None:
                return None
            chosen.append(found)
        return chosen

    # --- candidates --------------------------------------------------------------------------------------------------

    def _receivers(self, repeat: Repeat) -> list[Receiver]:
        """Return the expressions that may serve, the shortest first, and at a tie the one nearest to the sampler."""
        spot = self._spot_of(repeat)
        if spot is None:
            return []
        scope = self._scope(spot)
        found: list[tuple[int, int, Receiver]] = []
        for distance, (value, through) in enumerate(reversed(list(reachable(repeat)))):
            for one in scope.reaching(value):
                receiver = Receiver(one.expression, through)
                found.append((one.hops + len(through.split(".")) * bool(through), distance, receiver))
        found.sort(key=lambda item: item[:2])
        return [receiver for _, _, receiver in found if self._lasts(receiver)]

    def _lasts(self, receiver: Receiver) -> bool:
        """Whether nothing in the loop binds one of the names that an expression is made of."""
        parts = list(walk.descendants(receiver.expression))
        names = {item.id for item in parts if isinstance(item, r.Name)}
        return self._bound.isdisjoint(names | {item.attr for item in parts if isinstance(item, r.Attribute)})

    def _serves(self, receiver: Receiver, repeat: Repeat, repeats: Sequence[Repeat]) -> bool:
        """Whether a call on an expression reaches a repeat's target, and nothing that is not meant."""
        spot = self._spot_of(repeat)
        if spot is None or not self._scope(spot).has(root_of(receiver.holder)):
            return False
        values = self._scope(spot).values(receiver.expression)
        mine = [value for value, _ in _ends(repeat)]
        meant = [value for other in repeats if self._spot_of(other) is spot for value, _ in _ends(other)]
        return any(value in mine for value in values) and all(
            value in meant for value in values if isinstance(value, Object) and hears(value)
        )

    # --- certainty ---------------------------------------------------------------------------------------------------

    def _test(self, receiver: Receiver, repeats: Sequence[Repeat]) -> str | None:
        """Return the test under which an expression has the method, empty if always, ``None`` if none is known."""
        scopes = [self._scope(spot) for spot in self._spots]
        if not all(scope.has(root_of(receiver.holder)) for scope in scopes):
            return None
        holders = [value for scope in scopes for value in scope.values(receiver.holder)]
        if self._is_given(receiver, scopes):
            return self._tolerant(receiver)
        if receiver.through:
            if "." in receiver.through:
                inner = Receiver(receiver.holder, "batch_sampler").expression
                holders += [value for scope in scopes for value in scope.values(inner)]
            if not all(has_part(value, receiver.through) for value in holders):
                return self._tolerant(receiver)
        values = tuple(value for scope in scopes for value in scope.values(receiver.expression))
        found = [
            (condition, spot.frame)
            for repeat in repeats
            if (spot := self._spot_of(repeat)) is not None
            for condition in conditions_of(repeat.target, spot.frame, spot.at)
            if condition.place not in self._shared_with_holder(receiver, repeat, spot)
        ]
        if not found and all(isinstance(value, Object) and hears(value) for value in values):
            return ""
        asked = {asked_again(condition, frame) for condition, frame in found}
        if len({condition.place[1:] for condition, _ in found}) == 1 and None not in asked and len(asked) == 1:
            return asked.pop()
        return self._asked_of(receiver, values)

    @staticmethod
    def _shared_with_holder(receiver: Receiver, repeat: Repeat, spot: Spot) -> set[tuple[int, int, bool]]:
        """Return the conditions without which there would be no loader either."""
        if not receiver.through and not any(hears(source) for source in repeat.sources()[:-1]):
            return set()
        loader = repeat.sources()[0]
        names = {*loader.names, walk.last_name(receiver.holder)}
        found = conditions_of(loader, spot.frame, spot.at)
        return {condition.place for condition in found if condition.decides_alone(names)}

    def _is_given(self, receiver: Receiver, scopes: Sequence[Scope]) -> bool:
        """Whether somebody outside the project may give the loop's function something else under that name."""
        function = scopes[0].frame.function
        if self.project.closed_world or function is None or function.owner is not None:
            return False
        if not isinstance(function.record, r.FunctionDef) or function.record.name.startswith("_"):
            return False
        given = {parameter.name for parameter in function.record.parameters}
        return root_of(receiver.holder) in given and not is_script(function.module)

    @staticmethod
    def _tolerant(receiver: Receiver) -> str | None:
        """Return a test that anything may be put to."""
        if not isinstance(receiver.holder, r.Name) or "." in receiver.through:
            return None
        held = receiver.holder.id
        asked = f'getattr({held}, "{receiver.through}", None)' if receiver.through else held
        return f'hasattr({asked}, "set_epoch")'

    def _asked_of(self, receiver: Receiver, values: ValueSet) -> str | None:
        """Return a test of what the expression is."""
        others = [value for value in values if not (isinstance(value, Object) and hears(value))]
        if not others and not receiver.through:
            # It may not be bound at all.
            return None
        if others and all(isinstance(value, Const) and value.value is None for value in others):
            return f"{receiver.text} is not None"
        return asks_sampler(self.project, self._spots[0].frame.module, receiver.text, values)


def asks_sampler(project: Project, module: ModuleFile, text: str, values: ValueSet) -> str:
    """Return a test of whether an expression has ``set_epoch``: by its class if the module has imported it."""
    wanted = project.library_class("torch.utils.data.distributed.DistributedSampler")
    hearing = [value for value in values if isinstance(value, Object) and hears(value)]
    name = _imported_sampler(module)
    if name and all(is_a(value.cls, wanted) is True for value in hearing):
        return f"isinstance({text}, {name})"
    return f'hasattr({text}, "set_epoch")'


def reachable(repeat: Repeat) -> Iterator[tuple[Object, Through]]:
    """Yield the objects of a path on which the epoch can be set, the consumer's first, and through which attribute.

    The first one with a ``set_epoch`` of its own is the last: what it holds is its business.
    """
    for source in repeat.sources():
        if hears(source):
            yield source, ""
            return
        if is_loader(source):
            through = through_of(source, repeat)
            if through:
                yield source, through


def _ends(repeat: Repeat) -> Iterator[tuple[Object, Through]]:
    """Yield what a call must arrive at: the outermost object of the path with the method."""
    yield from ((value, through) for value, through in reachable(repeat) if not through)


def hears(value: Object) -> bool:
    """Whether an object certainly has ``set_epoch``."""
    return class_has(value.cls, "set_epoch") is True


def waits_for_wrapper(project: Project, repeat: Repeat) -> bool:
    """Whether a wrapper on the path will be given ``set_epoch`` first, so that the loop can call that."""
    return any(
        not has_own_route(held, repeat) and target_of(project, held, repeat) is not None for held in wrappers(repeat)
    )


def is_loader(value: Object) -> bool:
    """Whether an object is torch's ``DataLoader`` or ``BatchSampler``, or has its parts from one of them."""
    names = ("torch.utils.data.DataLoader", "torch.utils.data.BatchSampler")
    entries = [cls.entry for cls in library_classes(value)]
    # A framework's loader is a DataLoader too, but its parts are others on several processes than on one.
    parts = next((entry.attributes for entry in entries if entry.attributes), None)
    return any(entry.name in names and entry.attributes == parts for entry in entries)


def has_part(value: Value, through: Through) -> bool:
    """Whether an object certainly has the last attribute of a way."""
    if not isinstance(value, Object):
        return False
    if isinstance(value.cls, ProjectClass) and value.cls.member(through.rpartition(".")[2]) is True:
        return True
    return is_loader(value)


def _imported_sampler(module: ModuleFile) -> str:
    """Return the name under which a module has imported DistributedSampler, empty if it has not."""
    record = module.record
    for statement in record.body if record is not None else ():
        if isinstance(statement, r.ImportFrom):
            for item in statement.names:
                if item.name == "DistributedSampler":
                    return item.alias
    return ""
