"""Cases of LEP401."""

from __future__ import annotations

from lint_epoch.rules.base import Case

_CROPS = """\
import torch
from torch.utils.data import Dataset


class Crops(Dataset):
    def __init__(self, images):
        self.images = images
        self.epoch = 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        generator = torch.Generator().manual_seed(self.epoch * len(self) + index)
        return self.images[index].roll(int(torch.randint(8, (), generator=generator)))
"""

CASES = (
    Case(
        "the workers of a map-style dataset persist",
        {
            "crops.py": _CROPS,
            "train.py": """\
from torch.utils.data import DataLoader

from crops import Crops


def main(images, model):
    crops = Crops(images)
    loader = DataLoader(crops, batch_size=4, shuffle=True, num_workers=2, persistent_workers=True)
    for epoch in range(3):
        crops.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 10),),
    ),
    Case(
        "the workers of an iterable dataset persist",
        {
            "train.py": """\
import random

from torch.utils.data import DataLoader, IterableDataset


class Stream(IterableDataset):
    def __init__(self, shards):
        self.shards = shards
        self.epoch = 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        shards = list(self.shards)
        random.Random(self.epoch).shuffle(shards)
        for shard in shards:
            yield from shard


def main(shards, model):
    stream = Stream(shards)
    loader = DataLoader(stream, batch_size=4, num_workers=1, persistent_workers=True)
    for epoch in range(3):
        stream.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 25),),
    ),
    Case(
        "the call goes through the loader, and a factory of another file lets the workers persist",
        {
            "crops.py": _CROPS,
            "loading.py": """\
from torch.utils.data import DataLoader


def make_loader(dataset, workers):
    return DataLoader(dataset, batch_size=4, num_workers=workers, persistent_workers=workers > 0)
""",
            "train.py": """\
from crops import Crops
from loading import make_loader


def main(images, model):
    loader = make_loader(Crops(images), 4)
    for epoch in range(3):
        loader.dataset.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 8),),
    ),
    Case(
        "the workers are started anew for each pass",
        {
            "crops.py": _CROPS,
            "train.py": """\
from torch.utils.data import DataLoader

from crops import Crops


def main(images, model):
    crops = Crops(images)
    loader = DataLoader(crops, batch_size=4, shuffle=True, num_workers=2)
    for epoch in range(3):
        crops.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
    ),
    Case(
        "the dataset keeps its epoch in shared memory",
        {
            "train.py": """\
import multiprocessing

from torch.utils.data import DataLoader, Dataset


class Crops(Dataset):
    def __init__(self, images):
        self.images = images
        self._epoch = multiprocessing.Value("i", 0)

    def set_epoch(self, epoch):
        self._epoch.value = epoch

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return self.images[index].roll((self._epoch.value + index) % 8)


def main(images, model):
    crops = Crops(images)
    loader = DataLoader(crops, batch_size=4, shuffle=True, num_workers=2, persistent_workers=True)
    for epoch in range(3):
        crops.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
    ),
    Case(
        "a sampler lives in the main process, whatever the workers do",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, sampler=sampler, num_workers=2, persistent_workers=True)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
    ),
    Case(
        "a batch sampler sets the epoch of its loader's dataset",
        {
            "sampling.py": """\
import torch
from torch.utils.data import DataLoader, Dataset


class SeededDataset(Dataset):
    def __init__(self, dataset, seed):
        self.dataset = dataset
        self.seed = self.now = seed

    def set_epoch(self, epoch):
        self.now = self.seed + epoch

    def __getitem__(self, index):
        torch.manual_seed(index + self.now)
        return self.dataset[index]


class ShuffledBatches:
    def __init__(self, dataset, consumed):
        self.dataset = dataset
        self.consumed = consumed

    def __iter__(self):
        epoch = self.consumed // len(self.dataset)
        if isinstance(self.dataset, SeededDataset):
            self.dataset.set_epoch(epoch)
        for index in range(len(self.dataset)):
            self.consumed += 1
            yield [index]


def loader_of(dataset, consumed, workers):
    batches = ShuffledBatches(dataset, consumed)
    return DataLoader(dataset, batch_sampler=batches, num_workers=workers, persistent_workers=workers > 0)
""",
        },
        (("sampling.py", 26),),
    ),
    Case(
        "the dataset and its loader are made anew for each epoch",
        {
            "crops.py": _CROPS,
            "train.py": """\
from torch.utils.data import DataLoader

from crops import Crops


def main(images, model):
    for epoch in range(3):
        crops = Crops(images)
        crops.set_epoch(epoch)
        loader = DataLoader(crops, batch_size=4, shuffle=True, num_workers=2, persistent_workers=True)
        for batch in loader:
            model.step(batch)
""",
        },
    ),
)
