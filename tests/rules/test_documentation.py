"""Each rule documents itself, with the same headings, and its name reads well after "allow"."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from lint_epoch.rules import all_rules
from lint_epoch.rules.base import Rule

HEADINGS = [
    "What it does",
    "Why is this bad?",
    "Example",
    "Use instead",
    "Fix safety",
    "Known limits",
    "References",
]
README = Path(__file__).parents[2] / "README.md"
RULES = pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)


@RULES
def test_the_headings_are_the_same_in_all(rule: Rule) -> None:
    assert re.findall(r"^## (.+)$", rule.documentation, re.M) == HEADINGS


@RULES
def test_no_section_is_empty(rule: Rule) -> None:
    sections = re.split(r"^## .+$", rule.documentation, flags=re.M)
    assert all(section.strip() for section in sections)


@RULES
def test_code_name_and_module_belong_together(rule: Rule) -> None:
    assert re.fullmatch(r"LEP\d{3}", rule.code)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", rule.name)
    assert not rule.name.startswith(("no-", "disallow-"))
    assert sys.modules[type(rule).__module__].__name__.endswith(rule.code.lower())


@RULES
def test_the_readme_lists_the_rule(rule: Rule) -> None:
    assert f"| {rule.code} | {rule.name} |" in README.read_text(encoding="utf-8")


def test_codes_and_names_are_unique() -> None:
    assert len({rule.code for rule in all_rules()}) == len({rule.name for rule in all_rules()}) == len(all_rules())
