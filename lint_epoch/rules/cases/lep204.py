"""Cases of LEP204."""

from __future__ import annotations

from lint_epoch.rules.base import Case

CASES = (
    Case(
        "set_epoch is called on the DataLoader",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model, distributed):
    sampler = DistributedSampler(dataset) if distributed else None
    loader = DataLoader(dataset, batch_size=4, shuffle=sampler is None, sampler=sampler)
    for epoch in range(3):
        if distributed:
            loader.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 9),),
    ),
    Case(
        "set_epoch is called on the batch sampler that torch makes",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))
    for epoch in range(3):
        loader.batch_sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 7),),
    ),
    Case(
        "the sampler of a loader with batch_sampler= is a SequentialSampler",
        {
            "data.py": """\
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler


def make_loader(dataset):
    batches = BatchSampler(DistributedSampler(dataset), batch_size=4, drop_last=False)
    return DataLoader(dataset, batch_sampler=batches)
""",
            "train.py": """\
from data import make_loader


def main(dataset, model):
    loader = make_loader(dataset)
    for epoch in range(3):
        loader.sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 7),),
    ),
    Case(
        "the loader's class has the method",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


class EpochLoader(DataLoader):
    def set_epoch(self, epoch):
        self.sampler.set_epoch(epoch)


def main(dataset, model):
    loader = EpochLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))
    for epoch in range(3):
        loader.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
    ),
    Case(
        "the batch sampler is of a class that has the method",
        {
            "train.py": """\
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler


class EpochBatchSampler(BatchSampler):
    def set_epoch(self, epoch):
        self.sampler.set_epoch(epoch)


def main(dataset, model):
    batches = EpochBatchSampler(DistributedSampler(dataset), 4, drop_last=True)
    loader = DataLoader(dataset, batch_sampler=batches)
    for epoch in range(3):
        loader.batch_sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
    ),
    Case(
        "the call goes through the batch sampler to the sampler that shuffles",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))
    for epoch in range(3):
        loader.batch_sampler.sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
    ),
    Case(
        "an assertion in front of the call says what the sampler must have",
        {
            "loaders.py": """\
from torch.utils.data import DataLoader


class Loader(DataLoader):
    def set_epoch(self, epoch):
        assert hasattr(self.sampler, "set_epoch"), "the sampler must have set_epoch"
        self.sampler.set_epoch(epoch)


def build(dataset):
    return Loader(dataset, batch_size=4)


def train(dataset, model):
    loader = build(dataset)
    for epoch in range(3):
        loader.set_epoch(epoch)
        for batch in loader:
            model(batch).backward()
""",
        },
    ),
)
