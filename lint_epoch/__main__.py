"""``python -m lint_epoch``: the command line."""

from __future__ import annotations

import sys

from lint_epoch.cli import main

if __name__ == "__main__":
    sys.exit(main())
