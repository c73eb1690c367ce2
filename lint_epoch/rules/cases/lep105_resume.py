"""Cases of LEP105 in which the state is there, and the resumed job does not go on where it was."""

from __future__ import annotations

from lint_epoch.rules.base import Case

#: A sampler whose epoch can be set and put back.
_SAMPLER = """\
import torch


class EpisodeSampler:
    def __init__(self, size, seed=0):
        self.size = size
        self.seed = seed
        self._epoch = 0

    def set_epoch(self, epoch):
        self._epoch = epoch

    def state_dict(self):
        return {"epoch": self._epoch}

    def load_state_dict(self, state):
        self._epoch = state["epoch"]

    def __iter__(self):
        generator = torch.Generator().manual_seed(self.seed + self._epoch)
        self._epoch += 1
        return iter(torch.randperm(self.size, generator=generator).tolist())

    def __len__(self):
        return self.size
"""

RESUME_CASES = (
    Case(
        "a state from the end of a pass is put back while the epochs go on with the next one",
        {
            "train.py": """\
import torch
from torch.utils.data.distributed import DistributedSampler
from torchdata.stateful_dataloader import StatefulDataLoader


def main(dataset, model, path, epochs):
    sampler = DistributedSampler(dataset)
    loader = StatefulDataLoader(dataset, batch_size=4, sampler=sampler)
    checkpoint = torch.load(path)
    step = checkpoint["step"]
    loader.load_state_dict(checkpoint["loader"])
    for epoch in range(step // len(loader), epochs):
        sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
            step += 1
            if step % 100 == 0:
                torch.save({"step": step, "loader": loader.state_dict()}, path)
""",
        },
        (("train.py", 11),),
    ),
    Case(
        "a random sampler of torch has no state to put back",
        {
            "train.py": """\
import torch
from torch.utils.data import RandomSampler
from torchdata.stateful_dataloader import StatefulDataLoader


def main(dataset, model, path, epochs):
    sampler = RandomSampler(dataset, generator=torch.Generator().manual_seed(1))
    loader = StatefulDataLoader(dataset, batch_size=4, sampler=sampler)
    loader.load_state_dict(torch.load(path))
    for epoch in range(epochs):
        for batch in loader:
            model.step(batch)
""",
        },
        (("train.py", 7),),
    ),
    Case(
        "epochs count from zero around a loader that was put back into the middle of one",
        {
            "train.py": """\
import torch
from torch.utils.data.distributed import DistributedSampler
from torchdata.stateful_dataloader import StatefulDataLoader


def endless(loader):
    epoch = 0
    while True:
        loader.sampler.set_epoch(epoch)
        yield from loader
        epoch += 1


def main(dataset, model, path, steps):
    loader = StatefulDataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset))
    loader.load_state_dict(torch.load(path))
    batches = endless(loader)
    for _ in range(steps):
        model.step(next(batches))
""",
        },
        (("train.py", 9),),
    ),
    Case(
        "a state from the end of a pass is not put back",
        {
            "train.py": """\
import torch
from torch.utils.data.distributed import DistributedSampler
from torchdata.stateful_dataloader import StatefulDataLoader


def main(dataset, model, path, epochs):
    sampler = DistributedSampler(dataset)
    loader = StatefulDataLoader(dataset, batch_size=4, sampler=sampler)
    checkpoint = torch.load(path)
    step = checkpoint["step"]
    if step % len(loader) != 0:
        loader.load_state_dict(checkpoint["loader"])
    for epoch in range(step // len(loader), epochs):
        sampler.set_epoch(epoch)
        for batch in loader:
            model.step(batch)
            step += 1
            torch.save({"step": step, "loader": loader.state_dict()}, path)
""",
        },
    ),
    Case(
        "a loader that Accelerate prepared sets the restored epoch of the sampler to its own count",
        {
            "sampling.py": _SAMPLER,
            "train.py": """\
from accelerate import Accelerator
from sampling import EpisodeSampler
from torch.utils.data import DataLoader


def main(dataset, model, optimizer, checkpoint):
    accelerator = Accelerator()
    sampler = EpisodeSampler(len(dataset))
    loader = DataLoader(dataset, batch_size=8, sampler=sampler)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    if checkpoint is not None:
        sampler.load_state_dict(checkpoint["sampler"])
    for epoch in range(3):
        for batch in loader:
            accelerator.backward(model(batch))
            optimizer.step()
""",
        },
        (("train.py", 12),),
    ),
    Case(
        "a prepared loader is told the restored epoch, too",
        {
            "sampling.py": _SAMPLER,
            "train.py": """\
from accelerate import Accelerator
from sampling import EpisodeSampler
from torch.utils.data import DataLoader


def main(dataset, model, optimizer, checkpoint):
    accelerator = Accelerator()
    sampler = EpisodeSampler(len(dataset))
    loader = DataLoader(dataset, batch_size=8, sampler=sampler)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    if checkpoint is not None:
        sampler.load_state_dict(checkpoint["sampler"])
        loader.set_epoch(checkpoint["sampler"]["epoch"])
    for epoch in range(3):
        for batch in loader:
            accelerator.backward(model(batch))
            optimizer.step()
""",
        },
    ),
    Case(
        "the count of a prepared loader is put back",
        {
            "sampling.py": _SAMPLER,
            "train.py": """\
from accelerate import Accelerator
from sampling import EpisodeSampler
from torch.utils.data import DataLoader


def main(dataset, model, optimizer, checkpoint):
    accelerator = Accelerator()
    sampler = EpisodeSampler(len(dataset))
    loader = DataLoader(dataset, batch_size=8, sampler=sampler)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    if checkpoint is not None:
        sampler.load_state_dict(checkpoint["sampler"])
        loader.iteration = checkpoint["sampler"]["epoch"]
    for epoch in range(3):
        for batch in loader:
            accelerator.backward(model(batch))
            optimizer.step()
""",
        },
    ),
    Case(
        "a loader that is not prepared goes on with the restored epoch",
        {
            "sampling.py": _SAMPLER,
            "train.py": """\
from accelerate import Accelerator
from sampling import EpisodeSampler
from torch.utils.data import DataLoader


def main(dataset, model, optimizer, checkpoint):
    accelerator = Accelerator()
    sampler = EpisodeSampler(len(dataset))
    loader = DataLoader(dataset, batch_size=8, sampler=sampler)
    model, optimizer = accelerator.prepare(model, optimizer)
    if checkpoint is not None:
        sampler.load_state_dict(checkpoint["sampler"])
    for epoch in range(3):
        for batch in loader:
            accelerator.backward(model(batch))
            optimizer.step()
""",
        },
    ),
)
