"""Hand-made reports: the formats are tested without the engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lint_epoch.diagnostics import Finding, FixOffer, Hop, Problem, Report, Summary, Verdict

SOURCE = """\
class Adapter:
    def __init__(self, loader):
        self._loader = loader


def train(loader, epochs):
    for epoch in range(epochs):
        if hasattr(loader, "set_epoch"):
            loader.set_epoch(epoch)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with one file, which the findings of ``guard`` and ``wrapper`` are about."""
    (tmp_path / "train.py").write_text(SOURCE)
    return tmp_path


@pytest.fixture
def guard(project: Path) -> Finding:
    path = (project / "train.py").as_posix()
    return Finding(
        code="LEP201",
        name="dead-set-epoch-guard",
        message='`hasattr(loader, "set_epoch")` is never true: loader is an Adapter, which has no set_epoch',
        path=path,
        line=8,
        column=12,
        end_line=8,
        end_column=40,
        confidence="proved",
        consequence="same order every epoch",
        trace=(
            Hop(path, 8, "the guard asks loader"),
            Hop("/elsewhere/main.py", 40, "Adapter"),
            Hop("/elsewhere/data.py", 312, "which draws from DistributedSampler"),
        ),
    )


@pytest.fixture
def wrapper(project: Path) -> Finding:
    path = (project / "train.py").as_posix()
    return Finding(
        code="LEP101",
        name="wrapper-drops-set-epoch",
        message="Adapter has no set_epoch",
        path=path,
        line=1,
        column=1,
        end_line=1,
        end_column=15,
        confidence="likely",
        consequence="same order every epoch",
        trace=(
            Hop(path, 7, "the loop reads loader"),
            Hop("/elsewhere/main.py", 40, "Adapter"),
            Hop("/elsewhere/data.py", 312, "which draws from DistributedSampler"),
        ),
        fix=FixOffer("safe", "insert set_epoch"),
    )


@pytest.fixture
def report_of() -> Callable[..., Report]:
    def make(
        *findings: Finding, errors: tuple[Problem, ...] = (), verdicts: tuple[Verdict, ...] = (), suppressed: int = 0
    ) -> Report:
        states = [verdict.state for verdict in verdicts]
        summary = Summary(
            files=12,
            analysed=3,
            findings=len(findings),
            suppressed=suppressed,
            right=states.count("right"),
            faulty=states.count("faulty"),
            unknown=states.count("unknown"),
        )
        return Report(findings=findings, errors=errors, verdicts=verdicts, summary=summary)

    return make
