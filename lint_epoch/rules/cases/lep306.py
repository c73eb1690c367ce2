"""Cases of LEP306."""

from __future__ import annotations

from lint_epoch.rules.base import Case

CASES = (
    Case(
        "only rank 0 sets the epoch",
        {
            "train.py": """\
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    for epoch in range(3):
        if dist.get_rank() == 0:
            print(f"epoch {epoch}")
            sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 11),),
    ),
    Case(
        "a helper of another file asks for the main process",
        {
            "utils.py": """\
import torch.distributed as dist


def is_main_process():
    return dist.get_rank() == 0
""",
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler

from utils import is_main_process


def main(dataset, model):
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))
    for epoch in range(3):
        if is_main_process():
            loader.sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 10),),
    ),
    Case(
        "the rank is part of the value",
        {
            "train.py": """\
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    rank, world_size = dist.get_rank(), dist.get_world_size()
    sampler = DistributedSampler(dataset, num_replicas=world_size, rank=rank)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    for epoch in range(3):
        sampler.set_epoch(epoch * world_size + rank)
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 10),),
    ),
    Case(
        "the size of the world is the same on every rank",
        {
            "train.py": """\
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    distributed = dist.get_world_size() > 1
    sampler = DistributedSampler(dataset) if distributed else None
    loader = DataLoader(dataset, batch_size=4, shuffle=sampler is None, sampler=sampler)
    for epoch in range(3):
        if distributed:
            sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
    ),
    Case(
        "rank -1 stands for a job that is not distributed",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model, args):
    sampler = DistributedSampler(dataset) if args.local_rank != -1 else None
    loader = DataLoader(dataset, batch_size=4, shuffle=sampler is None, sampler=sampler)
    for epoch in range(3):
        if args.local_rank != -1:
            sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
    ),
    Case(
        "only the output depends on the rank",
        {
            "train.py": """\
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler


def main(dataset, model):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    for epoch in range(3):
        if dist.get_rank() == 0:
            print(f"epoch {epoch}")
        sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
""",
        },
    ),
    Case(
        "the main process and the others call it in turns of their own",
        {
            "train.py": """\
from torch.utils.data import DataLoader, DistributedSampler


def run(rank, dataset, held_out, model, logger):
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset))
    test_loader = DataLoader(held_out)
    for epoch in range(3):
        if rank == 0:
            train_and_evaluate(rank, epoch, model, [loader, test_loader], logger)
        else:
            train_and_evaluate(rank, epoch, model, [loader, None], None)


def train_and_evaluate(rank, epoch, model, loaders, logger):
    loader, test_loader = loaders
    loader.sampler.set_epoch(epoch)
    for batch in loader:
        model(batch).backward()
    if rank == 0:
        logger.info(model.evaluate(test_loader))
""",
        },
    ),
)
