"""Cases of LEP303."""

from __future__ import annotations

from lint_epoch.rules.base import Case

CASES = (
    Case(
        "the call stands inside the loop over the batches",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    for epoch in range(3):
        for batch in loader:
            sampler.set_epoch(epoch)
            model.step(batch)
""",
        },
        (("train.py", 9),),
    ),
    Case(
        "the call comes after iter(), at which the workers begin to fetch",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler, num_workers=2)
    for epoch in range(3):
        batches = iter(loader)
        sampler.set_epoch(epoch)
        for batch in batches:
            model.step(batch)
""",
        },
        (("train.py", 9),),
    ),
    Case(
        "a prefetcher loads the first batch in reset(), before the call",
        {
            "prefetch.py": """\
class Prefetcher:
    def __init__(self, loader):
        self.loader = loader

    def reset(self):
        self.batches = iter(self.loader)
        self.following = next(self.batches, None)

    def next(self):
        batch = self.following
        self.following = next(self.batches, None)
        return batch
""",
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler

from prefetch import Prefetcher


def main(dataset, model):
    sampler = DistributedSampler(dataset)
    prefetcher = Prefetcher(DataLoader(dataset, batch_size=4, sampler=sampler))
    for epoch in range(3):
        prefetcher.reset()
        sampler.set_epoch(epoch)
        batch = prefetcher.next()
        while batch is not None:
            model.step(batch)
            batch = prefetcher.next()
""",
        },
        (("train.py", 11),),
    ),
    Case(
        "the call at the end of the loop's body is for the next pass",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    for epoch in range(3):
        for batch in loader:
            model.step(batch)
        sampler.set_epoch(epoch + 1)
""",
        },
    ),
    Case(
        "the call stands between the end of one iterator and the next one",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model, steps):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    batches, epoch = iter(loader), 0
    for _ in range(steps):
        try:
            batch = next(batches)
        except StopIteration:
            epoch += 1
            sampler.set_epoch(epoch)
            batches = iter(loader)
            batch = next(batches)
        model.step(batch)
""",
        },
    ),
    Case(
        "only a throw-away iterator was made before the call",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    model.build(next(iter(loader)))
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
    ),
    Case(
        "a loader class whose only iterator is made in its constructor",
        {
            "loading.py": """\
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


class Repeating:
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        while True:
            yield from iter(self.sampler)


class ReusingLoader(DataLoader):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        object.__setattr__(self, "batch_sampler", Repeating(self.batch_sampler))
        self.iterator = super().__iter__()

    def __iter__(self):
        for _ in range(len(self.batch_sampler.sampler)):
            yield next(self.iterator)


def begin(sampler: DistributedSampler, epoch):
    sampler.set_epoch(epoch)
""",
        },
        (("loading.py", 14),),
    ),
)
