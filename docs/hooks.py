"""Pages of the site that are made from other files: the README, the rules' documentation, the changelog.

A rule's page is what ``lint-epoch explain`` prints, then what was measured, then fixtures of it, faulty and mended.
"""

from __future__ import annotations

import difflib
import json
import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File

from lint_epoch.rules import UNUSED, all_rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

    from lint_epoch.rules.base import Rule

ROOT = Path(__file__).parent.parent
FIXTURES = ROOT / "fixtures"
#: Files outside of docs/ that become pages, by their place in the repository.
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "fixtures/README.md": "fixtures.md",
}
#: Fixtures that a page shows: two are read, more are skipped.
MOST_FIXTURES = 2
#: Codes in tables and in parentheses become links to the pages of the rules; in the repository they are text.
_CODE = re.compile(r"(?<=[|(,] )LEP\d{3}(?=[ ,)])|(?<=\()LEP\d{3}(?=[,)])")
_LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)([^)#\s]*)(#[^)\s]*)?\)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the rules' pages below that of their table."""
    pages = ["rules/index.md", *(f"rules/{rule.code}.md" for rule in _pages())]
    config.nav = [{"Rules": pages} if "Rules" in entry else entry for entry in config.nav or []]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made here."""
    for source, name in PAGES.items():
        files.append(_page(config, name, _relinked((ROOT / source).read_text("utf-8"), source, name)))
    files.append(_page(config, "rules/index.md", _index()))
    for rule in _pages():
        files.append(_page(config, f"rules/{rule.code}.md", rule_page(rule)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links of the pages in docs/ lead to pages of the site."""
    name = page.file.src_uri
    return markdown if page.file.generated_by else _relinked(markdown, f"docs/{name}", name)


def _page(config: MkDocsConfig, name: str, text: str) -> File:
    return File.generated(config, name, content=text)


def _relinked(text: str, source: str, name: str) -> str:
    """Links between files of the repository as links between pages; those to anything else as plain text."""
    up = "../" * name.count("/")

    def link(match: re.Match[str]) -> str:
        words, target, anchor = match[1], match[2], match[3] or ""
        if not target:
            return match[0]
        file = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        page = PAGES.get(file) or (file.removeprefix("docs/") if file.startswith("docs/") else None)
        if page is None:
            return words if words.startswith("`") else f"`{words}`"
        return f"[{words}]({posixpath.relpath(page, posixpath.dirname(name) or '.')}{anchor})"

    return _CODE.sub(lambda code: f"[{code[0]}]({up}rules/{code[0]}.md)", _LINK.sub(link, text))


# --- rules -----------------------------------------------------------------------------------------------------------


def _pages() -> tuple[Rule, ...]:
    """What ``lint-epoch explain`` has a page for."""
    return (*all_rules(), UNUSED)


def _index() -> str:
    rows = [
        f"| [{rule.code}]({rule.code}.md) | {rule.name} | {rule.summary} | {rule.consequence} |" for rule in _pages()
    ]
    head = "# Rules\n\n`lint-epoch explain CODE` prints the same pages.\n\n"
    return head + "| code | name | says | what happens |\n| --- | --- | --- | --- |\n" + "\n".join(rows) + "\n"


def rule_page(rule: Rule) -> str:
    """The page of a rule in Markdown."""
    text = rule.documentation.replace("docs/runtime-facts.md", "[Runtime facts](../runtime-facts.md)")
    text = re.sub(r"(?<=: )https://\S+", r"<\g<0>>", text)
    parts = [f"# {rule.code} {rule.name}", _fenced(text), *_measured(rule), *_fixtures(rule)]
    return "\n\n".join(parts) + "\n"


def _fenced(text: str) -> str:
    """Indented code as fenced code, which is coloured."""

    def fence(match: re.Match[str]) -> str:
        code = re.sub(r"(?m)^    ", "", match[0]).strip("\n")
        return f"```python\n{code}\n```\n"

    return re.sub(r"(?m)(?:^    [^\n]*\n(?:\n(?=    ))?)+", fence, text)


def _measured(rule: Rule) -> Iterator[str]:
    """What docs/runtime-facts.md says of the rule."""
    facts = (ROOT / "docs" / "runtime-facts.md").read_text("utf-8").splitlines()
    rows = [cells for line in facts if len(cells := [cell.strip() for cell in line.strip("|").split(" | ")]) == 4]
    told = [(what, seen) for what, codes, seen, _ in rows if rule.code in codes]
    if told:
        yield "## Measured\n\nOn real torch, two ranks: see [Runtime facts](../runtime-facts.md)."
        yield "| code | seen |\n| --- | --- |\n" + "\n".join(f"| {what} | {seen} |" for what, seen in told)


def _fixtures(rule: Rule) -> Iterator[str]:
    """Small projects with the fault, and what mends them."""
    folders = sorted(FIXTURES.glob(f"{rule.code.lower()}_*"))[:MOST_FIXTURES]
    if folders:
        yield "## Faulty and mended"
    for folder in folders:
        expected = json.loads((folder / "expected.json").read_text("utf-8"))
        places = ", ".join(f"`{one['path']}:{one['line']}` ({one['code']})" for one in expected["faulty"])
        yield f"**{folder.name}**: {expected['note']} Reported at {places}."
        yield from _claims(expected.get("runtime", []))
        if changes := "".join(_changes(folder)).rstrip():
            yield f"```diff\n{changes}\n```"


def _claims(entries: list[dict[str, Any]]) -> Iterator[str]:
    """What the ranks see before and after, as the runtime tests measure it."""
    rows = []
    for entry in entries:
        for state in ("faulty", "mended"):
            claims = {key: value for key, value in entry.get(state, {}).items() if key != "needs"}
            rows += [f"| {state} | {key} | {value} |" for key, value in claims.items()]
    if rows:
        yield "| version | claim | measured |\n| --- | --- | --- |\n" + "\n".join(rows)


def _changes(folder: Path) -> Iterator[str]:
    """The difference between the two versions."""
    for path in sorted((folder / "faulty").rglob("*.py")):
        name = path.relative_to(folder / "faulty").as_posix()
        mended = folder / "mended" / name
        before = path.read_text("utf-8").splitlines(keepends=True)
        after = mended.read_text("utf-8").splitlines(keepends=True) if mended.exists() else []
        yield from difflib.unified_diff(before, after, f"faulty/{name}", f"mended/{name}")
