"""Room for recursion that is as deep as what is parsed.

libcst parses by recursion in native code, and its trees are visited by recursion in Python. What exceeds the stack of
the first kills the process; the second stops at Python's limit, which is made for programs, not for sums of 3,000
terms. A thread can have the room that the main one lacks.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

#: The stack of the thread, in bytes. Parsing what the gate lets pass took less than 12 MiB of it (measured with libcst
#: 1.9), and before Python 3.11 each call in Python takes half a KiB more. Room that is not touched costs nothing.
STACK_BYTES = 64 * 2**20

#: Python's recursion limit, in calls, while a function runs there. Visiting 6,200 ``elif``, the deepest that the gate
#: lets pass, took less than 32,000.
RECURSION_LIMIT = 40_000

_lock = threading.Lock()
_here = threading.local()
_running = 0
_usual_limit = 0


def run_deep(function: Callable[[], Result]) -> Result:
    """Call a function where recursion may go ``RECURSION_LIMIT`` deep, and return or raise what it does.

    The limit is the whole process's while the function runs; it is put back when the last such call ends. A call from
    within such a function runs at once, in the same thread.
    """
    if getattr(_here, "is_deep", False):
        return function()
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        _here.is_deep = True
        try:
            results.append(function())
        except BaseException as error:  # raised again for the caller, in whose thread it can be handled
            errors.append(error)

    _raise_limit()
    try:
        _start(run).join()
    finally:
        _put_limit_back()
    if errors:
        raise errors[0]
    return results[0]


def _start(run: Callable[[], None]) -> threading.Thread:
    # A daemon, so that an interrupt ends the program without waiting for the parser, which cannot be interrupted.
    thread = threading.Thread(target=run, name="lint-epoch", daemon=True)
    with _lock:
        usual = threading.stack_size(STACK_BYTES)
        try:
            thread.start()
        finally:
            threading.stack_size(usual)
    return thread


def _raise_limit() -> None:
    global _running, _usual_limit
    with _lock:
        if _running == 0:
            _usual_limit = sys.getrecursionlimit()
            sys.setrecursionlimit(max(_usual_limit, RECURSION_LIMIT))
        _running += 1


def _put_limit_back() -> None:
    global _running
    with _lock:
        _running -= 1
        if _running == 0:
            sys.setrecursionlimit(_usual_limit)
