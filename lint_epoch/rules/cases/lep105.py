"""Cases of LEP105."""

from __future__ import annotations

from lint_epoch.rules.base import Case

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
)
