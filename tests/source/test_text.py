"""What is read is held against what Python itself makes of the same bytes."""

from __future__ import annotations

import codecs
import hashlib
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from lint_epoch.source import text as text_module
from lint_epoch.source.text import SourceError, read_source, source_of_bytes, source_of_text

PATH = Path("/project/file.py")
BOM = codecs.BOM_UTF8
VALUE = "x = 'é'"

#: Files that assign a string to x: (bytes, the encoding that is found).
READABLE = {
    "utf-8": (VALUE.encode(), "utf-8"),
    "utf-8 with a byte order mark": (BOM + VALUE.encode(), "utf-8"),
    "utf-8 declared": (f"# coding: utf-8\n{VALUE}".encode(), "utf-8"),
    "utf-8 declared with a byte order mark": (BOM + f"# coding: utf-8\n{VALUE}".encode(), "utf-8"),
    "utf-8 as Emacs declares it": (f"# -*- coding: UTF-8-unix -*-\n{VALUE}".encode(), "utf-8"),
    "latin-1": (f"# coding: latin-1\n{VALUE}".encode("latin-1"), "iso-8859-1"),
    "latin-1 as Emacs declares it": (f"# -*- coding: Latin_1-dos -*-\n{VALUE}".encode("latin-1"), "iso-8859-1"),
    "latin-1 as Vim declares it": (f"# vim: set fileencoding=latin1 :\n{VALUE}".encode("latin-1"), "latin1"),
    "cp1252 after a first line": (f"#!/usr/bin/python\n# coding: cp1252\n{VALUE}".encode("cp1252"), "cp1252"),
    "cp1252 after a blank line": (f" \f\n \f# coding: cp1252\n{VALUE}".encode("cp1252"), "cp1252"),
    "latin-1 with letters in the first line": (f"# é\n# coding: latin-1\n{VALUE}".encode("latin-1"), "iso-8859-1"),
    "latin-1 with CRLF": (f"#\r\n# coding: latin-1\r\n{VALUE}\r\n".encode("latin-1"), "iso-8859-1"),
    "latin-1 with lone CR": (f"#\r# coding: latin-1\r{VALUE}\r".encode("latin-1"), "iso-8859-1"),
    "declaration on the third line": (f"#\n#\n# coding: latin-1\n{VALUE}".encode(), "utf-8"),
    "declaration below code": (f"y = 1\n# coding: latin-1\n{VALUE}".encode(), "utf-8"),
    "declaration after code": (f"y = 1  # coding: latin-1\n{VALUE}".encode(), "utf-8"),
    "declaration without a name": (f"# coding: \n{VALUE}".encode(), "utf-8"),
    "no declaration": (f"# coding latin-1\n{VALUE}".encode(), "utf-8"),
    "two on one line": (f"# coding coding:cp1252 coding:utf-8\n{VALUE}".encode("cp1252"), "cp1252"),
    "japanese": ("# coding: shift_jis\nx = 'テスト'".encode("shift_jis"), "shift_jis"),
}

#: Files that Python refuses, too: (bytes, what the message names, the line).
REFUSED = {
    "undecodable": (b"x = 1\ny = '\xe9'\n", "is not UTF-8, and declares no other encoding; save it as UTF-8", 2),
    "undecodable after lone CR": (b"x = 1\ry = '\xe9'\r", "is not UTF-8", 2),
    "undecodable as declared": (b"# coding: ascii\n\nx = '\xe9'\n", "is not ascii, as it declares", 3),
    "unknown encoding": (b"#\n# coding: klingon\nx = 1\n", "declares the encoding klingon", 2),
    "encoding of no text": (b"# coding: hex\nx = 1\n", "declares the encoding hex", 1),
    "byte order mark against declaration": (BOM + b"# coding: latin-1\nx = 1\n", "byte order mark", 1),
    "byte order mark against another spelling": (BOM + b"# coding: utf8\nx = 1\n", "byte order mark", 1),
    "nul byte": (b"x = 1\r\ny = '\x00'\r\n", "nul bytes", 2),
    "utf-16": ("x = 1\n".encode("utf-16"), "UTF-16", 1),
    "nul character": (b"# coding: utf-7\n#\nx = '+AAA-'\n", "nul characters", 3),
}


@pytest.mark.parametrize("case", READABLE)
def test_text_is_what_python_reads(case: str) -> None:
    data, encoding = READABLE[case]
    source = source_of_bytes(PATH, data)
    theirs: dict[str, object] = {}
    ours: dict[str, object] = {}
    exec(compile(data, "theirs", "exec"), theirs)
    exec(compile(source.text, "ours", "exec"), ours)
    assert ours["x"] == theirs["x"]
    assert (source.encoding, source.has_bom) == (encoding, data.startswith(BOM))


@pytest.mark.parametrize("case", READABLE)
def test_encoding_the_same_text_gives_the_same_bytes(case: str) -> None:
    source = source_of_bytes(PATH, READABLE[case][0])
    assert source.encode(source.text) == source.data


@pytest.mark.parametrize("case", REFUSED)
def test_what_python_refuses_is_refused_with_a_way_out(case: str) -> None:
    data, message, line = REFUSED[case]
    with pytest.raises((SyntaxError, ValueError)):
        compile(data, "theirs", "exec")
    with pytest.raises(SourceError) as refusal:
        source_of_bytes(PATH, data)
    assert message in str(refusal.value)
    assert refusal.value.line == line
    assert any(way_out in str(refusal.value) for way_out in ("save", "remove", "exclude"))


def test_half_a_surrogate_pair_from_a_codec_is_refused() -> None:
    with pytest.raises(SourceError, match="cannot be decoded as utf-7"):
        source_of_bytes(PATH, b"# coding: utf-7\nx = '+2AA-'\n")


@pytest.mark.parametrize("data", [b"", b"\n", BOM, b"x\r\ny\rz\n\n", b"x", b"\x0cx\n\x0b\x1c", "x = '\u2028'".encode()])
def test_newlines_and_controls_are_kept(data: bytes) -> None:
    assert source_of_bytes(PATH, data).text == data.removeprefix(BOM).decode()


def test_encoding_puts_back_what_the_file_has() -> None:
    marked = source_of_bytes(PATH, BOM + b"x = 1\r\n")
    assert marked.encode("y = 'é'\r\n") == BOM + "y = 'é'\r\n".encode()
    latin = source_of_bytes(PATH, b"# coding: latin-1\n")
    assert latin.encode("# coding: latin-1\ny = 'é'") == "# coding: latin-1\ny = 'é'".encode("latin-1")


def test_text_that_the_encoding_cannot_hold_is_an_error_with_its_line() -> None:
    source = source_of_bytes(PATH, b"# coding: latin-1\n")
    with pytest.raises(SourceError, match=r"'.u20ac' cannot be written in the file's encoding, iso-8859-1") as error:
        source.encode("# coding: latin-1\r\nx = '€'")
    assert error.value.line == 2


def test_digest_is_that_of_the_bytes(tmp_path: Path) -> None:
    data = BOM + b"x = 1\r\n"
    (tmp_path / "a.py").write_bytes(data)
    assert read_source(tmp_path / "a.py").digest == hashlib.blake2b(data, digest_size=32).hexdigest()
    assert source_of_bytes(PATH, data).digest != source_of_bytes(PATH, data[3:]).digest


def test_file_is_read_with_its_path(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"x = 1\n")
    source = read_source(tmp_path / "a.py")
    assert (source.path, source.data, source.text) == (tmp_path / "a.py", b"x = 1\n", "x = 1\n")


def test_file_at_the_limit_is_read_and_one_above_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_module, "MAX_SOURCE_BYTES", 2**20)
    (tmp_path / "a.py").write_bytes(b"#" * 2**20)
    assert len(read_source(tmp_path / "a.py").text) == 2**20
    (tmp_path / "a.py").write_bytes(b"#" * (2**20 + 1))
    with pytest.raises(SourceError, match=r"larger than 1 MiB.*exclude"):
        read_source(tmp_path / "a.py")


def test_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        read_source(tmp_path / "gone.py")


def test_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="not a regular file"):
        read_source(tmp_path)


def test_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(SourceError, match="not a regular file"):
        read_source(tmp_path / "pipe.py")


def test_circle_of_links_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.py").symlink_to("a.py")
    with pytest.raises(SourceError, match="cannot be read"):
        read_source(tmp_path / "a.py")


def test_unreadable_file_is_an_error_that_says_why(
    open_folder: Path, unprivileged: Callable[[], AbstractContextManager[None]]
) -> None:
    (open_folder / "a.py").write_bytes(b"x = 1\n")
    (open_folder / "a.py").chmod(0)
    with unprivileged(), pytest.raises(SourceError, match=r"cannot be read .Permission denied.; make it readable"):
        read_source(open_folder / "a.py")


def test_error_becomes_the_record_of_a_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    problem = SourceError(Path("a.py"), "is odd", 3).problem
    assert (problem.path, problem.message, problem.line) == ((tmp_path / "a.py").as_posix(), "is odd", 3)


def test_text_from_an_editor_is_taken_as_it_is() -> None:
    source = source_of_text(PATH, "\ufeff# coding: latin-1\r\nx = 'é€'")
    assert source.text == "# coding: latin-1\r\nx = 'é€'"
    assert source.encode(source.text) == source.data == source.text.encode()


@pytest.mark.parametrize(("text", "message"), [("x = 1\ny = '\0'", "nul bytes"), ("x = 1\ny = '\ud800'", "surrogate")])
def test_text_that_no_file_can_hold_is_refused(text: str, message: str) -> None:
    with pytest.raises(SourceError, match=message) as refusal:
        source_of_text(PATH, text)
    assert refusal.value.line == 2
