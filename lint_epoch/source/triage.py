"""The byte scan that decides which files can take part, without parsing any of them."""

from __future__ import annotations

import re

#: A project in which no file names one of these has no sampler whose epoch could be lost, and no loader whose state
#: or shards could be: then nothing is parsed at all.
_EVIDENCE = re.compile(
    rb"set_epoch|DistributedSampler|StatefulDataLoader|split_dataset_by_node"
    rb"|auto_dataloader|ccelerator\.prepare|streaming *= *True|oader\.(?:load_)?state_dict|attr\([^\n]*state_dict"
)

#: What files say that make, hold, wrap or iterate loaders.
_LOADERS = re.compile(rb"oader|ampler|set_epoch|IterableDataset|rainer")


#: A class that stands in for a loader: whoever uses it may well give it a distributed one.
_WRAPPER = re.compile(rb"def __(?:iter|next)__\(")


def has_evidence(data: bytes, telling: tuple[bytes, ...] = ()) -> bool:
    """Whether a file names something that makes the project worth analysing.

    Args:
        data: the file's bytes.
        telling: names of classes that the user's own tables describe.
    """
    if _EVIDENCE.search(data) is not None or any(name in data for name in telling):
        return True
    return b"DataLoader" in data and _WRAPPER.search(data) is not None


def can_take_part(data: bytes, telling: tuple[bytes, ...] = ()) -> bool:
    """Whether a file can make, hold, wrap or iterate a loader; ``telling`` as for ``has_evidence``."""
    return _LOADERS.search(data) is not None or any(name in data for name in telling)


_FROM = re.compile(rb"^[ \t]*from[ \t]+(\.*)[ \t]*([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]*)", re.M)
_IMPORT = re.compile(rb"^[ \t]*import[ \t]+([^\n#;]+)", re.M)
_NAME = re.compile(rb"[\w.]+")


def imports_of(data: bytes) -> list[tuple[int, str, list[str]]]:
    """Return what a file seems to import, without parsing it: (leading dots, module, names).

    Text in strings that looks like an import is taken for one: that can only make more files take part.
    """
    found: list[tuple[int, str, list[str]]] = []
    for dots, module, names in _FROM.findall(data):
        found.append((len(dots), module.decode(), [name.decode("ascii", "ignore") for name in _NAME.findall(names)]))
    for modules in _IMPORT.findall(data):
        for part in modules.split(b","):
            name = _NAME.match(part.strip())
            if name is not None:
                found.append((0, name.group().decode("ascii", "ignore"), []))
    return found
