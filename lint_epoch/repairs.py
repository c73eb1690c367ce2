"""What a rule asks ``fixes/`` to do, as data: a rule names the mend, it never builds syntax.

A node is named by its file and its index in the order in which the facts visitor meets nodes (``at`` in the records
of ``lint_epoch.facts``); ``lint_epoch.facts.visitor.nodes_of`` gives the tree's node for each index.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

Through = Literal["", "sampler", "batch_sampler", "batch_sampler.sampler", "dataset"]


class Target(msgspec.Struct, frozen=True):
    """An object that a wrapper holds and that must receive the call."""

    attribute: str
    """The attribute of ``self`` that holds it, without ``self.``."""
    through: Through = ""
    """The attribute of the held object that has the method; empty for the held object itself."""
    certain: bool = True
    """Whether the receiver is known to have the method; else the call is guarded."""
    container: Literal["one", "sequence", "mapping"] = "one"
    """Whether the attribute holds the object itself, a list or tuple of such objects, or a dict of them."""


class ForwardMethod(msgspec.Struct, frozen=True, tag=True):
    """Insert a method that passes the call on to what the class holds."""

    path: str
    class_at: int
    method: Literal["set_epoch", "__len__", "state_dict", "load_state_dict"]
    targets: tuple[Target, ...]
    extends_base: bool = False
    """Whether a base class has ``set_epoch`` too, so that the new one must call it first."""


class ForwardInside(msgspec.Struct, frozen=True, tag=True):
    """Let an existing ``set_epoch`` pass the call on: append the forwarding statements to the method's body."""

    path: str
    method_at: int
    targets: tuple[Target, ...]


class AdvanceEpoch(msgspec.Struct, frozen=True, tag=True):
    """Let a class that restarts what it holds advance the epoch on each pass, from the epoch last set.

    The statements go in front of ``before_at``, the statement that starts a pass.
    """

    path: str
    class_at: int
    before_at: int
    targets: tuple[Target, ...]
    restarts: bool = False
    """Whether the statement starts another pass where the last one ended, so that the epoch goes up first."""


class InsertStatement(msgspec.Struct, frozen=True, tag=True):
    """Insert one line of source before a statement, at that statement's indentation."""

    path: str
    before_at: int
    text: str


class InsertAtTop(msgspec.Struct, frozen=True, tag=True):
    """Insert lines of source as the first statements of the body of a loop.

    ``rename_target`` gives a loop without a usable variable (``for _ in …``) a new one.
    """

    path: str
    loop_at: int
    lines: tuple[str, ...]
    rename_target: str | None = None


class MoveBefore(msgspec.Struct, frozen=True, tag=True):
    """Move a whole statement so that it stands right before another one, at that one's indentation."""

    path: str
    statement_at: int
    before_at: int


class ReplaceExpression(msgspec.Struct, frozen=True, tag=True):
    """Put other source text in place of one expression."""

    path: str
    at: int
    text: str


class ReplaceStatement(msgspec.Struct, frozen=True, tag=True):
    """Put lines of source in place of a statement that has its line for itself, at its indentation."""

    path: str
    at: int
    lines: tuple[str, ...]


Single: TypeAlias = InsertStatement | InsertAtTop | MoveBefore | ReplaceExpression | ReplaceStatement


class Together(msgspec.Struct, frozen=True, tag=True):
    """Make several changes of one file together, or none of them."""

    path: str
    parts: tuple[Single, ...]


Repair: TypeAlias = ForwardMethod | ForwardInside | AdvanceEpoch | Together | Single
