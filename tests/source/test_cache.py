"""The cache: what it keeps comes back, and whatever is wrong with its folder, nothing worse happens than a miss."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lint_epoch.facts.stage import Facts, cached_facts, entry_of, facts_of, packed, unpacked
from lint_epoch.source import cache as module
from lint_epoch.source.cache import Cache, clean, fingerprint, name_of, open_cache
from lint_epoch.source.deep import run_deep

KEY = b"k" * 32
NAME = name_of("something")


def only_file(folder: Path) -> Path:
    (found,) = (path for path in folder.rglob("*") if path.is_file())
    return found


def test_what_is_put_comes_back(tmp_path: Path) -> None:
    Cache(tmp_path, KEY).put(NAME, b"held")
    assert Cache(tmp_path, KEY).get(NAME) == b"held"
    assert stat.S_IMODE(only_file(tmp_path).stat().st_mode) & 0o077 == 0


@given(st.binary(max_size=100))
def test_an_entry_with_any_other_content_is_not_read(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("cache")
    cache = Cache(folder, KEY)
    cache.put(NAME, b"held")
    only_file(folder).write_bytes(data)
    assert cache.get(NAME) is None
    cache.put(NAME, b"anew")
    assert cache.get(NAME) == b"anew"


def test_an_entry_of_another_user_is_not_read(tmp_path: Path) -> None:
    Cache(tmp_path, b"their key".ljust(32)).put(NAME, b"no findings")
    assert Cache(tmp_path, KEY).get(NAME) is None


def test_an_entry_cannot_stand_in_for_another(tmp_path: Path) -> None:
    cache = Cache(tmp_path, KEY)
    cache.put(NAME, b"no findings")
    other = name_of("something else")
    target = cache._path(other)
    target.parent.mkdir(exist_ok=True)
    only_file(tmp_path).rename(target)
    assert cache.get(other) is None


@pytest.mark.skipif(os.name != "posix", reason="symbolic links and pipes")
def test_links_and_pipes_are_not_followed(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache", KEY)
    cache.put(NAME, b"held")
    entry = only_file(tmp_path)
    entry.rename(tmp_path / "elsewhere")
    entry.symlink_to(tmp_path / "elsewhere")
    assert cache.get(NAME) is None
    entry.unlink()
    os.mkfifo(entry)
    assert cache.get(NAME) is None


@pytest.mark.skipif(os.name != "posix", reason="symbolic links")
def test_nothing_is_written_through_a_folder_that_leads_elsewhere(tmp_path: Path) -> None:
    folder, outside = tmp_path / "cache", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (folder / NAME[:2]).symlink_to(outside)
    Cache(folder, KEY).put(NAME, b"held")
    (outside / "precious.facts").write_text("mine")
    clean(folder)
    assert [path.name for path in outside.iterdir()] == ["precious.facts"]


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    cache = Cache(tmp_path / "cache", KEY)
    cache.put(NAME, b"held")
    assert cache.get(NAME) is None
    cache.prune()


def test_processes_that_write_at_once_do_no_harm(tmp_path: Path) -> None:
    def work(number: int) -> bytes | None:
        cache = Cache(tmp_path, KEY)
        cache.put(NAME, b"held" * 1000)
        return cache.get(NAME)

    with ThreadPoolExecutor(8) as executor:
        assert set(executor.map(work, range(100))) == {b"held" * 1000}
    assert only_file(tmp_path).name.endswith(".facts")


def test_the_oldest_entries_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 1000)
    monkeypatch.setattr(module, "BYTES_LEFT", 500)
    cache = Cache(tmp_path, KEY)
    names = [name_of(str(number)) for number in range(10)]
    for age, name in enumerate(reversed(names)):
        cache.put(name, b"x" * 100)
        os.utime(cache._path(name), (age, age))
    cache.prune()
    assert [cache.get(name) is not None for name in names] == [True] * 3 + [False] * 7


def test_clean_removes_what_is_ours_and_nothing_else(tmp_path: Path) -> None:
    Cache(tmp_path, KEY).put(NAME, b"held")
    (tmp_path / NAME[:2] / "notes.txt").write_text("mine")
    assert clean(tmp_path) == (1, 36)
    assert only_file(tmp_path).name == "notes.txt"
    assert clean(tmp_path / "nowhere") == (0, 0)


@pytest.mark.skipif(os.name != "posix", reason="file modes")
def test_a_key_that_others_may_read_is_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "default_folder", lambda: tmp_path / "own")
    first, second = open_cache(), open_cache(tmp_path / "other")
    assert first is not None
    assert second is not None
    second.put(NAME, b"held")
    assert Cache(second.folder, (tmp_path / "own" / "key").read_bytes()).get(NAME) == b"held"
    (tmp_path / "own" / "key").chmod(0o644)
    assert open_cache() is None


def test_a_key_that_was_cut_short_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "default_folder", lambda: tmp_path)
    (tmp_path / "key").touch(mode=0o600)
    assert open_cache() is not None
    assert len((tmp_path / "key").read_bytes()) == 32


def test_the_name_of_facts_changes_with_the_bytes_and_with_our_code(monkeypatch: pytest.MonkeyPatch) -> None:
    name = entry_of(b"x = 1\n")
    assert name != entry_of(b"x = 2\n")
    fingerprint.cache_clear()
    monkeypatch.setattr(module, "__version__", "another")
    assert name != entry_of(b"x = 1\n")
    fingerprint.cache_clear()


@pytest.mark.parametrize("data", [b"def f(x):\n    for y in x: yield y\n", b"def f(:\n", b"\xff\n", b"a\0b"])
def test_facts_are_the_same_from_the_cache(tmp_path: Path, data: bytes) -> None:
    cache = Cache(tmp_path, KEY)
    assert cached_facts(data, cache) == facts_of(data)
    held = cache.get(entry_of(data))
    assert held is not None
    assert unpacked(held) == facts_of(data) == cached_facts(data, cache)


@given(st.binary(max_size=200))
def test_no_bytes_are_more_than_facts_or_nothing(data: bytes) -> None:
    assert isinstance(unpacked(data), Facts | None)


def test_facts_of_deep_code_are_kept_or_left(tmp_path: Path) -> None:
    data = b"x = " + b"+".join([b"1"] * 3000) + b"\n"
    facts = facts_of(data)
    assert facts.module is not None
    cache = Cache(tmp_path, KEY)
    assert run_deep(lambda: cached_facts(data, cache) == facts)
    assert run_deep(lambda: cached_facts(data, cache) == facts)
    held = packed(facts)
    assert held is None or cache.get(entry_of(data)) == held


def test_facts_that_msgpack_has_no_place_for_are_read_anew(tmp_path: Path) -> None:
    data = b'x = "\\ud800"\n'
    assert packed(facts_of(data)) is None
    cache = Cache(tmp_path, KEY)
    assert cached_facts(data, cache) == cached_facts(data, cache) == facts_of(data)
