"""Cases of LEP301 in which the loop is a framework's, or the order a stream's."""

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

FRAMEWORK_CASES = (
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
    Case(
        "nothing tells the sampler of a loader that an engine of Ignite runs over",
        {
            "train.py": """\
import ignite.distributed as idist
from ignite.contrib.engines import common
from ignite.engine import Engine, Events, create_supervised_trainer


def with_a_handler_for_something_else(dataset, step, config):
    loader = idist.auto_dataloader(dataset, batch_size=8, shuffle=True)
    trainer = Engine(step)

    @trainer.on(Events.EPOCH_COMPLETED)
    def log(engine):
        print(engine.state.epoch)

    trainer.run(loader, max_epochs=config.epochs)


def once_in_front(dataset, model, optimizer, loss, config):
    loader = idist.auto_dataloader(dataset, batch_size=8, shuffle=True)
    trainer = create_supervised_trainer(model, optimizer, loss)
    if idist.get_world_size() > 1:
        loader.sampler.set_epoch(trainer.state.epoch)
    trainer.run(loader, max_epochs=config.epochs)


def told_at_the_start_of_the_job(dataset, step, config):
    loader = idist.auto_dataloader(dataset, batch_size=8, shuffle=True)
    trainer = Engine(step)

    @trainer.on(Events.STARTED)
    def tell(engine):
        loader.sampler.set_epoch(engine.state.epoch)

    trainer.run(loader, max_epochs=config.epochs)


def with_handlers_that_know_no_sampler(dataset, step, config):
    loader = idist.auto_dataloader(dataset, batch_size=8, shuffle=True)
    trainer = Engine(step)
    common.setup_common_training_handlers(trainer, output_path="out")
    trainer.run(loader, config.epochs)
""",
        },
        (("train.py", 14), ("train.py", 22), ("train.py", 33), ("train.py", 40)),
    ),
    Case(
        "a handler tells the sampler of a loader that an engine of Ignite runs over",
        {
            "train.py": """\
import ignite.distributed as idist
from ignite.contrib.engines import common
from ignite.engine import Engine, Events


def decorated(dataset, step, config):
    loader = idist.auto_dataloader(dataset, batch_size=8, shuffle=True)
    trainer = Engine(step)

    @trainer.on(Events.EPOCH_STARTED)
    def tell(engine):
        if idist.get_world_size() > 1:
            loader.sampler.set_epoch(engine.state.epoch)

    trainer.run(loader, max_epochs=config.epochs)


def added(dataset, step, config):
    loader = idist.auto_dataloader(dataset, batch_size=8, shuffle=True)
    trainer = Engine(step)
    trainer.add_event_handler(Events.EPOCH_STARTED, lambda engine: loader.sampler.set_epoch(engine.state.epoch))
    trainer.run(loader, max_epochs=config.epochs)


def added_with_its_argument(dataset, step, config):
    def tell(engine, sampler):
        sampler.set_epoch(engine.state.epoch)

    loader = idist.auto_dataloader(dataset, batch_size=8, shuffle=True)
    trainer = Engine(step)
    trainer.add_event_handler(Events.EPOCH_COMPLETED | Events.STARTED, tell, loader.sampler)
    trainer.run(loader, max_epochs=config.epochs)


def added_without_an_argument(dataset, step, config):
    loader = idist.auto_dataloader(dataset, batch_size=8, shuffle=True)
    trainer = Engine(step)
    trainer.add_event_handler(Events.EPOCH_STARTED, lambda: loader.sampler.set_epoch(trainer.state.epoch))
    trainer.run(loader, max_epochs=config.epochs)


def by_the_common_handlers(dataset, step, config):
    loader = idist.auto_dataloader(dataset, batch_size=8, shuffle=True)
    trainer = Engine(step)
    common.setup_common_training_handlers(trainer, train_sampler=loader.sampler, output_path="out")
    trainer.run(loader, max_epochs=config.epochs)


def one_pass_for_each_run(dataset, step, loaders):
    evaluator = Engine(step)
    evaluator.run(idist.auto_dataloader(dataset, batch_size=8))
    evaluator.run(idist.auto_dataloader(dataset, batch_size=8), max_epochs=1)
""",
        },
    ),
)
