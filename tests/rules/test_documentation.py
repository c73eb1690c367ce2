"""Each rule documents itself, with the same headings, and its name reads well after "allow"."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from lint_epoch.cli import main
from lint_epoch.fixes.driver import fix
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


@RULES
@pytest.mark.parametrize("asked", ["code", "name"])
def test_explain_prints_the_documentation(rule: Rule, asked: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", getattr(rule, asked)]) == 0
    assert capsys.readouterr().out == f"# {rule.code} {rule.name}\n\n{rule.documentation}\n"


@RULES
def test_the_documentation_knows_whether_there_is_a_fix(rule: Rule, tmp_path: Path) -> None:
    faulty = [case for case in rule.cases if case.lines]
    for number, case in enumerate(faulty):
        folder = tmp_path / f"case{number}"
        folder.mkdir()
        for name, text in case.files.items():
            (folder / name).write_text(text)
    results = [fix([tmp_path / f"case{n}"], None, unsafe=True, write=False) for n in range(len(faulty))]
    mends = any(finding.code == rule.code for result in results for finding in result.applied)

    section = rule.documentation.partition("## Fix safety\n")[2].partition("\n## ")[0]
    assert section.strip().startswith("There is no fix") is not mends


def test_codes_and_names_are_unique() -> None:
    assert len({rule.code for rule in all_rules()}) == len({rule.name for rule in all_rules()}) == len(all_rules())
