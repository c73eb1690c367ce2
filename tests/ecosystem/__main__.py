"""Bring the record up to date: ``python -m tests.ecosystem [NAME …]`` shows what changes and keeps the judgements."""

from __future__ import annotations

import sys

from ..packages import UnavailableError, pins
from .findings import difference, found_in, recorded, with_judgements, write


def main(names: list[str]) -> int:
    """Check the packages (by default all of the record), write the record, say what is new.

    Args:
        names: names of packages, without their versions.

    Returns:
        1 if a package cannot be had, or a finding still waits for a judgement, else 0.
    """
    record = recorded()
    waiting = False
    for shown, old in list(record.items()):
        if names and shown.partition("==")[0] not in names:
            continue
        try:
            new = found_in(pins()[shown])
        except UnavailableError as error:
            print(error, file=sys.stderr)
            waiting = True
            continue
        print(f"{shown}: {len(new)} findings", *difference(old, new), sep="\n")
        record[shown] = with_judgements(old, new)
        write(record)
        waiting = waiting or any(not one.judged for one in record[shown])
    if waiting:
        print("Read the new findings in the packages' source and fill in `judged` and `why`.", file=sys.stderr)
    return int(waiting)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
