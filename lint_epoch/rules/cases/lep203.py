"""Cases of LEP203."""

from __future__ import annotations

from lint_epoch.rules.base import Case

CASES = (
    Case(
        "hasattr asks a DataLoader for the state that it never has",
        {
            "train.py": """\
from torch.utils.data import DataLoader


def main(dataset, model):
    loader = DataLoader(dataset, batch_size=4, shuffle=True)
    checkpoint = {"model": model.state_dict()}
    for batch in loader:
        model.step(batch)
        if hasattr(loader, "state_dict"):
            checkpoint["loader"] = loader.state_dict()
""",
        },
        (("train.py", 9),),
    ),
    Case(
        "getattr in a trainer finds no state",
        {
            "train.py": """\
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, dataset, model):
        self.loader = DataLoader(dataset, batch_size=4, shuffle=True)
        self.model = model

    def state_dict(self):
        state = {"model": self.model.state_dict()}
        loader_state = getattr(self.loader, "state_dict", None)
        if loader_state is not None:
            state["loader"] = loader_state()
        return state

    def run(self):
        for batch in self.loader:
            self.model.step(batch)
        return self.state_dict()


def main(dataset, model):
    return Trainer(dataset, model).run()
""",
        },
        (("train.py", 11),),
    ),
    Case(
        "a factory of another file makes a loader that cannot restore its place",
        {
            "data.py": """\
from torch.utils.data import DataLoader


def make_loader(dataset):
    return DataLoader(dataset, batch_size=4, num_workers=2)
""",
            "train.py": """\
from data import make_loader


def main(dataset, model, checkpoint):
    loader = make_loader(dataset)
    if hasattr(loader, "load_state_dict"):
        loader.load_state_dict(checkpoint["loader"])
    for batch in loader:
        model.step(batch)
""",
        },
        (("train.py", 6),),
    ),
    Case(
        "one of the two loader classes has a state",
        {
            "train.py": """\
from torch.utils.data import DataLoader

try:
    from torchdata.stateful_dataloader import StatefulDataLoader
except ImportError:
    StatefulDataLoader = None


def main(dataset, model):
    loader_class = DataLoader if StatefulDataLoader is None else StatefulDataLoader
    loader = loader_class(dataset, batch_size=4)
    checkpoint = {"model": model.state_dict()}
    for batch in loader:
        model.step(batch)
        if hasattr(loader, "state_dict"):
            checkpoint["loader"] = loader.state_dict()
""",
        },
    ),
    Case(
        "the guard asks models and optimizers, which have a state",
        {
            "train.py": """\
import torch
from torchdata.stateful_dataloader import StatefulDataLoader


def main(dataset):
    model = torch.nn.Linear(4, 1)
    loader = StatefulDataLoader(dataset, batch_size=4)
    for batch in loader:
        model(batch).mean().backward()
    return [part.state_dict() for part in (model, loader) if hasattr(part, "state_dict")]
""",
        },
    ),
    Case(
        "a library's function saves whatever has a state",
        {
            "checkpoints.py": """\
def collect(loader, model):
    state = {"model": model.state_dict()}
    if hasattr(loader, "state_dict"):
        state["loader"] = loader.state_dict()
    return state
""",
        },
    ),
)
