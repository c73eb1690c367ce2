"""Phrases and steps that several rules share."""

from __future__ import annotations

from lint_epoch.facts import records as r
from lint_epoch.facts.text import text_of
from lint_epoch.project.epochs import Repeat
from lint_epoch.project.modules import ModuleFile
from lint_epoch.project.passes import Moment
from lint_epoch.project.verdicts import Verdict
from lint_epoch.project.view import Model, Step


def outcome(model: Model, verdict: Verdict) -> str:
    """Return what happens at run time because the call does not arrive."""
    if verdict.fault == "deaf wrapper":
        return "a resumed job starts over with epoch 0"
    return f"the {model.describe(verdict.repeat.target)} replays epoch 0"


def loop_place(repeat: Repeat) -> tuple[ModuleFile, int]:
    """Return the place of the loop that repeats the pass."""
    return repeat.loop.module, repeat.loop.record.at


def ended_by(steps: list[Step], module: ModuleFile, at: int, what: str) -> list[Step]:
    """Return a trace with the place at which the call is lost put at its end."""
    return [*steps, (module, at, what)]


def quoted(node: r.AnyExpression) -> str:
    """Return an expression as it stands, for a message."""
    return f"`{text_of(node)}`"


def is_same_place(moment: Moment, module: ModuleFile, at: int) -> bool:
    """Whether something happened at a place."""
    return moment.module is module and moment.at == at
