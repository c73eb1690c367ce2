"""Cases of LEP105."""

from __future__ import annotations

from lint_epoch.rules.base import Case
from lint_epoch.rules.cases.lep105_resume import RESUME_CASES

CASES = (
    Case(
        "a guard finds no state on the wrapper of a StatefulDataLoader",
        {
            "loading.py": """\
class DeviceLoader:
    def __init__(self, loader, device):
        self.loader = loader
        self.device = device

    def __iter__(self):
        for batch in self.loader:
            yield batch.to(self.device)
""",
            "train.py": """\
from torchdata.stateful_dataloader import StatefulDataLoader

from loading import DeviceLoader


def main(dataset, model):
    loader = DeviceLoader(StatefulDataLoader(dataset, batch_size=4), "cuda")
    checkpoint = {"model": model.state_dict()}
    for batch in loader:
        model.step(batch)
        if hasattr(loader, "state_dict"):
            checkpoint["loader"] = loader.state_dict()
""",
        },
        (("loading.py", 1),),
    ),
    Case(
        "an unguarded call for the state fails on the wrapper",
        {
            "train.py": """\
from torchdata.stateful_dataloader import StatefulDataLoader


class Scaled:
    def __init__(self, dataset):
        self._loader = StatefulDataLoader(dataset, batch_size=4)

    def __iter__(self):
        for batch in self._loader:
            yield batch / 255


def main(dataset, model, checkpoint):
    loader = Scaled(dataset)
    loader.load_state_dict(checkpoint["loader"])
    for batch in loader:
        model.step(batch)
""",
        },
        (("train.py", 4),),
    ),
    Case(
        "the sampler inside the wrapped loader knows its position",
        {
            "train.py": """\
from torch.utils.data import DataLoader, Sampler


class PositionSampler(Sampler):
    def __init__(self, size):
        self.size = size
        self.position = 0

    def __iter__(self):
        while self.position < self.size:
            self.position += 1
            yield self.position - 1

    def state_dict(self):
        return {"position": self.position}

    def load_state_dict(self, state_dict):
        self.position = state_dict["position"]


class Batches:
    def __init__(self, dataset):
        self.loader = DataLoader(dataset, batch_size=4, sampler=PositionSampler(len(dataset)))

    def __iter__(self):
        yield from self.loader


def main(dataset, model):
    loader = Batches(dataset)
    for batch in loader:
        model.step(batch)
    return loader.state_dict()
""",
        },
        (("train.py", 21),),
    ),
    Case(
        "the wrapper passes both calls on",
        {
            "train.py": """\
from torchdata.stateful_dataloader import StatefulDataLoader


class Scaled:
    def __init__(self, dataset):
        self._loader = StatefulDataLoader(dataset, batch_size=4)

    def __iter__(self):
        for batch in self._loader:
            yield batch / 255

    def state_dict(self):
        return self._loader.state_dict()

    def load_state_dict(self, state_dict):
        self._loader.load_state_dict(state_dict)


def main(dataset, model, checkpoint):
    loader = Scaled(dataset)
    loader.load_state_dict(checkpoint["loader"])
    for batch in loader:
        model.step(batch)
    return loader.state_dict()
""",
        },
    ),
    Case(
        "nobody asks the wrapper for its state",
        {
            "train.py": """\
from torchdata.stateful_dataloader import StatefulDataLoader


class Scaled:
    def __init__(self, loader):
        self._loader = loader

    def __iter__(self):
        for batch in self._loader:
            yield batch / 255


def main(dataset, model):
    inner = StatefulDataLoader(dataset, batch_size=4)
    for batch in Scaled(inner):
        model.step(batch)
    return {"loader": inner.state_dict(), "model": model.state_dict()}
""",
        },
    ),
    Case(
        "__getattr__ passes on whatever the wrapper lacks",
        {
            "train.py": """\
from torchdata.stateful_dataloader import StatefulDataLoader


class Scaled:
    def __init__(self, loader):
        self._loader = loader

    def __getattr__(self, name):
        return getattr(self._loader, name)

    def __iter__(self):
        for batch in self._loader:
            yield batch / 255


def main(dataset, model):
    loader = Scaled(StatefulDataLoader(dataset, batch_size=4))
    for batch in loader:
        model.step(batch)
    if hasattr(loader, "state_dict"):
        return loader.state_dict()
    return None
""",
        },
    ),
    Case(
        "a restored count is handed on, and the next state counts from the resume",
        {
            "loading.py": """\
class ResumableLoader:
    def __init__(self, loader, sampler):
        self._loader = loader
        self._sampler = sampler
        self._epoch = 0
        self._given = 0

    def __iter__(self):
        self._sampler.set_epoch(self._epoch)
        self._given = 0
        for batch in self._loader:
            self._given += 1
            yield batch
        self._epoch += 1

    def state_dict(self):
        return {"epoch": self._epoch, "given": self._given}

    def load_state_dict(self, state):
        self._epoch = state["epoch"]
        self._sampler.skip(state["given"] * 8)
""",
        },
        (("loading.py", 19),),
    ),
    Case(
        "a restored count is cleared before anything reads it",
        {
            "sampling.py": """\
import torch
from torch.utils.data import Sampler


class ResumableSampler(Sampler):
    def __init__(self, size):
        self.size = size
        self.epoch = 0
        self.given = 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        self.given = 0
        generator = torch.Generator().manual_seed(self.epoch)
        for index in torch.randperm(self.size, generator=generator).tolist():
            self.given += 1
            yield index

    def state_dict(self):
        return {"given": self.given}

    def load_state_dict(self, state):
        self.given = state["given"]
""",
        },
        (("sampling.py", 14),),
    ),
    Case(
        "every pass starts at the place of the resume",
        {
            "sampling.py": """\
from torch.utils.data.distributed import DistributedSampler


class ConsumedSampler:
    def __init__(self, size, consumed):
        self.size = size
        self.consumed = consumed

    def __iter__(self):
        start = self.consumed % self.size
        for index in range(start, self.size):
            yield index


def sampler_for(dataset, consumed, shuffle):
    return DistributedSampler(dataset) if shuffle else ConsumedSampler(len(dataset), consumed)
""",
        },
        (("sampling.py", 4),),
    ),
    Case(
        "the restored epoch does not reach the stream whose state is restored",
        {
            "streaming.py": """\
from torch.utils.data import IterableDataset


class TokenStream(IterableDataset):
    def __init__(self, stream):
        self._stream = stream
        self._epoch = 0

    def __iter__(self):
        while True:
            yield from self._stream
            self._epoch += 1
            self._stream.set_epoch(self._epoch)

    def state_dict(self):
        return {"epoch": self._epoch, "stream": self._stream.state_dict()}

    def load_state_dict(self, state):
        self._epoch = state["epoch"]
        self._stream.load_state_dict(state["stream"])
""",
        },
        (("streaming.py", 20),),
    ),
    Case(
        "a restored place is taken up once and counted on from",
        {
            "sampling.py": """\
import torch
from torch.utils.data import Sampler


class ResumableSampler(Sampler):
    def __init__(self, size, consumed):
        self.size = size
        self.epoch = 0
        self.given = consumed

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        generator = torch.Generator().manual_seed(self.epoch)
        order = torch.randperm(self.size, generator=generator).tolist()
        for position in range(self.given % self.size, self.size):
            self.given += 1
            yield order[position]
        self.given = 0

    def state_dict(self):
        return {"given": self.given}

    def load_state_dict(self, state):
        self.given = state["given"]
""",
        },
    ),
    Case(
        "the restored epoch is set before each pass, or with the state",
        {
            "streaming.py": """\
from torch.utils.data import IterableDataset


class TokenStream(IterableDataset):
    def __init__(self, stream):
        self._stream = stream
        self._epoch = 0

    def __iter__(self):
        while True:
            self._stream.set_epoch(self._epoch)
            yield from self._stream
            self._epoch += 1

    def load_state_dict(self, state):
        self._epoch = state["epoch"]
        self._stream.load_state_dict(state["stream"])


class RowStream(IterableDataset):
    def __init__(self, stream):
        self._stream = stream
        self._epoch = 0

    def __iter__(self):
        yield from self._stream
        self._epoch += 1
        self._stream.set_epoch(self._epoch)

    def load_state_dict(self, state):
        self._epoch = state["epoch"]
        self._stream.set_epoch(self._epoch)
        self._stream.load_state_dict(state["stream"])
""",
        },
    ),
    Case(
        "an epoch of diagnostics, which nothing is drawn from",
        {
            "sampling.py": """\
import torch
from torch.utils.data import Sampler


class CountingSampler(Sampler):
    def __init__(self, size, diagnostics):
        self.size = size
        self.epoch = 0
        self.diagnostics = diagnostics

    def set_epoch(self, epoch):
        self.epoch = epoch
        self.diagnostics.set_epoch(epoch)

    def __iter__(self):
        generator = torch.Generator().manual_seed(self.epoch)
        yield from torch.randperm(self.size, generator=generator).tolist()

    def load_state_dict(self, state):
        self.epoch = state["epoch"]
        self.diagnostics.load_state_dict(state["diagnostics"])
""",
        },
    ),
    *RESUME_CASES,
)
