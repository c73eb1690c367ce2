"""Comments that silence findings: those that silence none, their removal, and new ones.

Only what is ours is judged: a ``# noqa`` without codes and the codes of other tools are left alone. Text is changed at
the comment and nowhere else, and what results is verified as a fix is.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from lint_epoch.diagnostics import Finding, FixOffer
from lint_epoch.fixes.errors import FixError
from lint_epoch.fixes.spans import Edit, apply, split_lines
from lint_epoch.rules import UNUSED, all_rules
from lint_epoch.selection import Selection
from lint_epoch.source.suppressions import Comment, comments_of, row_of
from lint_epoch.source.text import Source, SourceError, read_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from lint_epoch.fixes.rounds import FileChange

#: Codes of ours and beginnings of them, in any case; flake8 gives the three letters to one plugin.
_OURS = re.compile("LEP[0-9]*", re.IGNORECASE)
OWN_KIND = "lint-epoch: ignore"


@dataclass(frozen=True, slots=True)
class Unused:
    """Codes in one comment that silence nothing."""

    path: str
    comment: Comment
    codes: tuple[str, ...]

    @property
    def finding(self) -> Finding:
        """What is reported."""
        comment = self.comment
        return Finding(
            code=UNUSED.code,
            name=UNUSED.name,
            message=f"unused {', '.join(self.codes)} in a `# {comment.kind}` comment that silences nothing",
            path=self.path,
            line=comment.line,
            column=comment.start + 1,
            end_line=comment.line,
            end_column=comment.end + 1,
            confidence="proved",
            consequence=UNUSED.consequence,
            fix=FixOffer("safe", f"take {', '.join(self.codes)} out"),
        )


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
        idle = tuple(code for code in comment.codes if _is_idle(code, comment, silenced, selection, shown))
        if idle:
            result.append(Unused(shown, comment, idle))
    return result


def _is_idle(code: str, comment: Comment, silenced: set[str], selection: Selection, path: str) -> bool:
    ours = _OURS.fullmatch(code) is not None or comment.kind == OWN_KIND
    if not ours or comment.effect == "nothing":
        return ours
    # What silences everything may be there for any rule.
    begin = code if comment.effect == "named" else ""
    meant = [rule.code for rule in all_rules() if rule.code.startswith(begin)]
    if any(one.startswith(begin) for one in silenced):
        return False
    return all(selection.is_on(one, path) for one in meant)  # also where it means none at all


def removal(text: str, unused_ones: Iterable[Unused]) -> list[Edit]:
    """Return the edits that take codes out of comments, and comments out of lines where no code is left."""
    starts = _starts(text)
    lines = split_lines(text)
    by_line: dict[int, list[Unused]] = {}
    for one in unused_ones:
        by_line.setdefault(one.comment.line, []).append(one)
    edits = []
    for number, ones in by_line.items():
        body = lines[number - 1]
        # From the last of a line to the first, so that the places of those before stay what they are.
        after = functools.reduce(_without, sorted(ones, key=lambda one: -one.comment.start), body)
        kept = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(body, after, strict=False)))
        edits.append(Edit(starts[number - 1] + kept, starts[number - 1] + len(body), after[kept:]))
    return edits


def _without(line: str, one: Unused) -> str:
    """The line without the codes, or the comment, that silence nothing."""
    comment = one.comment
    kept = ", ".join(code for code in comment.codes if code not in one.codes)
    if not kept:
        start, end, new = _whole(line, comment)
    elif comment.kind == OWN_KIND:
        start, end, new = comment.start, comment.end, f"# {OWN_KIND}[{kept}]"
    else:
        start, end = comment.start, comment.end
        new = f"{line[start:end].rpartition(':')[0]}: {kept}"
    return line[:start] + new + line[end:]


def _whole(line: str, comment: Comment) -> tuple[int, int, str]:
    """Where a comment begins and ends that goes as a whole, and what comes in its place."""
    body = line.rstrip("\r\n")
    rest = body[comment.end :]
    if comment.kind == OWN_KIND:
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
    named = [comment for comment in comments_of(text) if comment.effect == "named"]
    known = {comment.line: comment for comment in named if comment.kind == "noqa"}
    edits = []
    for number, new in sorted(codes.items()):
        body = lines[number - 1].rstrip("\r\n")
        start = end = len(body.rstrip())
        comment = known.get(number)
        if comment is not None:
            # flake8 reads the first of a line only.
            start = comment.start
            end = start + len(body[start : comment.end].rstrip())
            spelled = f"# noqa: {', '.join([*comment.codes, *sorted(new)])}"
        else:
            spelled = f"  # noqa: {', '.join(sorted(new))}"
        edits.append(Edit(starts[number - 1] + start, starts[number - 1] + end, spelled))
    return edits


def _starts(text: str) -> list[int]:
    """The offset of each line, in code points."""
    starts = [0]
    for line in split_lines(text):
        starts.append(starts[-1] + len(line))
    return starts


def rewrite(path: Path, root: Path, edits_of: Callable[[str], list[Edit]], *, write: bool) -> FileChange:
    """Change the comments of a file; return what changes.

    Args:
        path: the file.
        root: the project's folder; the file must lie in it.
        edits_of: gives the edits for the file's text.
        write: whether to write it.

    Raises:
        FixError: the file cannot be read, or written, or something besides comments would change.
    """
    # Imported here: they need libcst, which most runs do without.
    from lint_epoch.fixes.rounds import FileChange
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
    return FileChange(path.as_posix(), source.data, data, source.encoding)
