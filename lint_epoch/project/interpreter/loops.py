"""Runs loops: twice, once or item by item."""

from __future__ import annotations

from lint_epoch.facts import records as r
from lint_epoch.project import walk
from lint_epoch.project.interpreter.core import MOST_REPEATED_LOOPS
from lint_epoch.project.interpreter.statements import Statements
from lint_epoch.project.memory import Cells
from lint_epoch.project.passes import Pass
from lint_epoch.project.state import Loop
from lint_epoch.project.values import (
    Const,
    Data,
    TupleValue,
    Unknown,
    ValueSet,
    each,
)

#: A loop over so many known items is taken item by item (phases, datasets, loaders in a list).
MOST_KNOWN_ITEMS = 6


class Loops(Statements):
    """The part of the interpreter that runs loops."""

    def _run_While(self, statement: r.While) -> None:
        loop = Loop(statement, self.frame, "count")
        loop.endless = walk.is_constant_true(statement.test)
        self.trace.loops.append(loop)
        exits: Cells | None = None
        loop.entry = self.pin()
        self.breaks.append([])
        for turn in range(self._turns()):
            self.turns = (*self.turns, (loop, turn))
            answer = self.truth_of(statement.test, self.evaluate(statement.test))
            if answer is not True:
                loop.endless = False
                exits = self.merge(exits, self.fork())
            if answer is False:
                self.cells = None
            self._turn(statement.body)
            self.turns = self.turns[:-1]
            if self.cells is None:
                break
        if not loop.endless:
            exits = self.merge(exits, self.cells)
        self.cells = exits
        self.execute(statement.orelse)
        for cells in self.breaks.pop():
            self.cells = self.merge(self.cells, cells)
        self.unpin()

    def _turns(self) -> int:
        """Return how many turns a loop is taken through here."""
        return 2 if sum(loop.repeats for loop, _ in self.turns) < MOST_REPEATED_LOOPS else 1

    def _turn(self, body: r.Block) -> None:
        self.continues.append([])
        self.execute(body)
        for cells in self.continues.pop():
            self.cells = self.merge(self.cells, cells)

    def _run_For(self, statement: r.For) -> None:
        values = self.evaluate(statement.iterable)
        if self.cells is None:
            return
        items = self.known_items(values)
        if items is not None:
            self._run_each(statement, items)
            return
        elements, passes = self.iterate(values, statement.iterable)
        if not self.is_reached():
            return
        kind = "data" if passes else "count"
        if not passes and all(isinstance(value, Unknown) for value in values):
            kind = "unknown"
        if not passes and self.project.loaders_in(elements, self):
            # Nobody knows how many loaders there are, but each turn has another one.
            kind = "each"
        loop = Loop(statement, self.frame, kind)
        loop.reads = values
        self.trace.loops.append(loop)
        self._consume(statement, loop, elements, passes)

    def _consume(self, statement: r.For, loop: Loop, elements: ValueSet, passes: tuple[Pass, ...]) -> None:
        loop.endless = bool(passes) and all(one.endless for one in passes)
        entry = loop.entry = self.pin()
        exits = None if loop.endless else entry
        self.breaks.append([])
        outer, self.consuming = self.consuming, (*self.consuming, *passes)
        once = loop.kind == "each" or (loop.kind == "data" and not loop.endless)
        for turn in range(1 if once else self._turns()):
            self.turns = (*self.turns, (loop, turn))
            self.assign(statement.target, self._counted(elements, loop))
            self._turn(statement.body)
            self.turns = self.turns[:-1]
            if self.cells is None:
                break
        self.consuming = outer
        if not loop.endless:
            exits = self.merge(self.cells, exits)
        self.cells = exits
        self.execute(statement.orelse)
        for cells in self.breaks.pop():
            self.cells = self.merge(self.cells, cells)
        self.unpin()

    @staticmethod
    def _counted(elements: ValueSet, loop: Loop) -> ValueSet:
        """Return the items with the note that each turn of the loop has another one."""

        def counted(value: object) -> ValueSet:
            if isinstance(value, Data):
                return (Data(value.varies | {loop.uid}, value.rank),)
            if isinstance(value, TupleValue):
                return (TupleValue(tuple(each(element, counted) for element in value.elements)),)
            if isinstance(value, Unknown):
                # Another one on each turn: what is drawn need not be the same twice.
                return (Data(frozenset({loop.uid})),) if loop.kind == "count" else (Unknown(value.reason),)
            if isinstance(value, Const):
                return (Data(frozenset({loop.uid})),)
            return (value,)  # type: ignore[return-value]  # every alternative is a Value

        return each(elements, counted) if elements else (Data(frozenset({loop.uid})),)

    def _run_each(self, statement: r.For, items: list[ValueSet]) -> None:
        loop = Loop(statement, self.frame, "each")
        self.pin()
        self.breaks.append([])
        for turn, item in enumerate(items):
            if self.cells is None:
                break
            self.turns = (*self.turns, (loop, turn))
            self.assign(statement.target, item)
            self._turn(statement.body)
            self.turns = self.turns[:-1]
        self.execute(statement.orelse)
        for cells in self.breaks.pop():
            self.cells = self.merge(self.cells, cells)
        self.unpin()
