"""The published schema is that of the code, and takes and refuses what the code does."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import jsonschema
import pytest

import lint_epoch
from lint_epoch.config import ConfigError, load_config
from lint_epoch.schema import schema

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PUBLISHED = Path(lint_epoch.__file__).parent.parent / "docs" / "lint_epoch.schema.json"


def test_the_published_schema_is_made_from_the_code() -> None:
    assert json.loads(PUBLISHED.read_text()) == json.loads(json.dumps(schema()))


def test_it_is_a_schema_and_says_what_each_key_means() -> None:
    jsonschema.Draft7Validator.check_schema(schema())
    assert all(len(one["description"]) > 20 for one in schema()["properties"].values())


def accepts(text: str) -> bool:
    return jsonschema.Draft7Validator(json.loads(json.dumps(schema()))).is_valid(tomllib.loads(text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        'select = ["LEP1", "LEP201"]\nignore = ["LEP"]\n',
        'closed-world = true\nexclude = ["build/"]\n[per-file-ignores]\n"tests/" = ["LEP3"]\n',
        'baseline = "known.json"\nlibraries = []\n',
        "closed_world = true",
        'select = "LEP101"',
        'select = ["LEP101", 1]',
        'ignore = ["LPE101"]',
        "closed-world = 1",
        "baseline = true",
        "exclude = [true]",
        'per-file-ignores = ["LEP1"]',
        '[per-file-ignores]\n"tests/" = "LEP3"\n',
        "jobs = 4",
    ],
)
def test_it_takes_what_the_code_takes(tmp_path: Path, text: str) -> None:
    (tmp_path / "lint_epoch.toml").write_text(text)
    try:
        load_config(tmp_path)
    except ConfigError:
        taken = False
    else:
        taken = True
    assert accepts(text) is taken
