"""Cases of LEP104."""

from __future__ import annotations

from lint_epoch.rules.base import Case

CASES = (
    Case(
        "__iter__ goes round its loader for ever, so that set_epoch arrives once a job",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


class Endless:
    def __init__(self, dataset):
        self.sampler = DistributedSampler(dataset)
        self.loader = DataLoader(dataset, batch_size=4, sampler=self.sampler)

    def set_epoch(self, epoch):
        self.sampler.set_epoch(epoch)

    def __iter__(self):
        while True:
            for batch in self.loader:
                yield batch


def main(dataset, model, steps):
    loader = Endless(dataset)
    loader.set_epoch(0)
    for step, batch in enumerate(loader):
        if step == steps:
            break
        model.step(batch)
""",
        },
        (("train.py", 13),),
    ),
    Case(
        "an inner endless loop makes a new iterator on each turn",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


class Batches:
    def __init__(self, dataset, limit=None):
        self._limit = limit
        self._loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))

    def __iter__(self):
        given = 0
        while True:
            batches = iter(self._loader)
            while True:
                if self._limit is not None and given >= self._limit:
                    return
                try:
                    batch = next(batches)
                except StopIteration:
                    break
                given += 1
                yield batch


def main(dataset, model):
    for batch in Batches(dataset):
        model.step(batch)
""",
        },
        (("train.py", 11),),
    ),
    Case(
        "__iter__ takes a fixed number of passes over the same order",
        {
            "loading.py": """\
class Repeated:
    def __init__(self, loader, times):
        self.loader = loader
        self.times = times

    def __iter__(self):
        for _ in range(self.times):
            yield from self.loader
""",
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler

from loading import Repeated


def main(dataset, model):
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))
    for batch in Repeated(loader, 3):
        model.step(batch)
""",
        },
        (("loading.py", 7),),
    ),
    Case(
        "the wrapper advances the epoch on each pass",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


class Endless:
    def __init__(self, dataset):
        self.epoch = 0
        self.sampler = DistributedSampler(dataset)
        self.loader = DataLoader(dataset, batch_size=4, sampler=self.sampler)

    def __iter__(self):
        while True:
            self.sampler.set_epoch(self.epoch)
            self.epoch += 1
            for batch in self.loader:
                yield batch


def main(dataset, model, steps):
    for step, batch in enumerate(Endless(dataset)):
        if step == steps:
            break
        model.step(batch)
""",
        },
    ),
    Case(
        "a loader that shuffles by itself needs no epoch",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


class Endless:
    def __init__(self, dataset):
        self.loader = DataLoader(dataset, batch_size=4, shuffle=True)

    def __iter__(self):
        while True:
            for batch in self.loader:
                yield batch


def main(dataset, unlabeled, model):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    others = iter(Endless(unlabeled))
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch, next(others))
""",
        },
    ),
    Case(
        "the epoch is set where the iterator is made anew",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


class Batches:
    def __init__(self, dataset):
        self.epoch = 0
        self.sampler = DistributedSampler(dataset)
        self.loader = DataLoader(dataset, batch_size=4, sampler=self.sampler)
        self.batches = iter(self.loader)

    def get(self):
        try:
            return next(self.batches)
        except StopIteration:
            self.epoch += 1
            self.sampler.set_epoch(self.epoch)
            self.batches = iter(self.loader)
            return next(self.batches)


def main(dataset, model, steps):
    batches = Batches(dataset)
    for _ in range(steps):
        model.step(batches.get())
""",
        },
    ),
    Case(
        "a wrapper that advances where it is told that the job is distributed",
        {
            "loaders.py": """\
from torch.utils.data import DataLoader


class Repeating:
    def __init__(self, dataloader: DataLoader, use_distributed: bool = False):
        self._dataloader = dataloader
        self._use_distributed = use_distributed
        self._batches = iter(dataloader)
        self._epoch = 0

    def __iter__(self):
        return self

    def __next__(self):
        try:
            return next(self._batches)
        except StopIteration:
            self._epoch += 1
            if hasattr(self._dataloader.sampler, "set_epoch") and self._use_distributed:
                self._dataloader.sampler.set_epoch(self._epoch)
            self._batches = iter(self._dataloader)
            return next(self._batches)
""",
        },
    ),
    Case(
        "an iterator that can be peeked into is one pass, however many items are taken",
        {
            "counting.py": """\
import more_itertools
from torch.utils.data import DataLoader, DistributedSampler


class Counting:
    def __init__(self, loader):
        self._batches = more_itertools.peekable(loader)
        self.count = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.count += 1
        return next(self._batches)

    def has_next(self):
        return bool(self._batches)


def main(dataset, model):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, sampler=sampler)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for batch in Counting(loader):
            model(batch).backward()


def once(dataset, model):
    for batch in Counting(DataLoader(dataset, sampler=DistributedSampler(dataset))):
        model(batch).backward()
""",
        },
    ),
)
