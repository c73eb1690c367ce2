from __future__ import annotations

import sys
import threading

import pytest

from lint_epoch.source.deep import RECURSION_LIMIT, STACK_BYTES, run_deep


def depth_reached(levels: int) -> int:
    return 0 if levels == 0 else 1 + depth_reached(levels - 1)


def test_recursion_goes_as_deep_as_said() -> None:
    assert run_deep(lambda: depth_reached(RECURSION_LIMIT - 100)) == RECURSION_LIMIT - 100


def test_recursion_without_end_is_an_error_not_a_crash() -> None:
    with pytest.raises(RecursionError):
        run_deep(lambda: depth_reached(10**9))


def test_limits_are_put_back() -> None:
    limit, stack = sys.getrecursionlimit(), threading.stack_size()
    run_deep(lambda: None)
    with pytest.raises(ValueError, match="mine"):
        run_deep(lambda: int("mine"))
    assert (sys.getrecursionlimit(), threading.stack_size()) == (limit, stack)


def test_higher_limit_of_the_caller_stays() -> None:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(RECURSION_LIMIT + 1)
    try:
        assert run_deep(sys.getrecursionlimit) == RECURSION_LIMIT + 1
        assert sys.getrecursionlimit() == RECURSION_LIMIT + 1
    finally:
        sys.setrecursionlimit(limit)


def test_result_and_every_kind_of_exception_come_back() -> None:
    assert run_deep(lambda: "result") == "result"
    for kind in (ValueError, KeyboardInterrupt, SystemExit):

        def fail(kind: type[BaseException] = kind) -> None:
            raise kind("mine")

        with pytest.raises(kind, match="mine"):
            run_deep(fail)


def test_call_within_a_call_stays_in_its_thread() -> None:
    def outer() -> tuple[int, int]:
        return threading.get_ident(), run_deep(threading.get_ident)

    here, inner = run_deep(outer)
    assert here == inner != threading.get_ident()


def test_limit_lasts_until_the_last_of_several_threads_is_done() -> None:
    usual = sys.getrecursionlimit()
    first_started, second_done = threading.Event(), threading.Event()

    def first() -> int:
        first_started.set()
        assert second_done.wait(10)
        return sys.getrecursionlimit()

    limits: list[int] = []
    thread = threading.Thread(target=lambda: limits.append(run_deep(first)))
    thread.start()
    assert first_started.wait(10)
    assert run_deep(lambda: depth_reached(5_000)) == 5_000
    second_done.set()
    thread.join()
    assert limits == [RECURSION_LIMIT]
    assert sys.getrecursionlimit() == usual


def test_stack_is_a_size_that_systems_accept() -> None:
    assert STACK_BYTES % 4096 == 0
