"""Cases of LEP301."""

from __future__ import annotations

from lint_epoch.rules.base import Case
from lint_epoch.rules.cases.lep301_frameworks import FRAMEWORK_CASES
from lint_epoch.rules.cases.lep301_passes import PASS_CASES
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
    *FRAMEWORK_CASES,
    *PASS_CASES,
    *ROUTE_CASES,
)
