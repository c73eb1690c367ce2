"""Cases of LEP101."""

from __future__ import annotations

from lint_epoch.rules.base import Case

CASES = (
    Case(
        "the Trainer of Hugging Face asks a wrapper for set_epoch",
        {
            "trainer.py": """\
from torch.utils.data import DataLoader, DistributedSampler
from transformers import Trainer


class Moved:
    def __init__(self, loader, device):
        self.loader = loader
        self.device = device

    def __iter__(self):
        for batch in self.loader:
            yield batch.to(self.device)

    def __len__(self):
        return len(self.loader)


class OurTrainer(Trainer):
    def get_train_dataloader(self):
        sampler = DistributedSampler(self.train_dataset)
        return Moved(DataLoader(self.train_dataset, batch_size=4, sampler=sampler), self.args.device)
""",
        },
        (("trainer.py", 5),),
    ),
    Case(
        "a guard hides that the loader class of another file has no set_epoch",
        {
            "loading.py": """\
class DeviceLoader:
    def __init__(self, loader, device):
        self.loader = loader
        self.device = device

    def __iter__(self):
        for batch in self.loader:
            yield batch.to(self.device)
""",
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler

from loading import DeviceLoader


def main(dataset, model):
    inner = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))
    loader = DeviceLoader(inner, "cuda")
    for epoch in range(3):
        if hasattr(loader, "set_epoch"):
            loader.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
        (("loading.py", 1),),
    ),
    Case(
        "neither of two nested wrappers has set_epoch",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


class Batches:
    def __init__(self, dataset):
        self._loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))

    def __iter__(self):
        for batch in self._loader:
            yield batch


class Normalised:
    def __init__(self, batches):
        self._batches = batches

    def __iter__(self):
        for batch in self._batches:
            yield batch / 255


def main(dataset, model):
    loader = Normalised(Batches(dataset))
    for epoch in range(3):
        if hasattr(loader, "set_epoch"):
            loader.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 4), ("train.py", 13)),
    ),
    Case(
        "the wrapper is a sampler round the sampler that shuffles",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler, Sampler


class SkipFirst(Sampler):
    def __init__(self, sampler, count):
        self.sampler = sampler
        self.count = count

    def __iter__(self):
        for position, index in enumerate(self.sampler):
            if position >= self.count:
                yield index


def main(dataset, model):
    sampler = SkipFirst(DistributedSampler(dataset), 2)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    for epoch in range(3):
        if hasattr(sampler, "set_epoch"):
            sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 4),),
    ),
    Case(
        "the loop sets the epoch of the sampler itself",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


class DeviceLoader:
    def __init__(self, loader):
        self.loader = loader

    def __iter__(self):
        for batch in self.loader:
            yield batch.cuda()


def main(dataset, model):
    sampler = DistributedSampler(dataset)
    loader = DeviceLoader(DataLoader(dataset, batch_size=4, sampler=sampler))
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
    ),
    Case(
        "the loop reaches the sampler through a property of the wrapper",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


class DeviceLoader:
    def __init__(self, loader):
        self._loader = loader

    @property
    def sampler(self):
        return self._loader.sampler

    def __iter__(self):
        for batch in self._loader:
            yield batch.cuda()


def main(dataset, model):
    loader = DeviceLoader(DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset)))
    for epoch in range(3):
        loader.sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
    ),
    Case(
        "the wrapped sampler does not shuffle",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


class DeviceLoader:
    def __init__(self, dataset):
        self.loader = DataLoader(dataset, sampler=DistributedSampler(dataset, shuffle=False))

    def __iter__(self):
        for batch in self.loader:
            yield batch.cuda()


def main(dataset, model):
    loader = DeviceLoader(dataset)
    for epoch in range(3):
        for batch in loader:
            model.step(batch)
""",
        },
    ),
    Case(
        "a trainer that keeps a loader is no wrapper",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


class Trainer:
    def __init__(self, dataset, model):
        self.model = model
        self.sampler = DistributedSampler(dataset)
        self.loader = DataLoader(dataset, batch_size=4, sampler=self.sampler)

    def fit(self, epochs):
        for epoch in range(epochs):
            self.sampler.set_epoch(epoch)
            for batch in self.loader:
                self.model.step(batch)


def main(dataset, model):
    Trainer(dataset, model).fit(3)
""",
        },
    ),
    Case(
        "whoever gives this wrapper a distributed loader cannot reach its sampler",
        {
            "wrapping.py": """\
from torch.utils.data import DataLoader


class DeviceLoader:
    def __init__(self, batches: DataLoader, device):
        self._batches = batches
        self._device = device

    def __iter__(self):
        for batch in self._batches:
            yield batch.to(self._device)
""",
        },
        (("wrapping.py", 4),),
    ),
    Case(
        "anybody's loader stays within reach",
        {
            "wrapping.py": """\
from torch.utils.data import DataLoader


class DeviceLoader:
    def __init__(self, batches: DataLoader, device):
        self._batches = batches
        self._device = device

    @property
    def sampler(self):
        return self._batches.sampler

    def __iter__(self):
        for batch in self._batches:
            yield batch.to(self._device)


class Trainer:
    def __init__(self, loader: DataLoader):
        self.loader = loader

    def fit(self, model):
        for batch in self.loader:
            model.step(batch)
""",
        },
    ),
    Case(
        "a loader that keeps its batches gives the same ones on purpose",
        {
            "caching.py": """\
from torch.utils.data import DataLoader


class CachedLoader:
    def __init__(self, loader: DataLoader):
        self.loader = loader
        self._cache = []

    def __iter__(self):
        if self._cache:
            yield from self._cache
            return
        for batch in self.loader:
            self._cache.append(batch)
            yield batch

    def __len__(self):
        return len(self.loader)
""",
        },
    ),
)
