"""Cases of LEP301: passes that need no epoch of their own, or have got one."""

from __future__ import annotations

from lint_epoch.rules.base import Case

PASS_CASES = (
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
    Case(
        "the pass that is over starts anew in the next epoch, behind the call",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler
from tqdm import trange


def train_one_epoch(model, loader, batches, steps):
    for step in range(steps):
        try:
            batch = next(batches)
        except StopIteration:
            batches = iter(loader)
            batch = next(batches)
        model(batch).backward()
    return batches


def main(dataset, model, epochs):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, sampler=sampler)
    batches = iter(loader)
    with trange(epochs) as bar:
        for epoch in bar:
            sampler.set_epoch(epoch)
            batches = train_one_epoch(model, loader, batches, len(loader))
""",
        },
    ),
    Case(
        "evaluation in a script that trains as well",
        {
            "train.py": """\
import torch
from torch.utils.data import DataLoader, DistributedSampler


def train_one_epoch(model, loader, other, every):
    for step, batch in enumerate(loader):
        model(batch).backward()
        if step % every == 0:
            evaluate(other, model)


def evaluate(loader, model):
    with torch.no_grad():
        for batch in loader:
            model(batch)


def main(dataset, held_out, model, loss_scaler):
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset))
    other = DataLoader(held_out, sampler=DistributedSampler(held_out))
    for epoch in range(3):
        loader.sampler.set_epoch(epoch)
        train_one_epoch(model, loader, other, 100)
        evaluate(other, model)
        torch.save(loss_scaler.state_dict(), "scaler.pt")
""",
        },
    ),
    Case(
        "one batch of a loader that is made anew",
        {
            "distribution.py": """\
from torch.utils.data import DataLoader, DistributedSampler

world_size = 1


def init(size):
    global world_size
    world_size = size


def loader(dataset, **options):
    if world_size == 1:
        return DataLoader(dataset, shuffle=True, **options)
    return DataLoader(dataset, sampler=DistributedSampler(dataset), **options)
""",
            "solver.py": """\
import distribution


class Solver:
    def __init__(self, dataset):
        self.loader = distribution.loader(dataset, batch_size=4)

    def train(self, model, epochs):
        for epoch in range(epochs):
            if distribution.world_size > 1:
                self.loader.sampler.set_epoch(epoch)
            for batch in self.loader:
                model(batch).backward()
""",
            "export.py": """\
import solver


def main(datasets, model):
    for dataset in datasets:
        one = solver.Solver(dataset)
        batch = next(iter(one.loader))
        print(batch.shape, model)


def train(dataset, model):
    solver.Solver(dataset).train(model, 3)
""",
        },
    ),
)
