"""The byte scan that decides which files can take part, without parsing any of them."""

from __future__ import annotations

import re

#: A project in which no file names one of these has no sampler whose epoch could be lost, and no loader whose state
#: or shards could be: then nothing is parsed at all.
_EVIDENCE = re.compile(
    rb"set_epoch|DistributedSampler|load_state_dict|StatefulDataLoader|split_dataset_by_node|persistent_workers"
)

#: What files say that make, hold, wrap or iterate loaders.
_LOADERS = re.compile(rb"oader|ampler|set_epoch|IterableDataset")


def has_evidence(data: bytes) -> bool:
    """Whether a file names something that makes the project worth analysing."""
    return _EVIDENCE.search(data) is not None


def can_take_part(data: bytes) -> bool:
    """Whether a file can make, hold, wrap or iterate a loader."""
    return _LOADERS.search(data) is not None
