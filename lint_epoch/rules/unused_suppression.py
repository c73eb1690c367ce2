"""A comment names codes to silence, and silences nothing.

## What it does

`lint-epoch check --unused-suppressions` reports, in place of the other findings, the codes of ours in `# noqa` and
`# lint-epoch: ignore[...]` comments that silence no finding. `lint-epoch fix --unused-suppressions` takes them out and
leaves the codes of other tools.

## Why is this bad?

The next finding on that line would be silenced too, and nobody would have decided that.

## Known limits

- A comment without codes, such as a bare `# noqa`, is not judged: it may be there for another tool.
- A code of a rule that is off is not judged: it may be on in another run.
- `# noqa` counts as flake8 reads it. Spellings that only ruff takes for a `noqa` with codes, such as `#noqa: LEP101`
  and `# ruff: noqa: LEP101`, silence nothing here, and are reported.
- `# flake8: noqa: LEP101` silences the whole file, for flake8 and so for us, whatever codes stand in it. It is reported
  where the file has no finding at all.
"""

from __future__ import annotations

from typing import ClassVar

from lint_epoch.diagnostics import Consequence
from lint_epoch.rules.base import Rule


class UnusedSuppression(Rule):
    """Not one of the rules that a check runs: it reads comments, not the model, and only when asked to."""

    code: ClassVar[str] = "LEP001"
    name: ClassVar[str] = "unused-suppression"
    summary: ClassVar[str] = "a comment names codes to silence, and silences nothing"
    consequence: ClassVar[Consequence] = "silences nothing"
    fixable: ClassVar[bool] = True


UNUSED = UnusedSuppression()
