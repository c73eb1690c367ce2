"""The stage from a file's bytes to its records: a pure function, which any process on any machine can run."""

from __future__ import annotations

from pathlib import Path

import msgspec

from lint_epoch.facts import records as r
from lint_epoch.source.cache import Cache, fingerprint, name_of
from lint_epoch.source.deep import run_deep
from lint_epoch.source.text import SourceError, source_of_bytes


class Facts(msgspec.Struct, frozen=True, array_like=True):
    """What a file says, or why it cannot be read."""

    module: r.Module | None
    message: str = ""
    line: int | None = None

    def raise_error(self, path: Path) -> None:
        """Raise what is wrong with the file, if anything is, as the error of a path.

        Raises:
            SourceError: the file cannot be parsed.
        """
        if self.module is None:
            raise SourceError(path, self.message, self.line)


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Facts)


def facts_of(data: bytes) -> Facts:
    """Return what bytes say, from nothing but the bytes."""
    # Imported here: facts that a cache holds do without libcst.
    from lint_epoch.facts.visitor import read_module
    from lint_epoch.source.parsing import parse

    def read() -> r.Module:
        return read_module(parse(source_of_bytes(Path(), data)))

    try:
        return Facts(run_deep(read))
    except SourceError as error:
        return Facts(None, error.message, error.line)


def packed(facts: Facts) -> bytes | None:
    """Return facts as msgpack, for the cache and for other processes; ``None`` if it has no place for them.

    They may nest too deep, or hold half of a surrogate pair.
    """
    try:
        return run_deep(lambda: _encoder.encode(facts))
    except (RecursionError, UnicodeEncodeError):
        return None


def packed_facts_of(data: bytes) -> bytes | None:
    """Return ``packed(facts_of(data))``."""
    return packed(facts_of(data))


def unpacked(held: bytes) -> Facts | None:
    """Return the facts in msgpack, ``None`` if it holds no facts of this version."""
    try:
        return run_deep(lambda: _decoder.decode(held))
    except (msgspec.DecodeError, RecursionError):
        return None


def entry_of(data: bytes) -> str:
    """Return the name under which a cache keeps the facts of a file: it changes with the bytes and with our code."""
    return name_of("facts", fingerprint("facts", "source"), data)


def cached_facts(data: bytes, cache: Cache | None) -> Facts:
    """Return what bytes say, from the cache if it knows."""
    if cache is None:
        return facts_of(data)
    entry = entry_of(data)
    held = cache.get(entry)
    known = unpacked(held) if held is not None else None
    if known is not None:
        return known
    facts = facts_of(data)
    made = packed(facts)
    if made is not None:
        cache.put(entry, made)
    return facts
