"""Damaged versions of small files: what a disk, an editor, a transfer or an attacker makes of them."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
from collections.abc import Callable, Sequence
from random import Random

#: What readers stumble over: separators, numbers at and beyond bounds, broken and odd characters, deep nesting.
PIECES: list[bytes] = [
    *(b"\0", b"\n", b"\r", b"\r\n", b"\n\n", b"\t", b" ", b",", b";", b'"', b'""', b"'", b"|", b"|||", b"||",
      b":", b"="),
    *(b"{", b"}", b"[", b"]", b"[" * 3000, b'{"a":' * 2000, b"<a>" * 500, b"(" * 200, b"a." * 3000, b"\\",
      b"\\ud800", b"\\x"),
    *(b"0", b"-1", b"1e400", b"nan", b"NaN", b"inf", b"-Infinity", b"1" * 25, b"9" * 5000, b"0.1", b"1_0",
      "²".encode(), "٣".encode()),
    *(b"2147483647", b"2147483648", b"4294967296", b"9223372036854775807", b"9223372036854775808",
      b"18446744073709551616"),
    *(b"\xff", b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80",
      b"\xe2\x80\xa8", b"\x85"),
    *("é".encode(), "e\u0301".encode(), "\u0301".encode(), "\u200b".encode(), "\u3000".encode(),
      "\u202e".encode(), "𝔘".encode()),
    *("ß".encode(), "İ".encode(), "ﬁ".encode(), "👨\u200d👩\u200d👧".encode(), b"\x1b[2J", b"\x1c", b"x" * 4000),
    *(b"S ", b"A 0 1|||R|||b|||REQUIRED|||-NONE-|||0\n", b"A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n",
      b"T", b"I ", b"#"),
    *(b"null", b"true", b"{}", b"[]", b'"\\ud83d"', b"-NONE-", b"noop", b"<!DOCTYPE a [<!ENTITY b 'c'>]>",
      b"&b;", b"<!--", b"]]>"),
]  # fmt: skip
COMPRESSORS: list[Callable[[bytes], bytes]] = [
    lambda data: gzip.compress(data, 1, mtime=0),
    bz2.compress,
    lambda data: lzma.compress(data, preset=0),
    lambda data: b"\x28\xb5\x2f\xfd" + data,
]


_SEPARATOR = re.compile(rb"[ \t\n,;:|=\"\[\]{}<>()']")


def _span(r: Random, data: bytes) -> tuple[int, int]:
    start = r.randrange(len(data) + 1)
    return start, min(len(data), start + r.choice((0, 1, 1, 2, 4, 16, 100)))


def _replace(r: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    start, end = _span(r, data)
    return data[:start] + r.choice(PIECES) + data[end:]


def _insert(r: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    at = r.randrange(len(data) + 1)
    return data[:at] + r.choice(PIECES) + data[at:]


def _remove(r: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    start, end = _span(r, data)
    return data[:start] + data[end:]


def _flip(r: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    if not data:
        return data
    at = r.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << r.randrange(8))]) + data[at + 1 :]


def _cut(r: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    return data[: r.randrange(len(data) + 1)]


def _repeat(r: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    start, end = _span(r, data)
    return data[:end] + data[start:end] * r.choice((1, 1, 2, 30)) + data[end:]


def _move(r: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """Copy a span to another place, so that fields and lines get in each other's way."""
    start, end = _span(r, data)
    at = r.randrange(len(data) + 1)
    return data[:at] + data[start:end] + data[at:]


def _lines(r: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """Remove, repeat or exchange lines."""
    lines = data.split(b"\n")
    first, second = r.randrange(len(lines)), r.randrange(len(lines))
    lines[first : first + r.randrange(2)] = [lines[second]] * r.randrange(3)
    return b"\n".join(lines)


def _word(r: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """Replace a value between separators."""
    before = _SEPARATOR.search(data, r.randrange(len(data) + 1))
    start = before.end() if before else 0
    after = _SEPARATOR.search(data, start)
    return data[:start] + r.choice(PIECES) + data[after.start() if after else len(data) :]


def _splice(r: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    second = r.choice(seeds)
    return data[: r.randrange(len(data) + 1)] + second[r.randrange(len(second) + 1) :]


_WAYS = (_replace, _insert, _remove, _flip, _cut, _repeat, _move, _lines, _lines, _word, _word, _word, _splice)
#: No damaged file is larger.
LARGEST = 1 << 16


def damaged(r: Random, seeds: Sequence[bytes], *, compressed: bool = True) -> bytes:
    """Return one of the files with one to eight damages; some are compressed, and some of these are damaged again."""
    data = r.choice(seeds)
    for _ in range(r.choice((1, 1, 1, 2, 2, 3, 5, 8))):
        data = r.choice(_WAYS)(r, data, seeds)[:LARGEST]
    if compressed and r.random() < 0.03:
        data = r.choice(COMPRESSORS)(data)
        if r.random() < 0.5:
            data = r.choice((_flip, _cut, _remove, _insert))(r, data, seeds)
    return data
