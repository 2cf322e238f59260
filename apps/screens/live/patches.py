"""HTML as a patch of the HTML shown before, so that a message carries only what changed.

Both are cut into tokens, at every `<`, `"` and `/`. A patch is a list of parts: a string stands for
itself, two numbers copy so many tokens (the second) from that place on (the first) out of those of
the HTML before, followed by what the patch has made so far.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

Patch = list[str | int]

TOKEN = re.compile(r'[<"/]?[^<"/]+|[<"/]')
# The approximate length of a copy in characters: shorter runs are written as they are.
WORTH_COPYING = 10


def patch(before: str, after: str) -> Patch:
    """The patch that turns `before` into `after`: at each position it copies the longest run it
    can."""
    known, wanted = TOKEN.findall(before), TOKEN.findall(after)
    places: dict[str, list[int]] = {}
    _index(known, 0, places)
    parts: Patch = []
    at = 0
    while at < len(wanted):
        start, length = _longest(known, wanted, at, places)
        made = wanted[at : at + max(1, length)]
        text = "".join(made)
        if len(text) >= WORTH_COPYING and length:
            parts += [start, length]
        elif parts and isinstance(parts[-1], str):
            parts[-1] += text
        else:
            parts.append(text)
        _index(made, len(known), places)
        known += made
        at += len(made)
    return parts


def applied(before: str, parts: Sequence[str | int]) -> str:
    """`before` with a patch applied."""
    known = TOKEN.findall(before)
    made = len(known)
    rest = iter(parts)
    for part in rest:
        if isinstance(part, str):
            known += TOKEN.findall(part)
        else:
            known += known[part : part + int(next(rest))]
    return "".join(known[made:])


def _index(tokens: Sequence[str], first: int, places: dict[str, list[int]]) -> None:
    """Enters tokens that stand from place `first` on."""
    for place, token in enumerate(tokens, first):
        places.setdefault(token, []).append(place)


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
