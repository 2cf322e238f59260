"""Two sequences aligned: equal stretches, and between them the replacements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from zlib import crc32

MOST_WORD_PAIRS = 4_000_000
"""Pairs of words that are compared one by one; beyond, all of them are in or out."""
MOST_STEPS = 20_000_000
"""Steps that difflib may need; beyond, it passes over words that are frequent."""
Opcode = tuple[str, int, int, int, int]


def opcodes(old: Sequence[object], new: Sequence[object]) -> list[Opcode]:
    """The opcodes of difflib, computed between the common prefix and suffix; one replacement if
    there are too many pairs."""
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    a, b = old[first : len(old) - last], new[first : len(new) - last]
    middle = (
        SequenceMatcher(None, a, b, autojunk=most_steps(a, b) > MOST_STEPS).get_opcodes()
        if len(a) * len(b) <= MOST_WORD_PAIRS
        else [("replace", 0, len(a), 0, len(b))]
    )
    return [
        *([("equal", 0, first, 0, first)] if first else []),
        *((t, i + first, j + first, k + first, m + first) for t, i, j, k, m in middle),
        *([("equal", len(old) - last, len(old), len(new) - last, len(new))] if last else []),
    ]


def most_steps(old: Sequence[object], new: Sequence[object]) -> int:
    """The steps that difflib needs at most: it looks at each pair of equal words in each search,
    and may search once for each word."""
    before, after = Counter(old), Counter(new)
    pairs = sum(count * after[word] for word, count in before.items())
    return pairs * min(len(old), len(new)) // 2


def word_opcodes(old: Sequence[str], new: Sequence[str]) -> Iterator[Opcode]:
    """The opcodes of the words; in long blocks only where runs of words differ."""
    if len(old) * len(new) <= MOST_WORD_PAIRS:
        yield from opcodes(old, new)
        return
    runs = _runs(old), _runs(new)
    begins = [[0, *accumulate(map(len, side))] for side in runs]
    for tag, i, j, k, m in opcodes(*runs):
        a, b, c, d = begins[0][i], begins[0][j], begins[1][k], begins[1][m]
        if tag == "equal":
            yield tag, a, b, c, d
        else:
            inner = opcodes(old[a:b], new[c:d])
            yield from ((t, w + a, x + a, y + c, z + c) for t, w, x, y, z in inner)


def _runs(words: Sequence[str]) -> list[tuple[str, ...]]:
    """The words in runs of some ten, which end by a word's digest: a change moves no
    other end."""
    runs: list[tuple[str, ...]] = []
    begin = 0
    for at, word in enumerate(words, 1):
        if crc32(word.encode("utf-8", "replace")) % 10 == 0:
            runs.append(tuple(words[begin:at]))
            begin = at
    return [*runs, tuple(words[begin:])]
