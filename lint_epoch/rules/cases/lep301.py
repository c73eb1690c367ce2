"""Cases of LEP301."""

from __future__ import annotations

from lint_epoch.rules.base import Case
from lint_epoch.rules.cases.lep301_frameworks import FRAMEWORK_CASES
from lint_epoch.rules.cases.lep301_routes import ROUTE_CASES

CASES = (
    Case(
        "the sampler is an unnamed argument, and the loop's variable is not used for it",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model, epochs):
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))
    for epoch in range(epochs):
        for batch in loader:
            model.step(batch)
        print(f"epoch {epoch} done")
""",
        },
        (("train.py", 6),),
    ),
    Case(
        "a factory of another file returns only the loader",
        {
            "data.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def make_loader(dataset, distributed):
    if distributed:
        sampler, shuffle = DistributedSampler(dataset), False
    else:
        sampler, shuffle = None, True
    return DataLoader(dataset, batch_size=4, shuffle=shuffle, sampler=sampler)
""",
            "train.py": """\
from data import make_loader


def main(dataset, model, distributed):
    loader = make_loader(dataset, distributed)
    for _ in range(3):
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 6),),
    ),
    Case(
        "the epoch is set once in front of the loop",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model, first_epoch):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    sampler.set_epoch(first_epoch)
    for epoch in range(first_epoch, 10):
        for batch in loader:
            model.step(batch, epoch)
""",
        },
        (("train.py", 8),),
    ),
    Case(
        "an attribute of the loader that nothing reads is set instead",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))
    for epoch in range(1, 4):
        loader.epoch = epoch
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 6),),
    ),
    Case(
        "the epoch is set in a helper of another file",
        {
            "loops.py": """\
def train_one_epoch(loader, model, epoch):
    loader.sampler.set_epoch(epoch)
    for batch in loader:
        model.step(batch)
""",
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler

from loops import train_one_epoch


def main(dataset, model):
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))
    for epoch in range(3):
        train_one_epoch(loader, model, epoch)
""",
        },
    ),
    Case(
        "one pass needs no epoch",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))
    for batch in loader:
        model.step(batch)
""",
        },
    ),
    Case(
        "a sampler without shuffling has one order by intention",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset, shuffle=False))
    for epoch in range(3):
        for batch in loader:
            model.step(batch)
""",
        },
    ),
    Case(
        "a new sampler with the epoch for its seed is made for each pass",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    for epoch in range(3):
        sampler = DistributedSampler(dataset, seed=epoch)
        for batch in DataLoader(dataset, batch_size=4, sampler=sampler):
            model.step(batch)
""",
        },
    ),
    Case(
        "the order of a validation pass does not matter",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def validate(model, loader):
    model.eval()
    return sum(model.loss(batch) for batch in loader)


def main(train_set, val_set, model):
    sampler = DistributedSampler(train_set)
    loader = DataLoader(train_set, batch_size=4, sampler=sampler)
    val_loader = DataLoader(val_set, batch_size=4, sampler=DistributedSampler(val_set))
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
        print(validate(model, val_loader))
""",
        },
    ),
    Case(
        "a sampler that counts its passes by itself",
        {
            "train.py": """\
import itertools
import time

import torch
from torch.utils.data import DataLoader, Sampler


class Counting(Sampler):
    def __init__(self, size, seed=0):
        self.size = size
        self.seed = seed
        self.epoch = 0
        self.passes = itertools.count()

    def set_epoch(self, epoch):
        self.epoch = epoch

    def order(self, seed):
        return torch.randperm(self.size, generator=torch.Generator().manual_seed(seed)).tolist()


class CountsInFront(Counting):
    def __iter__(self):
        epoch = self.epoch
        self.epoch += 1
        return iter(self.order(epoch))


class CountsInAMethod(Counting):
    def __iter__(self):
        order = self.order(self.seed + self.epoch)
        self.advance()
        return iter(order)

    def advance(self):
        self.epoch = self.epoch + 1


class CountsAtTheEnd(Counting):
    def __iter__(self):
        yield from self.order(self.epoch)
        self.epoch += 1


class MovesItsSeed(Counting):
    def __iter__(self):
        self.seed += 1
        generator = torch.Generator().manual_seed(self.seed + self.epoch)
        return iter(torch.randperm(self.size, generator=generator).tolist())


class AsksACounter(Counting):
    def __iter__(self):
        generator = torch.Generator().manual_seed(next(self.passes) + self.epoch)
        return iter(torch.randperm(self.size, generator=generator).tolist())


class AsksTheClock(Counting):
    def __iter__(self):
        generator = torch.Generator().manual_seed(int(time.time()) + self.epoch)
        return iter(torch.randperm(self.size, generator=generator).tolist())


def train(loader, model, optimizer):
    for _ in range(3):
        for batch in loader:
            model(batch).backward()
            optimizer.step()


def main(dataset, model, optimizer):
    train(DataLoader(dataset, sampler=CountsInFront(len(dataset))), model, optimizer)
    train(DataLoader(dataset, sampler=CountsInAMethod(len(dataset))), model, optimizer)
    train(DataLoader(dataset, sampler=CountsAtTheEnd(len(dataset))), model, optimizer)
    train(DataLoader(dataset, sampler=MovesItsSeed(len(dataset))), model, optimizer)
    train(DataLoader(dataset, sampler=AsksACounter(len(dataset))), model, optimizer)
    train(DataLoader(dataset, sampler=AsksTheClock(len(dataset))), model, optimizer)
""",
        },
    ),
    Case(
        "several passes of an epoch that a loop outside sets",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def step(model, batch):
    model(batch).backward()


def phases_of_one_epoch(ds, model, args, phases):
    sampler = DistributedSampler(ds)
    loaders = {"train": DataLoader(ds, sampler=sampler), "val": DataLoader(ds)}
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for phase in phases:
            for b in loaders[phase]:
                step(model, b)


def turns_of_several_optimizers(ds, model, args, metrics):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for optimizer_idx in range(args.n_opt):
            for b in loader:
                step(model, b)


def another_try_after_an_error(ds, model, args):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        while True:
            try:
                for b in loader:
                    step(model, b)
                break
            except RuntimeError:
                continue


def several_models_read_the_same(ds, models, args):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for model in models:
            for b in loader:
                step(model, b)
""",
        },
    ),
    Case(
        "a loop over loaders has another one on each turn",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def step(model, batch):
    model(batch).backward()


def many_loaders(datasets, model, args):
    loaders = {name: DataLoader(ds, sampler=DistributedSampler(ds)) for name, ds in datasets.items()}
    for epoch in range(args.epochs):
        for loader in loaders.values():
            loader.sampler.set_epoch(epoch)
        for name, loader in loaders.items():
            for batch in loader:
                step(model, batch)


def one_pass_over_each(datasets, model):
    for loader in [DataLoader(ds, sampler=DistributedSampler(ds)) for ds in datasets]:
        for batch in loader:
            step(model, batch)
""",
        },
    ),
    *FRAMEWORK_CASES,
    *ROUTE_CASES,
)
