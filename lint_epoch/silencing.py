"""Comments that silence findings: those that silence none, their removal, and new ones.

Only what is ours is judged: a ``# noqa`` without codes and the codes of other tools are left alone. Text is changed at
the comment and nowhere else, and what results is verified as a fix is.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lint_epoch.fixes.errors import FixError
from lint_epoch.fixes.spans import Edit, apply, split_lines
from lint_epoch.rules import all_rules
from lint_epoch.selection import Selection
from lint_epoch.source.suppressions import Comment, comments_of, row_of
from lint_epoch.source.text import Source, SourceError, read_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from lint_epoch.diagnostics import Finding

#: How our codes begin; flake8 gives the three letters to one plugin.
PREFIX = "LEP"


@dataclass(frozen=True, slots=True)
class Unused:
    """Codes in one comment that silence nothing."""

    path: str
    comment: Comment
    codes: tuple[str, ...]


def unused(path: Path, found: Sequence[Finding], selection: Selection) -> list[Unused]:
    """Return the comments of a file that name codes of ours for nothing.

    Args:
        path: the file, absolute.
        found: its findings, those that comments silence included.
        selection: which rules are on. A code that is off is not judged: it may be on in another run.

    Raises:
        SourceError: the file cannot be read.
    """
    data = path.read_bytes() if path.is_file() else b""
    if b"LEP" not in data.upper() and b"lint-epoch:" not in data:
        return []
    shown = path.as_posix()
    result = []
    for comment in comments_of(read_source(path).text):
        lines = range(comment.first, comment.last + 1)
        silenced = {finding.code for finding in found if finding.line in lines}
        idle = tuple(code for code in comment.codes if _is_idle(code, silenced, selection, shown))
        if idle:
            result.append(Unused(shown, comment, idle))
    return result


def _is_idle(code: str, silenced: set[str], selection: Selection, path: str) -> bool:
    if not code.upper().startswith(PREFIX) or any(one.startswith(code) for one in silenced):
        return False
    meant = [rule.code for rule in all_rules() if rule.code.startswith(code)]
    return all(selection.is_on(one, path) for one in meant)  # also where it means none at all


def removal(text: str, unused_ones: Iterable[Unused]) -> list[Edit]:
    """Return the edits that take codes out of comments, and comments out of lines where no code is left."""
    starts = _starts(text)
    lines = split_lines(text)
    edits = []
    for one in unused_ones:
        comment = one.comment
        line = lines[comment.last - 1]
        kept = [code for code in comment.codes if code not in one.codes]
        start, end = comment.start, comment.end
        shown = line[start:end]
        if kept:
            # A list of codes ends before the white space behind it.
            end = start + len(shown.rstrip())
            new = f"# noqa: {', '.join(kept)}" if comment.kind == "noqa" else f"# lint-epoch: ignore[{', '.join(kept)}]"
        else:
            start, end, new = _whole(line, comment)
        edits.append(Edit(starts[comment.last - 1] + start, starts[comment.last - 1] + end, new))
    return edits


def _whole(line: str, comment: Comment) -> tuple[int, int, str]:
    """Where a comment begins and ends that goes as a whole, and what comes in its place."""
    body = line.rstrip("\r\n")
    rest = body[comment.end :]
    if comment.kind == "ignore":
        # The reason goes with it, up to another comment behind.
        another = rest.find("#")
        rest = rest[another:] if another >= 0 else ""
    before = body[: comment.start]
    if rest.strip():
        return comment.start, len(body), rest.lstrip() if rest.lstrip().startswith("#") else f"# {rest.strip()}"
    if before.strip():
        return len(before.rstrip()), len(body), ""
    return 0, len(line), ""  # the comment stands alone on its line


def addition(text: str, findings: Iterable[Finding]) -> list[Edit]:
    """Return the edits that silence findings by a ``# noqa`` at the ends of their lines."""
    starts, lines = _starts(text), split_lines(text)
    codes: dict[int, set[str]] = {}
    for finding in findings:
        codes.setdefault(row_of(text, finding.line), set()).add(finding.code)
    known = {comment.last: comment for comment in comments_of(text) if comment.kind == "noqa"}
    edits = []
    for number, new in sorted(codes.items()):
        body = lines[number - 1].rstrip("\r\n")
        start = end = len(body.rstrip())
        comment = known.get(number)
        if comment is not None:
            # flake8 reads the first of a line only.
            start = comment.start
            end = start + len(body[start : comment.end].rstrip())
            named = f"# noqa: {', '.join([*comment.codes, *sorted(new)])}"
        else:
            named = f"  # noqa: {', '.join(sorted(new))}"
        edits.append(Edit(starts[number - 1] + start, starts[number - 1] + end, named))
    return edits


def _starts(text: str) -> list[int]:
    """The offset of each line, in code points."""
    starts = [0]
    for line in split_lines(text):
        starts.append(starts[-1] + len(line))
    return starts


def rewrite(path: Path, root: Path, edits_of: Callable[[str], list[Edit]], *, write: bool) -> tuple[bytes, bytes]:
    """Change the comments of a file; return its bytes before and after.

    Args:
        path: the file.
        root: the project's folder; the file must lie in it.
        edits_of: gives the edits for the file's text.
        write: whether to write it.

    Raises:
        FixError: the file cannot be read, or written, or something besides comments would change.
    """
    # Imported here: they need libcst, which most runs do without.
    from lint_epoch.fixes.verify import verify
    from lint_epoch.fixes.writer import write_atomically
    from lint_epoch.source.deep import run_deep
    from lint_epoch.source.parsing import parse

    try:
        source: Source = read_source(path)
        tree = parse(source)
    except SourceError as error:
        raise FixError(error.message) from error
    edits = edits_of(source.text)
    after, _ = apply(source.text, edits)
    data = run_deep(lambda: verify(source, tree, edits, after))
    if write:
        write_atomically(path, source.data, data, root)
    return source.data, data
