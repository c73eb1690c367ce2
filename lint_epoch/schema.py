"""The JSON schema of the configuration, made from the fields of ``Config``, for editors that complete and check TOML.

python -m lint_epoch.schema > docs/lint_epoch.schema.json
"""

from __future__ import annotations

import ast
import inspect
import itertools
import json
import sys
from typing import Any

import msgspec

from lint_epoch import config
from lint_epoch.config import INTERNAL, Config

_CODES = {"type": "array", "items": {"type": "string", "pattern": "^L(E(P[0-9]{0,3})?)?$"}}
_STRINGS = {"type": "array", "items": {"type": "string"}}


def schema() -> dict[str, Any]:
    """Return the schema of ``lint_epoch.toml``, which is also that of ``[tool.lint_epoch]``."""
    meanings = _meanings()
    properties = {
        one.encode_name: {"description": meanings[one.name], **_type_of(one), "default": _default(one)}
        for one in msgspec.structs.fields(Config)
        if one.name not in INTERNAL
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "lint_epoch",
        "description": "Settings of lint-epoch: lint_epoch.toml, or [tool.lint_epoch] in pyproject.toml.",
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
    }


def _type_of(one: msgspec.structs.FieldInfo) -> dict[str, Any]:
    if one.name == "per_file_ignores":
        return {"type": "object", "additionalProperties": _CODES}
    if one.name in ("select", "ignore"):
        return _CODES
    kinds: dict[type, dict[str, Any]] = {bool: {"type": "boolean"}, str: {"type": "string"}, tuple: _STRINGS}
    return kinds[type(one.default)]


def _default(one: msgspec.structs.FieldInfo) -> object:
    return {} if one.name == "per_file_ignores" else one.default


def _meanings() -> dict[str, str]:
    """The text under each field of ``Config``, which Python does not keep."""
    tree = ast.parse(inspect.getsource(config))
    body = next(node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Config")
    found = {}
    for field, text in itertools.pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(text, ast.Expr):
            found[field.target.id] = " ".join(ast.literal_eval(text.value).split()).replace("``", "`")
    return found


if __name__ == "__main__":
    sys.stdout.write(json.dumps(schema(), indent=2) + "\n")
