"""Training scripts that are mended as `lint-epoch fix` does it, with the project around them."""

from __future__ import annotations

from pathlib import Path

import lint_epoch
from lint_epoch.config import Config
from lint_epoch.fixes.driver import fix

HEAD = """\
import argparse
import torch
from torch.utils.data import BatchSampler, DataLoader, RandomSampler, TensorDataset
from torch.utils.data.distributed import DistributedSampler

args = argparse.ArgumentParser().parse_args()
data = TensorDataset(torch.arange(16))


"""


def mended(folder: Path, body: str, **others: str) -> str:
    """Return the script with the body after `lint-epoch fix`, without its head; a second run must change nothing."""
    for name, text in others.items():
        (folder / f"{name}.py").write_text(text)
    script = folder / "train.py"
    script.write_text(HEAD + body)
    result = fix([folder], Config(), unsafe=False, write=True)
    assert result.errors == ()
    after = script.read_text()
    assert after.startswith(HEAD)
    assert fix([folder], Config(), unsafe=False, write=True).changes == ()
    return after.removeprefix(HEAD)


def left(folder: Path) -> list[str]:
    """Return what a check of the folder says."""
    return [f"{finding.code} {finding.message}" for finding in lint_epoch.check([folder]).findings]


SAMPLER = "sampler = DistributedSampler(data)\nloader = DataLoader(data, sampler=sampler)\n"
