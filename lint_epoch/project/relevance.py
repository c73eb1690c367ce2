"""Which functions and classes can have to do with loaders at all: the rest is not run."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lint_epoch.facts import records as r
from lint_epoch.project import walk

#: Names in which loaders and samplers appear in real code, the call that tells them the epoch, and Ignite's engines.
_WORDS = re.compile(
    r"loader|sampler|set_epoch|dataiter|data_iter|train_iter|(?-i:^(?:Deterministic)?Engine$)|create_supervised_trainer",
    re.I | re.M,
)


#: Statements in the body of a function that only looks something up: the longest that was read has five.
LONGEST_CHOICE = 6


class Relevance:
    """Answers from the names that occur in a record, and from the names of what it calls."""

    def __init__(self) -> None:
        self._answers: dict[int, tuple[object, bool]] = {}
        self._names: set[str] = set()

    def know(self, names: Iterable[str]) -> None:
        """Note names of classes that have to do with loaders, whatever they are called."""
        self._names.update(names)

    def learn(self, module: r.Module) -> None:
        """Note the functions and classes of a module that have to do with loaders, and those that name these."""
        definitions = [item for item in walk.descendants(module) if isinstance(item, r.FunctionDef | r.ClassDef)]
        self._names.update(item.name for item in definitions if self._directly(item) and not item.name.startswith("__"))

    def settle(self, modules: list[r.Module]) -> None:
        """Spread relevance from called functions to their callers, to a fixed point."""
        definitions = [
            item
            for module in modules
            for item in walk.descendants(module)
            if isinstance(item, r.FunctionDef | r.ClassDef) and not item.name.startswith("__")
        ]
        waiting = [item for item in definitions if item.name not in self._names and item.name not in _COMMON]
        while True:
            found = [item for item in waiting if not self._names.isdisjoint(walk.called(item))]
            if not found:
                break
            self._names.update(item.name for item in found)
            waiting = [item for item in waiting if item.name not in self._names]
        self._answers.clear()

    def of(self, record: r.FunctionDef | r.ClassDef | r.Lambda) -> bool:
        """Whether a function or class can have to do with loaders."""
        known = self._answers.get(id(record))
        if known is not None and known[0] is record:
            return known[1]
        answer = self._directly(record) or not self._names.isdisjoint(walk.called(record))
        self._answers[id(record)] = (record, answer)
        return answer

    @staticmethod
    def chooses(record: r.FunctionDef | r.Lambda) -> bool:
        """Whether a short function looks a class or function up for its caller, who may give it loaders.

        What such a function says of its own does not tell whether it matters.
        """
        if not isinstance(record, r.FunctionDef) or len(record.body) > LONGEST_CHOICE:
            return False
        if record.name.startswith("__") or any(walk.last_name(d) == "property" for d in record.decorators):
            return False
        returned = [item.value for item in walk.descendants(record) if isinstance(item, r.Return)]
        if any(isinstance(value, r.Subscript) for value in returned):
            return True
        return "import_module" in walk.mentions(record) or any(
            isinstance(value, r.Call) and walk.last_name(value) == "getattr" for value in returned
        )

    @staticmethod
    def _directly(record: r.FunctionDef | r.ClassDef | r.Lambda) -> bool:
        return _WORDS.search("\n".join(walk.mentions(record))) is not None


#: Names that so many classes have that calling them says nothing.
_COMMON = frozenset({"forward", "step", "update", "reset", "close", "save", "load", "get", "set", "build", "call"})
