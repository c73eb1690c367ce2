"""Cases of LEP302."""

from __future__ import annotations

from lint_epoch.rules.base import Case

CASES = (
    Case(
        "a sampler of the project is given a literal",
        {
            "train.py": """\
import torch
from torch.utils.data import DataLoader, Sampler


class NodeSampler(Sampler):
    def __init__(self, dataset, seed=0):
        self.dataset = dataset
        self.seed = seed
        self.epoch = 0

    def __iter__(self):
        generator = torch.Generator().manual_seed(self.seed + self.epoch)
        return iter(torch.randperm(len(self.dataset), generator=generator).tolist())

    def __len__(self):
        return len(self.dataset)

    def set_epoch(self, epoch):
        self.epoch = epoch


def main(dataset, model, args):
    sampler = NodeSampler(dataset)
    loader = DataLoader(dataset, sampler=sampler)
    for epoch in range(args.epochs):
        sampler.set_epoch(0)
        for batch in loader:
            model(batch).backward()
""",
        },
        (("train.py", 26),),
    ),
    Case(
        "a literal is the same on each turn",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    for epoch in range(3):
        sampler.set_epoch(0)
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 8),),
    ),
    Case(
        "the number of all epochs is passed, not that of this one",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model, num_epochs):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    for epoch in range(num_epochs):
        sampler.set_epoch(num_epochs)
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 8),),
    ),
    Case(
        "a local counter starts again on each call",
        {
            "loops.py": """\
def train_one_epoch(loader, model):
    epoch = 0
    loader.sampler.set_epoch(epoch)
    for batch in loader:
        model.step(batch)
    epoch += 1
""",
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler

from loops import train_one_epoch


def main(dataset, model):
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))
    for _ in range(3):
        train_one_epoch(loader, model)
""",
        },
        (("loops.py", 3),),
    ),
    Case(
        "a sum of seed and epoch changes",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model, args):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    for epoch in range(1, args.epochs + 1):
        sampler.set_epoch(args.seed + epoch - 1)
        for batch in loader:
            model.step(batch)
""",
        },
    ),
    Case(
        "the counter is an attribute that lives on between the calls",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


class Trainer:
    def __init__(self, dataset, model):
        self.epoch = 0
        self.model = model
        self.loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))

    def train_epoch(self):
        self.loader.sampler.set_epoch(self.epoch)
        for batch in self.loader:
            self.model.step(batch)
        self.epoch += 1


def main(dataset, model):
    trainer = Trainer(dataset, model)
    while trainer.epoch < 3:
        trainer.train_epoch()
""",
        },
    ),
    Case(
        "a count of steps changes from pass to pass as well",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model, steps):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    step = 0
    while step < steps:
        sampler.set_epoch(step)
        for batch in loader:
            model.step(batch)
            step += 1
""",
        },
    ),
    Case(
        "the value is a name that nothing binds",
        {
            "train.py": """\
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def main(dataset, model, epochs):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, sampler=sampler)
    for this_epoch in range(epochs):
        sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 9),),
    ),
    Case(
        "names that are bound around the call, or globally",
        {
            "train.py": """\
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def start(first):
    global epoch
    epoch = first


def main(dataset, model, epochs):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, sampler=sampler)

    def begin():
        sampler.set_epoch(number)

    for number in range(epochs):
        begin()
        for batch in loader:
            model.step(batch)


def once(sampler):
    sampler.set_epoch(epoch)
""",
        },
    ),
    Case(
        "the seed of the settings is passed",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def step(model, batch):
    model(batch).backward()


def main(ds, model, args):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    for epoch in range(args.epochs):
        sampler.set_epoch(args.seed)
        for batch in loader:
            step(model, batch)
""",
        },
        (("train.py", 12),),
    ),
    Case(
        "the count of another loop is passed",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def step(model, batch):
    model(batch).backward()


def main(ds, model, args):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    for fold in range(5):
        for epoch in range(args.epochs):
            sampler.set_epoch(fold)
            for batch in loader:
                step(model, batch)
""",
        },
        (("train.py", 13),),
    ),
    Case(
        "a seed that is raised",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def step(model, batch):
    model(batch).backward()


def main(ds, model, args):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    for epoch in range(args.epochs):
        args.seed += 1
        sampler.set_epoch(args.seed)
        for batch in loader:
            step(model, batch)
""",
        },
    ),
    Case(
        "all passes of an epoch are given it",
        {
            "steps.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(ds, model, args):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler, num_workers=2)
    batches = iter(loader)
    for epoch in range(args.epochs):
        for step in range(args.steps_per_epoch):
            try:
                batch = next(batches)
            except StopIteration:
                sampler.set_epoch(epoch)
                batches = iter(loader)
                batch = next(batches)
            model(batch).backward()
""",
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def step(model, batch):
    model(batch).backward()


def phases(ds, model, args, phases):
    sampler = DistributedSampler(ds)
    loaders = {"train": DataLoader(ds, sampler=sampler), "val": DataLoader(ds)}
    for epoch in range(args.epochs):
        for phase in phases:
            if phase == "train":
                sampler.set_epoch(epoch)
            for b in loaders[phase]:
                step(model, b)


def chunks(ds, model, args, chunks):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    for epoch in range(args.epochs):
        for chunk in range(chunks):
            sampler.set_epoch(epoch)
            for b in loader:
                step(model, b)
""",
        },
    ),
)
