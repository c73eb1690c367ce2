"""Cases of LEP102."""

from __future__ import annotations

from lint_epoch.rules.base import Case

CASES = (
    Case(
        "the length turns steps into epochs",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


class Scaled:
    def __init__(self, loader):
        self._loader = loader

    def __iter__(self):
        for batch in self._loader:
            yield batch / 255

    def set_epoch(self, epoch):
        self._loader.sampler.set_epoch(epoch)


def main(dataset, model, steps):
    loader = Scaled(DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset)))
    step = 0
    while step < steps:
        loader.set_epoch(step // len(loader))
        for batch in loader:
            model.step(batch)
            step += 1
""",
        },
        (("train.py", 4),),
    ),
    Case(
        "the wrapper inside must have a length before the outer one can",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


class Inner:
    def __init__(self, dataset):
        self.sampler = DistributedSampler(dataset)
        self.loader = DataLoader(dataset, batch_size=4, sampler=self.sampler)

    def __iter__(self):
        yield from self.loader


class Outer:
    def __init__(self, inner):
        self.inner = inner

    def __iter__(self):
        for batch in self.inner:
            yield batch.cuda()


def main(dataset, model):
    inner = Inner(dataset)
    loader = Outer(inner)
    for epoch in range(3):
        inner.sampler.set_epoch(epoch)
        for step, batch in enumerate(loader):
            model.step(batch, progress=epoch + step / len(loader))
""",
        },
        (("train.py", 4), ("train.py", 13)),
    ),
    Case(
        "a scheduler is made from the length",
        {
            "loading.py": """\
class DeviceLoader:
    def __init__(self, loader, device):
        self.loader = loader
        self.device = device

    def __iter__(self):
        for features, target in self.loader:
            yield features.to(self.device), target.to(self.device)
""",
            "train.py": """\
import torch
from torch.utils.data import DataLoader, DistributedSampler

from loading import DeviceLoader


def main(dataset, model, optimizer, epochs=3):
    sampler = DistributedSampler(dataset)
    loader = DeviceLoader(DataLoader(dataset, batch_size=4, sampler=sampler), "cuda")
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=epochs * len(loader))
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for features, target in loader:
            model.step(features, target)
            scheduler.step()
""",
        },
        (("loading.py", 1),),
    ),
    Case(
        "nobody asks for the length",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


class Scaled:
    def __init__(self, loader):
        self._loader = loader

    def __iter__(self):
        for batch in self._loader:
            yield batch / 255

    def set_epoch(self, epoch):
        self._loader.sampler.set_epoch(epoch)


def main(dataset, model):
    loader = Scaled(DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset)))
    for epoch in range(3):
        loader.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
    ),
    Case(
        "a wrapper that leaves batches out has no length of its own, and the loader is asked instead",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


class NonEmpty:
    def __init__(self, loader):
        self.loader = loader

    def __iter__(self):
        for batch in self.loader:
            if batch.sum() > 0:
                yield batch


def main(dataset, model):
    sampler = DistributedSampler(dataset)
    inner = DataLoader(dataset, batch_size=4, sampler=sampler)
    loader = NonEmpty(inner)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for step, batch in enumerate(loader):
            model.step(batch, progress=epoch + step / len(inner))
""",
        },
    ),
    Case(
        "the length is inherited",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


class Wrapper:
    def __init__(self, loader):
        self.loader = loader

    def __len__(self):
        return len(self.loader)


class DeviceLoader(Wrapper):
    def __iter__(self):
        for batch in self.loader:
            yield batch.cuda()


def main(dataset, model):
    sampler = DistributedSampler(dataset)
    loader = DeviceLoader(DataLoader(dataset, batch_size=4, sampler=sampler))
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for step, batch in enumerate(loader):
            model.step(batch, progress=step / len(loader))
""",
        },
    ),
)
