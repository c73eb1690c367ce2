"""Cases of LEP301."""

from __future__ import annotations

from lint_epoch.rules.base import Case

#: A distributed batch sampler whose order the epoch decides.
_BUCKETS = """\
import torch
from torch.utils.data import DistributedSampler


class BucketSampler(DistributedSampler):
    def __init__(self, dataset, batch_size):
        super().__init__(dataset, shuffle=True)
        self.batch_size = batch_size

    def __iter__(self):
        generator = torch.Generator()
        generator.manual_seed(self.epoch)
        order = torch.randperm(len(self.dataset), generator=generator).tolist()
        for start in range(0, len(order), self.batch_size):
            yield order[start : start + self.batch_size]
"""

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
        "a Lightning model whose batch sampler the Trainer does not tell",
        {
            "buckets.py": _BUCKETS,
            "net.py": """\
import lightning.pytorch as pl
from buckets import BucketSampler
from torch.utils.data import DataLoader


class Net(pl.LightningModule):
    def __init__(self, data):
        super().__init__()
        self.data = data

    def training_step(self, batch, index):
        return self(batch).mean()

    def train_dataloader(self):
        return DataLoader(self.data, batch_sampler=BucketSampler(self.data, 8))
""",
        },
        (("net.py", 14),),
    ),
    Case(
        "a Hugging Face trainer that gives a loader which has not been prepared",
        {
            "trainer.py": """\
from torch.utils.data import DataLoader, DistributedSampler
from transformers import Trainer


class PackedTrainer(Trainer):
    def get_train_dataloader(self):
        sampler = DistributedSampler(self.train_dataset, shuffle=True)
        return DataLoader(self.train_dataset, batch_size=4, sampler=sampler)
""",
        },
        (("trainer.py", 6),),
    ),
    Case(
        "a shuffled stream of Hugging Face is read from epoch to epoch",
        {
            "train.py": """\
from datasets import load_dataset
from torch.utils.data import DataLoader


def main(model, optimizer):
    stream = load_dataset("json", data_files="*.json", split="train", streaming=True)
    stream = stream.shuffle(seed=42, buffer_size=1000).map(model.tokenize)
    loader = DataLoader(stream, batch_size=8, num_workers=2)
    for epoch in range(3):
        for batch in loader:
            model(batch).backward()
            optimizer.step()
""",
        },
        (("train.py", 9),),
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
    Case(
        "a Lightning model tells its own batch sampler in a hook",
        {
            "buckets.py": _BUCKETS,
            "net.py": """\
import lightning.pytorch as pl
from buckets import BucketSampler
from torch.utils.data import DataLoader


class Net(pl.LightningModule):
    def training_step(self, batch, index):
        return self(batch).mean()

    def on_train_epoch_start(self):
        self.batches.set_epoch(self.current_epoch)

    def train_dataloader(self):
        self.batches = BucketSampler(self.trainer.datamodule.data, 8)
        return DataLoader(self.trainer.datamodule.data, batch_sampler=self.batches)
""",
        },
    ),
    Case(
        "a callback may tell the batch sampler of a Lightning model",
        {
            "buckets.py": _BUCKETS,
            "net.py": """\
import lightning.pytorch as pl
from buckets import BucketSampler
from torch.utils.data import DataLoader


class TellEpoch(pl.Callback):
    def on_train_epoch_start(self, trainer, pl_module):
        trainer.train_dataloader.batch_sampler.set_epoch(trainer.current_epoch)


class Data(pl.LightningDataModule):
    def setup(self, stage):
        self.data = list(range(64))

    def train_dataloader(self):
        return DataLoader(self.data, batch_sampler=BucketSampler(self.data, 8))
""",
        },
    ),
    Case(
        "the Trainer of Lightning tells the sampler of the loader, and that inside its batch sampler",
        {
            "net.py": """\
import pytorch_lightning as pl
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler


class Net(pl.LightningModule):
    def training_step(self, batch, index):
        return self(batch).mean()

    def train_dataloader(self):
        sampler = DistributedSampler(self.data, shuffle=True)
        if self.bucketed:
            return DataLoader(self.data, batch_sampler=BatchSampler(sampler, 8, drop_last=True))
        return DataLoader(self.data, sampler=sampler)
""",
        },
    ),
    Case(
        "a Hugging Face trainer with a loop of its own",
        {
            "trainer.py": """\
from torch.utils.data import DataLoader, DistributedSampler
from transformers import Trainer


class OwnLoop(Trainer):
    def get_train_dataloader(self):
        return DataLoader(self.train_dataset, batch_size=4, sampler=DistributedSampler(self.train_dataset))

    def train(self):
        loader = self.get_train_dataloader()
        for epoch in range(3):
            loader.sampler.set_epoch(epoch)
            for batch in loader:
                self.training_step(self.model, batch)
""",
        },
    ),
    Case(
        "streams that are told the epoch, shuffled anew for each pass, or not shuffled at all",
        {
            "train.py": """\
from datasets import load_dataset
from torch.utils.data import DataLoader


def told(model, optimizer):
    stream = load_dataset("json", data_files="*.json", split="train", streaming=True).shuffle(seed=42)
    loader = DataLoader(stream, batch_size=8)
    for epoch in range(3):
        loader.dataset.set_epoch(epoch)
        for batch in loader:
            model(batch).backward()


def anew(model, optimizer):
    stream = load_dataset("json", data_files="*.json", streaming=True)["train"]
    for epoch in range(3):
        for batch in DataLoader(stream.shuffle(buffer_size=1000), batch_size=8):
            model(batch).backward()


def in_order(model, optimizer):
    stream = load_dataset("json", data_files="*.json", split="train", streaming=True)
    loader = DataLoader(stream, batch_size=8)
    for epoch in range(3):
        for batch in loader:
            model(batch).backward()
""",
        },
    ),
)
