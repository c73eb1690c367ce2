"""Streaming datasets of Hugging Face: which are shuffled, and so need an epoch, and which are a rank's own part.

What each of them does from pass to pass was measured with datasets 5.2.0: a shuffled stream repeats its order until its
own ``set_epoch`` is called, also without a seed; what is derived from it keeps an epoch of its own.
"""

from __future__ import annotations

from typing import TypeGuard

from lint_epoch.facts import records as r
from lint_epoch.project.classes import DICT, LibraryClass
from lint_epoch.project.interpreter.core import Core
from lint_epoch.project.values import (
    TRUE,
    CallArguments,
    Data,
    Object,
    Value,
    ValueSet,
    each,
    join,
    only_constant,
    unknown,
)

STREAM = "datasets.IterableDataset"


class Streams(Core):
    """The part of the interpreter that makes streams and derives them from others."""

    def derived_stream(
        self, value: Object, arguments: CallArguments, record: r.AnyExpression, *, shuffled: bool
    ) -> ValueSet:
        """Return what a method of a stream gives: another stream with the same nature, or shuffled as well."""
        made = self.made_by_library(STREAM, record)
        made.arguments.update(value.arguments)
        if shuffled:
            seed = arguments.positional[0] if arguments.positional else arguments.keywords.get("seed", (Data(),))
            made.arguments.update(shuffled=TRUE, seed=seed)
        return (made,)

    def _gives_stream(self, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        """``load_dataset(…, streaming=True)``: one stream, or a dict of them where no split is named."""
        streaming = only_constant(arguments.keywords.get("streaming", ()))
        if streaming is None or streaming.value is not True:
            return unknown("a dataset that is not known to stream")
        stream = self.made_by_library(STREAM, record)
        if "split" in arguments.keywords:
            return (stream,)
        splits = Object(DICT, self.site(record))
        self.fill(splits, "[]", (stream,))
        return (splits,)

    def _gives_joined_streams(self, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        """``interleave_datasets`` and ``concatenate_datasets``: what one of the parts is, the whole is."""
        given = arguments.positional[0] if arguments.positional else arguments.keywords.get("datasets", ())
        parts = self.known_items(given) or []
        streams = [value for values in parts for value in values if _is_stream(value)]
        if not parts or len(streams) != sum(map(len, parts)):
            return unknown("datasets that are not known to stream")
        made = self.made_by_library(STREAM, record)
        for part in streams:
            made.arguments.update(part.arguments)
        return (made,)

    def _gives_rank_disjoint(self, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        given = arguments.positional[0] if arguments.positional else unknown("dataset")

        def part(value: Value) -> ValueSet:
            made = self.made_by_library(STREAM, record)
            if _is_stream(value):
                made.arguments.update(value.arguments)
            made.arguments["rank-disjoint"] = (value,)
            return (made,)

        return each(given, part) if given else join(part(unknown("dataset")[0]))


def _is_stream(value: Value) -> TypeGuard[Object]:
    return isinstance(value, Object) and isinstance(value.cls, LibraryClass) and value.cls.entry.name == STREAM
