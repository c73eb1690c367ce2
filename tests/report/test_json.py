from __future__ import annotations

import json
from pathlib import Path

import msgspec

from lint_epoch.diagnostics import Problem
from lint_epoch.report.json import render
from lint_epoch.report.view import View


def test_the_documented_shape_whole(project: Path, guard, wrapper, report_of) -> None:
    problem = Problem("/elsewhere/bad.py", "invalid syntax", 3)
    document = json.loads(render(report_of(wrapper, guard, errors=(problem,)), View(folder=project.as_posix())))
    first, second = document.pop("findings")
    assert document == {
        "version": 1,
        "errors": [{"path": "/elsewhere/bad.py", "line": 3, "message": "invalid syntax"}],
        "summary": {
            "files": 12,
            "analysed": 3,
            "findings": 2,
            "suppressed": 0,
            "right": 0,
            "faulty": 0,
            "unknown": 0,
            "baselined": 0,
        },
    }
    assert second == {
        "code": "LEP201",
        "name": "dead-set-epoch-guard",
        "message": '`hasattr(loader, "set_epoch")` is never true: loader is an Adapter, which has no set_epoch',
        "path": "train.py",
        "line": 8,
        "column": 12,
        "end_line": 8,
        "end_column": 40,
        "confidence": "proved",
        "consequence": "same order every epoch",
        "trace": [
            {"path": "train.py", "line": 8, "what": "the guard asks loader"},
            {"path": "/elsewhere/main.py", "line": 40, "what": "Adapter"},
            {"path": "/elsewhere/data.py", "line": 312, "what": "which draws from DistributedSampler"},
        ],
        "fix": None,
    }
    assert first["fix"] == {"safety": "safe", "description": "insert set_epoch"}


def test_an_empty_report_is_a_whole_document(report_of) -> None:
    document = json.loads(render(report_of(), View(folder="/")))
    assert document["findings"] == document["errors"] == []


def test_nothing_outside_ascii_is_written_and_nothing_is_lost(guard, report_of) -> None:
    hostile = msgspec.structs.replace(guard, path="/job/\udcff\x1b.py", message="é \u202e \x9b")
    text = render(report_of(hostile), View(folder="/job", colour=True))
    assert text.isascii()
    assert "\x1b" not in text
    finding = json.loads(text)["findings"][0]
    assert (finding["path"], finding["message"]) == ("\udcff\x1b.py", "é \u202e \x9b")
