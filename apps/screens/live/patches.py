"""HTML as a patch of the HTML shown before, so that a message carries only what changed.

Both are cut into tokens, at every `<` and every `"`. A patch is a list of parts: a pair `[from,
to]` copies those tokens of the HTML before, a string stands for itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

Patch = list[str | tuple[int, int]]

TOKEN = re.compile(r'[<"]?[^<"]+|[<"]')
# The approximate length of a copy in characters: shorter runs are written as they are.
WORTH_COPYING = 12


def patch(before: str, after: str) -> Patch:
    """The patch that turns `before` into `after`: at each position it copies the longest run it
    can."""
    known, wanted = TOKEN.findall(before), TOKEN.findall(after)
    places: dict[str, list[int]] = {}
    for place, token in enumerate(known):
        places.setdefault(token, []).append(place)
    parts: Patch = []
    at = 0
    while at < len(wanted):
        start, length = _longest(known, wanted, at, places)
        text = "".join(wanted[at : at + max(1, length)])
        if len(text) >= WORTH_COPYING and length:
            parts.append((start, start + length))
        elif parts and isinstance(parts[-1], str):
            parts[-1] += text
        else:
            parts.append(text)
        at += max(1, length)
    return parts


def applied(before: str, parts: Sequence[str | Sequence[int]]) -> str:
    """`before` with a patch applied."""
    known = TOKEN.findall(before)
    return "".join(
        part if isinstance(part, str) else "".join(known[part[0] : part[1]]) for part in parts
    )


def _longest(
    known: Sequence[str], wanted: Sequence[str], at: int, places: Mapping[str, list[int]]
) -> tuple[int, int]:
    """The start in `known` of the longest run of the tokens from `at` on, and its length."""
    best, longest = 0, 0
    for place in places.get(wanted[at], ()):
        # Only a run longer than the best matters, so its last token is compared first.
        end, last = place + longest, at + longest
        if end < len(known) and last < len(wanted) and known[end] == wanted[last]:
            length = _run(known, place, wanted, at)
            if length > longest:
                best, longest = place, length
    return best, longest


def _run(known: Sequence[str], place: int, wanted: Sequence[str], at: int) -> int:
    most = min(len(known) - place, len(wanted) - at)
    return next((i for i in range(most) if known[place + i] != wanted[at + i]), most)
