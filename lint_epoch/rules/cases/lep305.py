"""Cases of LEP305."""

from __future__ import annotations

from lint_epoch.rules.base import Case

CASES = (
    Case(
        "the loader was given another sampler of the same kind",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 8),),
    ),
    Case(
        "the validation sampler's epoch is set",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(train_set, val_set, model):
    train_sampler = DistributedSampler(train_set)
    val_sampler = DistributedSampler(val_set, shuffle=False)
    train_loader = DataLoader(train_set, batch_size=4, sampler=train_sampler)
    val_loader = DataLoader(val_set, batch_size=4, sampler=val_sampler)
    for epoch in range(3):
        val_sampler.set_epoch(epoch)
        for batch in train_loader:
            model.step(batch)
        model.validate(val_loader)
""",
        },
        (("train.py", 10),),
    ),
    Case(
        "the trainer names the loader of the other phase",
        {
            "trainer.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def make_loader(dataset):
    return DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))


class Trainer:
    def __init__(self, labelled, unlabelled, model):
        self.labelled_loader = make_loader(labelled)
        self.unlabelled_loader = make_loader(unlabelled)
        self.model = model

    def fit(self, epochs):
        for epoch in range(epochs):
            self.labelled_loader.sampler.set_epoch(epoch)
            for batch in self.unlabelled_loader:
                self.model.step(batch)
""",
            "train.py": """\
from trainer import Trainer


def main(labelled, unlabelled, model):
    Trainer(labelled, unlabelled, model).fit(3)
""",
        },
        (("trainer.py", 16),),
    ),
    Case(
        "both samplers are set where both loaders are read",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(labelled, unlabelled, model):
    one = DataLoader(labelled, batch_size=4, sampler=DistributedSampler(labelled))
    other = DataLoader(unlabelled, batch_size=4, sampler=DistributedSampler(unlabelled))
    for epoch in range(3):
        one.sampler.set_epoch(epoch)
        other.sampler.set_epoch(epoch)
        for batch, more in zip(one, other):
            model.step(batch, more)
""",
        },
    ),
    Case(
        "the sampler under another name is the one that the loader holds",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


class Data:
    def __init__(self, dataset):
        self.order = DistributedSampler(dataset)
        self.loader = DataLoader(dataset, batch_size=4, sampler=self.order)


def main(dataset, model):
    data = Data(dataset)
    shuffler, loader = data.order, data.loader
    for epoch in range(3):
        shuffler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
    ),
    Case(
        "a stream is told the epoch, the one derived from it is read",
        {
            "train.py": """\
from datasets import load_dataset
from torch.utils.data import DataLoader


def main(model, optimizer):
    stream = load_dataset("json", data_files="*.json", split="train", streaming=True).shuffle(seed=42)
    mapped = stream.map(model.tokenize)
    loader = DataLoader(mapped, batch_size=8)
    for epoch in range(3):
        stream.set_epoch(epoch)
        for batch in loader:
            model(batch).backward()
            optimizer.step()
""",
        },
        (("train.py", 10),),
    ),
    Case(
        "the validation sampler is set beside the training sampler",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(train_set, val_set, model):
    train_sampler = DistributedSampler(train_set)
    val_sampler = DistributedSampler(val_set, shuffle=False)
    train_loader = DataLoader(train_set, batch_size=4, sampler=train_sampler)
    val_loader = DataLoader(val_set, batch_size=4, sampler=val_sampler)
    for epoch in range(3):
        train_sampler.set_epoch(epoch)
        val_sampler.set_epoch(epoch)
        for batch in train_loader:
            model.step(batch)
        model.validate(val_loader)
""",
        },
    ),
)
