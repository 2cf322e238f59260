"""Bodies piece by piece: every coding that servers send, and what a decoder may cost."""

from __future__ import annotations

import gzip
import random
import tracemalloc
import zlib

import brotli
import pytest
import zstandard

from apps.engine.networking.inflating import SLICE, ZSTD_SLICE, DamagedBody, Inflater

PAGE = b"<html><title>Bread</title><p>Sourdough and rye.</html>"


def bare_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


PACKED = {
    "": PAGE,
    "identity": PAGE,
    "none": PAGE,
    " GZIP ": gzip.compress(PAGE, mtime=0),
    "x-gzip": gzip.compress(PAGE[:9], mtime=0) + gzip.compress(PAGE[9:], mtime=0),
    "deflate": zlib.compress(PAGE),
    "Deflate": bare_deflate(PAGE),
    "br": brotli.compress(PAGE),
    "zstd": zstandard.compress(PAGE),
    "gzip, br": brotli.compress(gzip.compress(PAGE, mtime=0)),
    "zstd,deflate": zlib.compress(zstandard.compress(PAGE)),
    "utf-8": PAGE,
    "text/html": PAGE,
    "gzip": PAGE,
}


def inflated(encoding: str | None, *pieces: bytes, limit: int = 10_000) -> Inflater:
    made = Inflater(encoding, limit)
    for piece in pieces:
        made.feed(piece)
    return made


def in_pieces(data: bytes, size: int) -> list[bytes]:
    return [b"", *(data[i : i + size] for i in range(0, len(data), size)), b""]


@pytest.mark.parametrize("encoding", PACKED)
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_a_body_is_the_same_however_it_is_cut(encoding, size):
    made = inflated(encoding, *in_pieces(PACKED[encoding], size))
    assert (made.body(), made.truncated) == (PAGE, False)
    assert inflated(None, PAGE).body() == PAGE


@pytest.mark.parametrize(
    ("encoding", "data"),
    [
        ("gzip", gzip.compress(PAGE, mtime=0)[:12] + PAGE),
        ("br", PAGE),
        ("zstd", PAGE),
        ("deflate", gzip.compress(PAGE, mtime=0)),
        ("deflate", b"\x98\x98\x98\x98"),
    ],
)
def test_a_body_in_another_encoding_than_declared_is_damaged(encoding, data):
    with pytest.raises(DamagedBody):
        inflated(encoding, data).body()


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
@pytest.mark.parametrize("size", [3, 10_000])
def test_what_follows_the_end_is_ignored(encoding, size):
    packed = PACKED[" GZIP "] if encoding == "gzip" else PACKED["deflate"]
    for rest in (b"rubbish", b"\x1f", b"\x78\x9c\x01", gzip.compress(b"more")[1:]):
        made = inflated(encoding, *in_pieces(packed + rest, size))
        assert (made.body(), made.truncated) == (PAGE, False)


@pytest.mark.parametrize("encoding", [name for name, data in PACKED.items() if data != PAGE])
@pytest.mark.parametrize("size", [5, 10_000])
def test_an_encoded_body_without_its_end_is_truncated(encoding, size):
    made = inflated(encoding, *in_pieces(PACKED[encoding][:-10], size))
    assert PAGE.startswith(made.body()) and made.truncated


def test_an_encoded_body_of_which_nothing_came_is_empty_but_whole():
    made = inflated("gzip", b"")
    assert (made.body(), made.truncated) == (b"", False)


@pytest.mark.parametrize("encoding", ["identity", "gzip", "deflate"])
@pytest.mark.parametrize("size", [1, 10, 10_000])
def test_a_body_is_kept_up_to_its_limit_and_cut_beyond(encoding, size):
    pack = {"identity": bytes, "gzip": gzip.compress, "deflate": zlib.compress}[encoding]
    for length, cut in ((99, False), (100, False), (101, True), (5_000, True)):
        made = inflated(encoding, *in_pieces(pack(b"x" * length), size), limit=100)
        assert (made.body(), made.truncated) == (b"x" * min(length, 100), cut), length


@pytest.mark.parametrize("length", [SLICE - 1, SLICE, SLICE + 1, 3 * SLICE, 3 * SLICE + 5])
@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_a_body_longer_than_a_slice_is_decoded_whole(encoding, length):
    for data in (b"x" * length, random.Random(length).randbytes(length)):
        packed = (gzip.compress if encoding == "gzip" else zlib.compress)(data)
        made = inflated(encoding, packed, limit=10**7)
        assert made.body() == data and not made.truncated
        assert inflated(encoding, packed + packed, limit=10**7).body() == (
            2 * data if encoding == "gzip" else data
        )


BOMBS = {
    "gzip": lambda data: gzip.compress(data, 9),
    "br": lambda data: brotli.compress(data, quality=5),
    "zstd": lambda data: zstandard.compress(data, 3),
    "gzip, br": lambda data: brotli.compress(gzip.compress(data), quality=5),
    "zstd, zstd": lambda data: zstandard.compress(zstandard.compress(data)),
}


@pytest.mark.parametrize("coding", BOMBS)
def test_a_bomb_in_one_piece_costs_no_more_than_its_limit_and_some_slices(coding: str) -> None:
    zeros, bomb = bytes(10**6), BOMBS[coding](bytes(30 * 10**6))
    tracemalloc.start()
    try:
        made = inflated(coding, bomb, limit=10**6)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert made.truncated and made.body() == zeros
    assert peak < 10**6 + ZSTD_SLICE // 4 * 2 * SLICE


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
@pytest.mark.parametrize("size", [1, 10, 100, SLICE + 1])
def test_the_head_is_the_first_bytes_however_they_came(encoding, size):
    data = random.Random(7).randbytes(2 * SLICE)
    packed = gzip.compress(data, 1) if encoding == "gzip" else data
    pieces = [packed[:size], packed[size:]]
    made = Inflater(encoding, 10**6)
    assert made.head(512) == b""
    for piece in pieces:
        made.feed(piece)
        assert data.startswith(made.head(512))
    assert made.head(512) == data[:512]
