"""Cases of LEP501."""

from __future__ import annotations

from lint_epoch.rules.base import Case

CASES = (
    Case(
        "a loader with a DistributedSampler is prepared",
        {
            "train.py": """\
from accelerate import Accelerator
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model, optimizer):
    accelerator = Accelerator()
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for batch in loader:
        accelerator.backward(model(batch).mean())
        optimizer.step()
""",
        },
        (("train.py", 9),),
    ),
    Case(
        "split_dataset_by_node has given each rank its part",
        {
            "train.py": """\
from accelerate import Accelerator
from datasets import load_dataset
from datasets.distributed import split_dataset_by_node
from torch.utils.data import DataLoader


def main(model, optimizer):
    accelerator = Accelerator()
    stream = load_dataset("json", data_files="*.json", split="train", streaming=True)
    stream = split_dataset_by_node(stream, accelerator.process_index, accelerator.num_processes)
    loader = accelerator.prepare(DataLoader(stream, batch_size=4))
    for batch in loader:
        accelerator.backward(model(batch).mean())
        optimizer.step()
""",
        },
        (("train.py", 11),),
    ),
    Case(
        "the iterable dataset of another file reads its own rank's part, in an order that the epoch decides",
        {
            "stream.py": """\
import random

from torch.utils.data import IterableDataset


class RankStream(IterableDataset):
    def __init__(self, size, rank, world_size):
        self.size, self.rank, self.world_size = size, rank, world_size
        self.epoch = 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        order = list(range(self.rank, self.size, self.world_size))
        random.Random(self.epoch).shuffle(order)
        yield from order
""",
            "train.py": """\
from accelerate import Accelerator
from torch.utils.data import DataLoader

from stream import RankStream


def main(model):
    accelerator = Accelerator()
    stream = RankStream(1000, accelerator.process_index, accelerator.num_processes)
    model, loader = accelerator.prepare(model, DataLoader(stream, batch_size=4))
    for epoch in range(3):
        stream.set_epoch(epoch)
        for batch in loader:
            accelerator.backward(model(batch).mean())
""",
        },
        (("train.py", 10),),
    ),
    Case(
        "the iterable dataset reads its own rank's part, and nothing in the project has an epoch",
        {
            "train.py": """\
from accelerate import Accelerator
from torch.utils.data import DataLoader, IterableDataset


class RankStream(IterableDataset):
    def __init__(self, size, rank, world_size):
        self.size, self.rank, self.world_size = size, rank, world_size

    def __iter__(self):
        yield from range(self.rank, self.size, self.world_size)


def main(model):
    accelerator = Accelerator()
    stream = RankStream(1000, accelerator.process_index, accelerator.num_processes)
    loader = accelerator.prepare(DataLoader(stream, batch_size=4))
    for batch in loader:
        accelerator.backward(model(batch).mean())
""",
        },
        (("train.py", 16),),
    ),
    Case(
        "prepare splits an ordinary loader, once",
        {
            "train.py": """\
from accelerate import Accelerator
from torch.utils.data import DataLoader


def main(dataset, model, optimizer):
    accelerator = Accelerator()
    loader = DataLoader(dataset, batch_size=4, shuffle=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for epoch in range(3):
        for batch in loader:
            accelerator.backward(model(batch).mean())
            optimizer.step()
""",
        },
    ),
    Case(
        "the loader with a DistributedSampler is left out of prepare",
        {
            "train.py": """\
from accelerate import Accelerator
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model, optimizer):
    accelerator = Accelerator()
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    model, optimizer = accelerator.prepare(model, optimizer)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for batch in loader:
            accelerator.backward(model(batch).mean())
            optimizer.step()
""",
        },
    ),
    Case(
        "the stream that is prepared is the same on all ranks",
        {
            "train.py": """\
from accelerate import Accelerator
from torch.utils.data import DataLoader, IterableDataset


class Stream(IterableDataset):
    def __init__(self, size):
        self.size = size
        self.epoch = 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        first = self.epoch * self.size
        yield from range(first, first + self.size)


def main(model):
    accelerator = Accelerator()
    stream = Stream(1000)
    loader = accelerator.prepare(DataLoader(stream, batch_size=4))
    for epoch in range(3):
        stream.set_epoch(epoch)
        for batch in loader:
            accelerator.backward(model(batch).mean())
""",
        },
    ),
)
