"""Phrases and steps that several rules share."""

from __future__ import annotations

from lint_epoch.project.epochs import Repeat
from lint_epoch.project.modules import ModuleFile
from lint_epoch.project.verdicts import Verdict
from lint_epoch.project.view import Model


def outcome(model: Model, verdict: Verdict) -> str:
    """Return what happens at run time because the call does not arrive."""
    if verdict.fault == "deaf wrapper":
        return "a resumed job starts over with epoch 0"
    target = verdict.repeat.target
    return f"the {target.cls.name if target.assumed else model.describe(target)} replays epoch 0"


def loop_place(repeat: Repeat) -> tuple[ModuleFile, int]:
    """Return the place of the loop that repeats the pass."""
    return repeat.loop.module, repeat.loop.record.at


def loop_words(repeat: Repeat) -> str:
    """Return what to call the loop that repeats the pass."""
    text = repeat.consumer.text
    return f"the loop over {text} of {repeat.loop.runner}" if repeat.loop.runner else f"this loop over {text}"
