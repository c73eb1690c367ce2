"""The interpreter's memory: cheap to copy at a branch, cheap to merge after it."""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.project.values import ValueSet, join

Key = tuple[int, str]

#: Layers above the last place to come back to that are folded into one: look-ups walk the layers.
MOST_LAYERS = 3


class Cells:
    """Variables by frame and attributes by object, as a stack of layers of which all but the top are shared."""

    __slots__ = ("depth", "own", "parent")

    def __init__(self, parent: Cells | None = None) -> None:
        self.parent = parent
        self.own: dict[Key, ValueSet] = {}
        self.depth: int = parent.depth + 1 if parent is not None else 0

    def get(self, key: Key) -> ValueSet | None:
        """Return what a cell holds."""
        layer: Cells | None = self
        while layer is not None:
            held = layer.own.get(key)
            if held is not None:
                return held
            layer = layer.parent
        return None

    def __setitem__(self, key: Key, values: ValueSet) -> None:
        self.own[key] = values

    def items(self) -> Iterator[tuple[Key, ValueSet]]:
        """All cells with what they hold now."""
        return iter(self._flat().items())

    def _flat(self) -> dict[Key, ValueSet]:
        layers: list[Cells] = []
        layer: Cells | None = self
        while layer is not None:
            layers.append(layer)
            layer = layer.parent
        flat: dict[Key, ValueSet] = {}
        for layer in reversed(layers):
            flat.update(layer.own)
        return flat

    def fork(self) -> Cells:
        """Return a memory that starts from this one; from now on this one must not be written to."""
        if not self.own and self.parent is not None:
            return Cells(self.parent)
        return Cells(self)

    def folded(self, floor: Cells | None) -> Cells:
        """Return the same memory with few layers above ``floor``, a layer of it that others come back to."""
        if self.depth - (floor.depth if floor is not None else -1) <= MOST_LAYERS:
            return self
        fold = Cells(floor)
        fold.own = self._since(floor)
        return fold

    def without(self, uid: int, floor: Cells | None) -> Cells:
        """Return the same memory without the cells of a frame that were written since ``floor``."""
        kept = Cells(floor)
        kept.own = {key: values for key, values in self._since(floor).items() if key[0] != uid}
        return kept

    def _since(self, ancestor: Cells | None) -> dict[Key, ValueSet]:
        layers: list[Cells] = []
        layer: Cells | None = self
        while layer is not None and layer is not ancestor:
            layers.append(layer)
            layer = layer.parent
        changes: dict[Key, ValueSet] = {}
        for layer in reversed(layers):
            changes.update(layer.own)
        return changes


def merge(left: Cells | None, right: Cells | None) -> Cells | None:
    """Return the memory after two branches, of which either may not end."""
    if left is None or left is right:
        return right
    if right is None:
        return left
    ancestor = _common(left, right)
    ours, theirs = left._since(ancestor), right._since(ancestor)
    merged = Cells(ancestor)
    for key in ours.keys() | theirs.keys():
        one, other = ours.get(key), theirs.get(key)
        if one is None or other is None:
            before = ancestor.get(key) if ancestor is not None else None
            found = one if one is not None else other
            assert found is not None
            merged.own[key] = found if before is None or before is found else join(found, before)
        else:
            merged.own[key] = one if one is other else join(one, other)
    return merged


def _common(left: Cells, right: Cells) -> Cells | None:
    """Return the topmost layer that both memories share."""
    one: Cells | None = left
    other: Cells | None = right
    while one is not None and other is not None and one is not other:
        if one.depth >= other.depth:
            one = one.parent
        else:
            other = other.parent
    return one if one is other else None
