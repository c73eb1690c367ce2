"""Cases of LEP202."""

from __future__ import annotations

from lint_epoch.rules.base import Case

CASES = (
    Case(
        "a loader with batch_sampler= has a SequentialSampler for its sampler",
        {
            "train.py": """\
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler


def main(dataset, model):
    batches = BatchSampler(DistributedSampler(dataset), 4, drop_last=True)
    loader = DataLoader(dataset, batch_sampler=batches)
    for epoch in range(3):
        if isinstance(loader.sampler, DistributedSampler):
            loader.sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 8),),
    ),
    Case(
        "the batch sampler that torch makes has no set_epoch",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))
    for epoch in range(3):
        if hasattr(loader.batch_sampler, "set_epoch"):
            loader.batch_sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 7),),
    ),
    Case(
        "the sampler is of a class of its own, not torch's",
        {
            "sampling.py": """\
import torch
from torch.utils.data import Sampler


class RankSampler(Sampler):
    def __init__(self, size, rank, world_size):
        self.size, self.rank, self.world_size = size, rank, world_size
        self.epoch = 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        generator = torch.Generator().manual_seed(self.epoch)
        yield from torch.randperm(self.size, generator=generator).tolist()[self.rank :: self.world_size]
""",
            "train.py": """\
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

from sampling import RankSampler


def main(dataset, model, rank, world_size):
    loader = DataLoader(dataset, batch_size=4, sampler=RankSampler(len(dataset), rank, world_size))
    for epoch in range(3):
        if isinstance(loader.sampler, DistributedSampler):
            loader.sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 10),),
    ),
    Case(
        "the guard is true: the loader was given the sampler itself",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))
    for epoch in range(3):
        if isinstance(loader.sampler, DistributedSampler):
            loader.sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
    ),
    Case(
        "the guard looks behind the batch sampler",
        {
            "train.py": """\
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler


def main(dataset, model):
    batches = BatchSampler(DistributedSampler(dataset), 4, drop_last=True)
    loader = DataLoader(dataset, batch_sampler=batches)
    for epoch in range(3):
        if isinstance(loader.batch_sampler.sampler, DistributedSampler):
            loader.batch_sampler.sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
    ),
    Case(
        "the guard is false for a loader that shuffles by itself",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    loader = DataLoader(dataset, batch_size=4, shuffle=True)
    for epoch in range(3):
        if isinstance(loader.sampler, DistributedSampler):
            loader.sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
    ),
)
