"""Engines of PyTorch-Ignite: ``run(loader, max_epochs)`` takes pass after pass, event handlers run in between.

What an engine does was read in pytorch-ignite 0.5.3: it sets no epoch by itself, and calls a handler with the engine
and the arguments that were given with it, or without the engine where the handler takes no argument.
"""

from __future__ import annotations

import re

from lint_epoch.facts import records as r
from lint_epoch.facts.text import text_of
from lint_epoch.project.classes import class_has
from lint_epoch.project.interpreter.core import Core
from lint_epoch.project.model import library_classes
from lint_epoch.project.state import Loop
from lint_epoch.project.values import (
    BoundExternal,
    CallArguments,
    Const,
    Data,
    FunctionValue,
    Object,
    TupleValue,
    Unknown,
    Value,
    ValueSet,
    each,
    join,
    only_constant,
)

#: The cell of an engine in which its handlers are kept, each a tuple of the event's text, the function, its arguments.
_HANDLERS = "~handlers"

#: How the names of what ``engine.on`` gives begin.
_ON = "on "

#: Single events that do not come between two passes. At any other, and at one that is computed, a handler may tell the
#: epoch in time.
_NOT_BETWEEN_PASSES = re.compile(r"^(?:\w+\.)*Events\.(?!EPOCH_|GET_BATCH_)")


_PROXY_SAMPLER = "ignite.distributed.auto.DistributedProxySampler"


class Engines(Core):
    """The part of the interpreter that runs engines."""

    def engine_method(self, engine: Object, effect: str, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        """Return what a method of an engine gives, and do what it does."""
        positional = arguments.positional
        if effect == "event" and isinstance(record, r.Call) and record.arguments:
            return (BoundExternal(engine, _ON + text_of(record.arguments[0].value)),)
        if effect == "handler" and len(positional) > 1 and isinstance(record, r.Call):
            self._keep(engine, text_of(record.arguments[0].value), "engine", positional[1], *positional[2:])
            return (Data(),)
        if effect == "run" and isinstance(record, r.Call):
            self._run_engine(engine, arguments, record)
        return (Data(),)

    def decorate_handler(self, decorator: BoundExternal, functions: ValueSet) -> None:
        """``@engine.on(event)``: keep the function as a handler."""
        if decorator.name.startswith(_ON):
            self._keep(decorator.receiver, decorator.name.removeprefix(_ON), "engine", functions)

    def _keep(self, engine: Object, event: str, takes: str, functions: ValueSet, *given: ValueSet) -> None:
        kept = TupleValue(((Const(event),), (Const(takes),), functions, *given))
        known = self.get_attribute(engine, _HANDLERS) or ()
        # Not joined: a set of values may be cut short, and each handler counts.
        self.set_attribute(engine, _HANDLERS, (*known, kept))

    def _run_engine(self, engine: Object, arguments: CallArguments, record: r.Call) -> None:
        given = dict(zip(("data", "max_epochs"), arguments.positional, strict=False)) | arguments.keywords
        epochs = given.get("max_epochs", (Const(1),))
        only = only_constant(epochs)
        if "data" not in given or (only is not None and only.value in (None, 1)):
            return
        data = next((one.value for one in record.arguments if one.keyword in (None, "data")), record)
        loop = Loop(r.While(record.at, r.Constant(record.at, True), (), ()), self.frame, "framework")
        loop.runner = "ignite.engine.Engine, which sets no epoch"
        loop.hook = "a handler of Events.EPOCH_STARTED"
        loop.asks_loader = False
        state = Data(frozenset({loop.uid}))
        for _ in self.twice(loop):
            self.set_attribute(engine, "state", (state,))
            for handler in self.get_attribute(engine, _HANDLERS) or ():
                self._handle(engine, handler, record)
            self.iterate(given["data"], data)

    def _handle(self, engine: Object, handler: Value, record: r.AnyExpression) -> None:
        assert isinstance(handler, TupleValue)
        event, takes, functions, *given = handler.elements
        if _NOT_BETWEEN_PASSES.match(_text(event)):
            return
        first = (engine,) if _text(takes) == "engine" else self.get_attribute(engine, "state") or ()
        for function in functions:
            needs_none = isinstance(function, FunctionValue) and _takes_nothing(function)
            self.call((function,), CallArguments(() if needs_none else (first, *given)), record)

    def _gives_engine(self, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        return (self.made_by_library("ignite.engine.Engine", record),)

    def _gives_common_handlers(self, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        """``setup_common_training_handlers(trainer, train_sampler=…)``: the sampler is told each epoch."""
        given = dict(zip(("trainer", "train_sampler"), arguments.positional, strict=False)) | arguments.keywords
        samplers = [value for value in given.get("train_sampler", ()) if isinstance(value, Object)]
        for engine in given.get("trainer", ()):
            if isinstance(engine, Object):
                for sampler in samplers:
                    self._keep(engine, "EPOCH_STARTED", "epoch", self.attribute(sampler, "set_epoch", record))
        return (Const(None),)

    def _gives_ignite_loader(self, arguments: CallArguments, record: r.AnyExpression) -> ValueSet:
        """``auto_dataloader(dataset, …)``: a DataLoader, with a distributed sampler where there are several ranks."""
        made = self.made_by_library("torch.utils.data.DataLoader", record)
        keywords = dict(arguments.keywords)
        dataset = arguments.positional[0] if arguments.positional else keywords.get("dataset", ())
        if "batch_sampler" not in keywords and not (dataset and all(map(_is_iterable_only, dataset))):
            keywords["sampler"] = self._ignite_sampler(
                keywords.get("sampler", (Const(None),)), dataset, keywords, record
            )
        self.bind_library(made, library_classes(made)[0], CallArguments(arguments.positional, keywords, arguments.open))
        return (made,)

    def _ignite_sampler(
        self, given: ValueSet, dataset: ValueSet, keywords: dict[str, ValueSet], record: r.AnyExpression
    ) -> ValueSet:
        """Return the sampler on one rank, which is what was given, and the one on several."""

        def on_several(value: Value) -> ValueSet:
            if isinstance(value, Unknown):
                return (value,)
            if isinstance(value, Object) and any(base.entry.distributed for base in library_classes(value)):
                return (value,)
            none_given = isinstance(value, Const)
            name = "torch.utils.data.distributed.DistributedSampler" if none_given else _PROXY_SAMPLER
            made = Object(self.project.library_class(name), self.site(record))
            made.arguments["dataset" if none_given else "sampler"] = dataset if none_given else (value,)
            if none_given and "shuffle" in keywords:
                made.arguments["shuffle"] = keywords["shuffle"]
            return (made,)

        return join(given, each(given, on_several))


def _text(values: ValueSet) -> str:
    constant = only_constant(values)
    return str(constant.value) if constant is not None else ""


def _takes_nothing(function: FunctionValue) -> bool:
    parameters = function.record.parameters
    return len(parameters) <= int(function.bound is not None)


def _is_iterable_only(value: Value) -> bool:
    if not isinstance(value, Object):
        return False
    return class_has(value.cls, "__iter__") is True and class_has(value.cls, "__getitem__") is False
