"""Cases of LEP301: the routes by which people let the epoch arrive, all of them right."""

from __future__ import annotations

from lint_epoch.rules.base import Case

ROUTE_CASES = (
    Case(
        "the epoch arrives by one of many routes",
        {
            "train.py": """\
import contextlib
import functools
import operator
from collections import namedtuple
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple

from torch.utils.data import DataLoader, DistributedSampler


def step(model, batch):
    model(batch).backward()


def c1(ds, model, args):
    class Callback:
        def __init__(self, sampler):
            self.sampler = sampler

        def on_epoch_begin(self, epoch):
            self.sampler.set_epoch(epoch)

    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    callbacks = [Callback(sampler)]
    for epoch in range(args.epochs):
        for cb in callbacks:
            cb.on_epoch_begin(epoch)
        for batch in loader:
            step(model, batch)


@dataclass
class Info:
    loader: Any
    sampler: Any = None

    def set_epoch(self, epoch):
        if self.sampler is not None:
            self.sampler.set_epoch(epoch)


def make(ds):
    sampler = DistributedSampler(ds)
    return Info(DataLoader(ds, sampler=sampler), sampler)


def c2(ds, model, args):
    data = {"train": make(ds)}
    for epoch in range(args.epochs):
        data["train"].set_epoch(epoch)
        for batch in data["train"].loader:
            step(model, batch)


def c3(ds, model, args):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    tell = functools.partial(sampler.set_epoch)
    for epoch in range(args.epochs):
        tell(epoch)
        for batch in loader:
            step(model, batch)


def c4(ds, model, args):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    for epoch in range(args.epochs):
        getattr(loader.sampler, "set_epoch", lambda e: None)(epoch)
        for batch in loader:
            step(model, batch)


def c5(ds, model, args):
    train_loader = DataLoader(ds, sampler=DistributedSampler(ds))
    val_loader = DataLoader(ds, sampler=DistributedSampler(ds, shuffle=False))
    for epoch in range(args.epochs):
        for one in (train_loader, val_loader):
            if isinstance(one.sampler, DistributedSampler):
                one.sampler.set_epoch(epoch)
        for batch in train_loader:
            step(model, batch)


def c6(ds, model, args):
    samplers = [DistributedSampler(ds), DistributedSampler(ds)]
    loaders = [DataLoader(ds, sampler=s) for s in samplers]
    for epoch in range(args.epochs):
        [s.set_epoch(epoch) for s in samplers]
        for loader in loaders:
            for batch in loader:
                step(model, batch)


def c7(ds, model, args):
    loader = DataLoader(ds, sampler=DistributedSampler(ds))
    for epoch in range(args.epochs):
        with contextlib.suppress(AttributeError):
            loader.sampler.set_epoch(epoch)
        for batch in loader:
            step(model, batch)


def c8(ds, model, args):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    for epoch in range(args.epochs):
        sampler.seed = args.seed + epoch
        for batch in loader:
            step(model, batch)


def c9(ds, model, args):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    for epoch in range(args.epochs):
        setattr(sampler, "epoch", epoch)
        for batch in loader:
            step(model, batch)


def c10(ds, model, args):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    for epoch in range(args.epochs):
        operator.methodcaller("set_epoch", epoch)(sampler)
        for batch in loader:
            step(model, batch)


def c11(ds, model, args):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    for epoch in range(args.epochs):
        DistributedSampler.set_epoch(sampler, epoch)
        for batch in loader:
            step(model, batch)


def c12(ds, model, args):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)

    def epochs():
        for epoch in range(args.epochs):
            sampler.set_epoch(epoch)
            yield epoch

    for epoch in epochs():
        for batch in loader:
            step(model, batch)


@contextlib.contextmanager
def epoch_of(sampler, epoch):
    sampler.set_epoch(epoch)
    yield


def c13(ds, model, args):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    for epoch in range(args.epochs):
        with epoch_of(sampler, epoch):
            for batch in loader:
                step(model, batch)


class Epoch:
    def __init__(self, sampler, epoch):
        self.sampler, self.epoch = sampler, epoch

    def __enter__(self):
        self.sampler.set_epoch(self.epoch)

    def __exit__(self, *_):
        return None


def c14(ds, model, args):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    for epoch in range(args.epochs):
        with Epoch(sampler, epoch):
            for batch in loader:
                step(model, batch)


def c15(ds, model, args):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    for epoch in range(args.epochs):
        {"train": sampler}["train"].set_epoch(epoch)
        for batch in loader:
            step(model, batch)


class Bundle(NamedTuple):
    loader: Any
    sampler: Any


def c16(ds, model, args):
    sampler = DistributedSampler(ds)
    b = Bundle(DataLoader(ds, sampler=sampler), sampler)
    for epoch in range(args.epochs):
        b.sampler.set_epoch(epoch)
        for batch in b.loader:
            step(model, batch)


def c17(ds, model, args):
    sampler = DistributedSampler(ds)
    ns = SimpleNamespace(loader=DataLoader(ds, sampler=sampler), sampler=sampler)
    for epoch in range(args.epochs):
        ns.sampler.set_epoch(epoch)
        for batch in ns.loader:
            step(model, batch)


Pair = namedtuple("Pair", ["loader", "sampler"])


def c18(ds, model, args):
    sampler = DistributedSampler(ds)
    p = Pair(loader=DataLoader(ds, sampler=sampler), sampler=sampler)
    for epoch in range(args.epochs):
        p.sampler.set_epoch(epoch)
        for batch in p.loader:
            step(model, batch)


def c19(ds, model, args):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    hooks = {"before": []}
    hooks["before"].append(lambda e: sampler.set_epoch(e))
    for epoch in range(args.epochs):
        for hook in hooks["before"]:
            hook(epoch)
        for batch in loader:
            step(model, batch)


def c20(ds, model, args):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    for epoch in range(args.epochs):
        args.distributed and sampler.set_epoch(epoch)
        for batch in loader:
            step(model, batch)


def c21(ds, model, args):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch) if args.distributed else None
        for batch in loader:
            step(model, batch)


def c22(ds, model, args):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    epoch = 0
    it = iter(loader)
    for i in range(args.steps):
        try:
            batch = next(it)
        except StopIteration:
            epoch += 1
            sampler.set_epoch(epoch)
            it = iter(loader)
            batch = next(it)
        step(model, batch)


def c23(ds, model, args):
    for epoch in range(args.epochs):
        loader = DataLoader(ds, sampler=DistributedSampler(ds, seed=args.seed + epoch))
        for batch in loader:
            step(model, batch)


def c24(ds, model, args):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    for epoch in range(args.epochs):
        match args.mode:
            case "train":
                sampler.set_epoch(epoch)
            case _:
                pass
        for batch in loader:
            step(model, batch)


async def c25(ds, model, args):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    for epoch in range(args.epochs):
        await tell(sampler, epoch)
        for batch in loader:
            step(model, batch)


async def tell(sampler, epoch):
    sampler.set_epoch(epoch)


def c26(ds, model, args):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    list(map(lambda e: one(e, sampler, loader, model), range(args.epochs)))


def one(e, sampler, loader, model):
    sampler.set_epoch(e)
    for batch in loader:
        step(model, batch)


class Trainer:
    def __init__(self, loader, args):
        self.loader = loader
        self.args = args
        self.epoch = 0
        self.hooks = []

    def on_start(self, fn):
        self.hooks.append(fn)

    def fire(self, name):
        for hook in self.hooks:
            getattr(self, hook)() if isinstance(hook, str) else hook(self)

    def fit(self, model):
        while self.epoch < self.args.epochs:
            self.fire("start")
            for batch in self.loader:
                step(model, batch)
            self.epoch += 1


def c27(ds, model, args):
    loader = DataLoader(ds, sampler=DistributedSampler(ds))
    trainer = Trainer(loader, args)
    trainer.on_start(lambda t: t.loader.sampler.set_epoch(t.epoch))
    trainer.fit(model)


def c28(ds, model, args):
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, sampler=sampler)
    for epoch in range(args.epochs):
        kwargs = dict(sampler=sampler, epoch=epoch)
        inform(**kwargs)
        for batch in loader:
            step(model, batch)


def inform(sampler, epoch):
    sampler.set_epoch(epoch)


def c29(ds, model, args):
    stuff = (DistributedSampler(ds),)
    loader = DataLoader(ds, sampler=stuff[0])
    for epoch in range(args.epochs):
        inform(*stuff, epoch)
        for batch in loader:
            step(model, batch)
""",
        },
    ),
)
