"""Cases of LEP201."""

from __future__ import annotations

from lint_epoch.rules.base import Case

CASES = (
    Case(
        "a factory refuses what the other branch would make",
        {
            "loading.py": """\
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


class Batches:
    def __init__(self, loader):
        self._loader = loader

    def __iter__(self):
        yield from self._loader


def stream_loader(config, framework):
    if framework == "pytorch":
        raise NotImplementedError("no stream for pytorch")
    return config.stream()


def create(config, dataset, framework):
    if config.stream is not None:
        return stream_loader(config, framework=framework)
    return Batches(DataLoader(dataset, sampler=DistributedSampler(dataset)))
""",
            "train.py": """\
from loading import create
from settings import load


def main():
    config, dataset, model = load()
    loader = create(config, dataset, "pytorch")
    for epoch in range(config.epochs):
        if hasattr(loader, "set_epoch"):
            loader.set_epoch(epoch)
        for batch in loader:
            model.step(batch)


if __name__ == "__main__":
    main()
""",
        },
        (("train.py", 9),),
    ),
    Case(
        "hasattr asks a DataLoader, which never has set_epoch",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))
    for epoch in range(3):
        if hasattr(loader, "set_epoch"):
            loader.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 7),),
    ),
    Case(
        "getattr with a default asks a wrapper without the method",
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
    loader = DeviceLoader(DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset)))
    for epoch in range(3):
        set_epoch = getattr(loader, "set_epoch", None)
        if set_epoch is not None:
            set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 16),),
    ),
    Case(
        "the error of the missing method is caught",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))
    for epoch in range(3):
        try:
            loader.set_epoch(epoch)
        except AttributeError:
            pass
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 8),),
    ),
    Case(
        "the guard stands in a helper of another file",
        {
            "helpers.py": """\
def _start_epoch(loader, epoch):
    if callable(getattr(loader, "set_epoch", None)):
        loader.set_epoch(epoch)
""",
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler

from helpers import _start_epoch


def main(dataset, model):
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))
    for epoch in range(3):
        _start_epoch(loader, epoch)
        for batch in loader:
            model.step(batch)
""",
        },
        (("helpers.py", 2),),
    ),
    Case(
        "the guard asks the sampler, which has the method",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))
    for epoch in range(3):
        if hasattr(loader.sampler, "set_epoch"):
            loader.sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
    ),
    Case(
        "a library's function accepts anybody's loader",
        {
            "trainer.py": """\
def fit(loader, model, epochs):
    for epoch in range(epochs):
        if hasattr(loader, "set_epoch"):
            loader.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
            "samplers.py": """\
from torch.utils.data import DistributedSampler


def make_sampler(dataset, seed):
    return DistributedSampler(dataset, seed=seed)
""",
        },
    ),
    Case(
        "one of the two loaders that may come has the method",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


class EpochLoader(DataLoader):
    def set_epoch(self, epoch):
        self.sampler.set_epoch(epoch)


def main(dataset, model, distributed):
    if distributed:
        loader = EpochLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))
    else:
        loader = DataLoader(dataset, batch_size=4, shuffle=True)
    for epoch in range(3):
        if hasattr(loader, "set_epoch"):
            loader.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
    ),
    Case(
        "the method is attached to the loader from outside",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    loader.set_epoch = sampler.set_epoch
    for epoch in range(3):
        if hasattr(loader, "set_epoch"):
            loader.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
    ),
)
