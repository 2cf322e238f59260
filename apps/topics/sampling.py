"""Repeatable random draws: they depend on a seed and the URLs alone."""

from __future__ import annotations

import hashlib
from typing import Any


def sample(rows: list[Any], most: int, seed: int) -> list[Any]:
    """At most `most` rows, drawn by the seed and their URLs, in their order."""
    if len(rows) <= most:
        return rows
    ranked = sorted(rows, key=lambda row: sampling_key(seed, row.url))
    chosen = {id(row) for row in ranked[:most]}
    return [row for row in rows if id(row) in chosen]


def sampling_key(seed: int, url: str) -> bytes:
    """A URL's sort key in a random order, the same in every process."""
    return hashlib.blake2b(f"{seed} {url}".encode(), digest_size=16).digest()


def seed_of(*parts: object) -> int:
    """A random seed derived from a name."""
    digest = hashlib.blake2b(" ".join(map(str, parts)).encode(), digest_size=4).digest()
    return int.from_bytes(digest) >> 1
