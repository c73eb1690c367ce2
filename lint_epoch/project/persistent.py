"""Loaders that make one iterator for all their passes, so that workers draw the next pass before its epoch is set.

The shape comes from YOLOv5 and timm: a DataLoader that puts its batch sampler into an endless one, makes its iterator
in `__init__`, and takes as many batches from it as make one epoch. Worker processes keep going and ask for indices of
the next epoch while the present one ends (measured: epochs 0 and 1 have the same order, later ones are one behind).
"""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.facts import records as r
from lint_epoch.project import walk
from lint_epoch.project.classes import ProjectClass
from lint_epoch.project.view import Model


def persistent_iterators(model: Model) -> Iterator[tuple[ProjectClass, r.Assign]]:
    """Yield the project's loader classes whose only iterator is made in their constructor, and where it is made."""
    if not any("set_epoch" in walk.mentions(record) for record in model.project.records):
        return
    for cls in model.project.classes():
        if any(base.entry.kind == "loader" for base in cls.library_bases()):
            made = _only_iterator(cls)
            if made is not None:
                yield cls, made


def _only_iterator(cls: ProjectClass) -> r.Assign | None:
    init, draw = cls.functions.get("__init__"), cls.functions.get("__iter__")
    if init is None or draw is None:
        return None
    pulled = {
        part.attr
        for item in walk.descendants(draw)
        if isinstance(item, r.Call) and walk.last_name(item) == "next"
        for argument in item.arguments[:1]
        for part in (argument.value,)
        if isinstance(part, r.Attribute)
    }
    if pulled & set(walk.self_attributes(draw)):
        return None
    for item in walk.descendants(init):
        if isinstance(item, r.Assign) and isinstance(item.value, r.Call):
            is_iterator = walk.last_name(item.value) in ("__iter__", "iter", "_get_iterator")
            names = {target.attr for target in item.targets if isinstance(target, r.Attribute)}
            if is_iterator and names & pulled:
                return item
    return None
