"""The interpreter's memory: cheap to copy at a branch, cheap to merge after it."""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.project.values import ValueSet, join, next_uid

Key = tuple[int, str]

#: Layers above the last place to come back to that are folded into one: look-ups walk the layers.
MOST_LAYERS = 3

#: More than any number of a frame or object: a layer that is still written to may hold cells of all of them.
_OPEN = 2**63


class Cells:
    """Variables by frame and attributes by object, as a stack of layers of which all but the top are shared."""

    __slots__ = ("depth", "own", "parent", "sealed")

    def __init__(self, parent: Cells | None = None) -> None:
        self.parent = parent
        self.own: dict[Key, ValueSet] = {}
        self.depth: int = parent.depth + 1 if parent is not None else 0
        self.sealed = _OPEN
        """The number that was next when this layer was last written to: what was made later has no cells in it."""
        if parent is not None and parent.sealed is _OPEN:
            parent.sealed = next_uid()

    def get(self, key: Key) -> ValueSet | None:
        """Return what a cell holds."""
        uid = key[0]
        layer: Cells | None = self
        while layer is not None and uid < layer.sealed:
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
        return Cells(self.topmost())

    def topmost(self) -> Cells:
        """Return the layer that says all that this one does: itself, or one below if nothing was written since."""
        layer = self
        while not layer.own and layer.parent is not None:
            layer = layer.parent
        return layer

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
    own = merged.own = {**ours, **theirs}
    sealed = ancestor.sealed if ancestor is not None else 0
    for key in own:
        one, other = ours.get(key), theirs.get(key)
        if one is None or other is None:
            # Most cells belong to what was made inside a branch, so that nothing was there before.
            before = ancestor.get(key) if ancestor is not None and key[0] < sealed else None
            if before is not None and before is not own[key]:
                own[key] = join(own[key], before)
        elif one is not other:
            own[key] = join(one, other)
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
