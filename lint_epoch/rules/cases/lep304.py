"""Cases of LEP304."""

from __future__ import annotations

from lint_epoch.rules.base import Case

CASES = (
    Case(
        "itertools.cycle keeps the first pass",
        {
            "train.py": """\
import itertools

from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model, steps):
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))
    batches = itertools.cycle(loader)
    for _ in range(steps):
        model.step(next(batches))
""",
        },
        (("train.py", 8),),
    ),
    Case(
        "an endless generator starts pass after pass",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def cycle(loader):
    while True:
        for batch in loader:
            yield batch


def main(dataset, model, steps):
    batches = cycle(DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset)))
    for _ in range(steps):
        model.step(next(batches))
""",
        },
        (("train.py", 5),),
    ),
    Case(
        "the generator stands in another file, and delegates",
        {
            "utils.py": """\
def forever(loader):
    while True:
        yield from loader
""",
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler

from utils import forever


def main(dataset, model, steps):
    sampler = DistributedSampler(dataset, shuffle=True)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    for step, batch in enumerate(forever(loader)):
        model.step(batch)
        if step == steps:
            break
""",
        },
        (("utils.py", 2),),
    ),
    Case(
        "the generator advances the epoch on each pass",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def cycle(loader, sampler):
    epoch = 0
    while True:
        sampler.set_epoch(epoch)
        epoch += 1
        for batch in loader:
            yield batch


def main(dataset, model, steps):
    sampler = DistributedSampler(dataset)
    batches = cycle(DataLoader(dataset, batch_size=4, sampler=sampler), sampler)
    for _ in range(steps):
        model.step(next(batches))
""",
        },
    ),
    Case(
        "the epoch is counted by the generator's own for",
        {
            "train.py": """\
import itertools

from torch.utils.data import DataLoader, DistributedSampler


def cycle(loader):
    for epoch in itertools.count():
        loader.sampler.set_epoch(epoch)
        yield from loader


def main(dataset, model, steps):
    batches = cycle(DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset)))
    for _ in range(steps):
        model.step(next(batches))
""",
        },
    ),
    Case(
        "what is cycled is no distributed loader but a list",
        {
            "train.py": """\
import itertools

from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    weights = itertools.cycle([1.0, 0.5])
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch, next(weights))
""",
        },
    ),
)
