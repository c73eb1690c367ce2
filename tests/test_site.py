"""The site is built as it is published: warnings about links and anchors are errors."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import lint_epoch
from lint_epoch.rules import all_rules
from lint_epoch.rules.base import Rule

ROOT = Path(lint_epoch.__file__).parent.parent
RULES = pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)


class Text(HTMLParser):
    """The text of a page, without its tags."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.feed(html)

    def handle_data(self, data: str) -> None:
        self.parts.append(data)

    @property
    def words(self) -> str:
        return " ".join("".join(self.parts).split())


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    pytest.importorskip("material")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


@RULES
def test_every_rule_has_a_page_with_what_explain_prints(site: Path, rule: Rule) -> None:
    words = Text((site / "rules" / rule.code / "index.html").read_text("utf-8")).words
    assert f"{rule.code} {rule.name}" in words
    for paragraph in rule.documentation.split("\n\n"):
        plain = " ".join(re.sub(r"[`*]", "", paragraph.removeprefix("## ")).split())
        plain = plain.replace("docs/runtime-facts.md", "Runtime facts")
        for item in plain.split(" - "):
            assert item.removeprefix("- ") in words


@RULES
def test_the_page_of_a_rule_shows_faulty_and_mended_code_and_what_was_measured(site: Path, rule: Rule) -> None:
    words = Text((site / "rules" / rule.code / "index.html").read_text("utf-8")).words
    folder = min((ROOT / "fixtures").glob(f"{rule.code.lower()}_*"))
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    assert folder.name in words
    assert "--- faulty/" in words
    assert "+++ mended/" in words
    for entry in expected.get("runtime", []):
        assert all(f"faulty {key} {value}" in words for key, value in entry["faulty"].items() if key != "needs")
    if rule.code in (ROOT / "docs" / "runtime-facts.md").read_text("utf-8"):
        assert "Measured" in words


def test_the_readme_is_the_front_page_and_its_links_lead_to_pages(site: Path) -> None:
    html = (site / "index.html").read_text("utf-8")
    assert "silently replays, drops or repeats" in Text(html).words
    assert 'href="formats/"' in html
    assert all(f'<td><a href="rules/{rule.code}/">' in html for rule in all_rules())
    assert ".md" not in "".join(re.findall(r'href="([^"]*)"', html))


def test_codes_in_the_guide_lead_to_the_rules(site: Path) -> None:
    html = (site / "choosing-a-fix" / "index.html").read_text("utf-8")
    codes = set(re.findall(r"LEP\d{3}", (ROOT / "docs" / "choosing-a-fix.md").read_text("utf-8")))
    assert len(codes) > 8
    assert all(f'href="../rules/{code}/"' in html for code in codes)


def test_the_site_asks_no_other_server_for_anything(site: Path) -> None:
    for page in site.rglob("*.html"):
        loaded = re.findall(r'<(?:script|img|iframe)[^>]*src="(https?:[^"]*)"', page.read_text("utf-8"))
        loaded += re.findall(r'<link[^>]*rel="(?:stylesheet|preconnect)"[^>]*href="(https?:[^"]*)"', page.read_text())
        assert loaded == []


def test_every_page_in_the_folder_is_in_the_navigation(site: Path) -> None:
    names = {path.stem for path in (ROOT / "docs").glob("*.md")}
    assert all((site / name / "index.html").exists() for name in names)
    front = (site / "index.html").read_text("utf-8")
    assert all(f'href="{name}/"' in front for name in names)
