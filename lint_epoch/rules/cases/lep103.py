"""Cases of LEP103."""

from __future__ import annotations

from lint_epoch.rules.base import Case

CASES = (
    Case(
        "set_epoch stores a number that nothing reads",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


class TextLoader:
    def __init__(self, dataset):
        self.epoch = 0
        self.loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        for tokens in self.loader:
            yield tokens[:, :-1], tokens[:, 1:]


def main(dataset, model):
    loader = TextLoader(dataset)
    for epoch in range(3):
        loader.set_epoch(epoch)
        for inputs, targets in loader:
            model.step(inputs, targets)
""",
        },
        (("train.py", 4),),
    ),
    Case(
        "the set_epoch that a sampler inherits never tells the sampler inside",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


class Resumable(DistributedSampler):
    def __init__(self, dataset, start):
        super().__init__(dataset)
        self.inner = DistributedSampler(dataset, shuffle=True)
        self.start = start

    def __iter__(self):
        for position, index in enumerate(self.inner):
            if position >= self.start:
                yield index


def main(dataset, model, start):
    sampler = Resumable(dataset, start)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 4),),
    ),
    Case(
        "the wrapper's set_epoch does nothing",
        {
            "loading.py": """\
class LoaderAdapter:
    def __init__(self, loader, device):
        self._loader = loader
        self._device = device

    def set_epoch(self, epoch):
        print(f"epoch {epoch}")

    def __iter__(self):
        for batch in self._loader:
            yield batch.to(self._device)
""",
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler

from loading import LoaderAdapter


def main(dataset, model):
    inner = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))
    loader = LoaderAdapter(inner, "cuda")
    for epoch in range(3):
        loader.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
        (("loading.py", 1),),
    ),
    Case(
        "set_epoch passes the epoch on to the loader's sampler",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


class TextLoader:
    def __init__(self, dataset):
        self.loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))

    def set_epoch(self, epoch):
        self.loader.sampler.set_epoch(epoch)

    def __iter__(self):
        for tokens in self.loader:
            yield tokens[:, :-1], tokens[:, 1:]


def main(dataset, model):
    loader = TextLoader(dataset)
    for epoch in range(3):
        loader.set_epoch(epoch)
        for inputs, targets in loader:
            model.step(inputs, targets)
""",
        },
    ),
    Case(
        "set_epoch stores the epoch and __iter__ passes it on",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


class TextLoader:
    def __init__(self, dataset):
        self.epoch = 0
        self.sampler = DistributedSampler(dataset)
        self.loader = DataLoader(dataset, batch_size=4, sampler=self.sampler)

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        self.sampler.set_epoch(self.epoch)
        for tokens in self.loader:
            yield tokens[:, :-1], tokens[:, 1:]


def main(dataset, model):
    loader = TextLoader(dataset)
    for epoch in range(3):
        loader.set_epoch(epoch)
        for inputs, targets in loader:
            model.step(inputs, targets)
""",
        },
    ),
    Case(
        "set_epoch stores a number, and the loop sets the sampler's epoch as well",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


class TextLoader:
    def __init__(self, loader):
        self.epoch = 0
        self.loader = loader

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        for tokens in self.loader:
            yield tokens[:, :-1], tokens[:, 1:]


def main(dataset, model):
    sampler = DistributedSampler(dataset)
    loader = TextLoader(DataLoader(dataset, batch_size=4, sampler=sampler))
    for epoch in range(3):
        loader.set_epoch(epoch)
        sampler.set_epoch(epoch)
        for inputs, targets in loader:
            model.step(inputs, targets)
""",
        },
    ),
)
