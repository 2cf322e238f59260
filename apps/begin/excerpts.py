"""The part of a page that decided, as pieces of which some are marked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from apps.begin.fitting import Fitting

LENGTH = 24
"""Words of an excerpt."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class MarkedText:
    """Some text; `marked` if its word decided."""

    text: str
    marked: bool


def excerpt(text: str, fitting: Fitting, language: str) -> list[MarkedText]:
    """The window of words whose weights are the largest together, split at the marked words."""
    spans = [match.span() for match in _WORD.finditer(text)]
    if not spans:
        return []
    weights = [abs(fitting.weight(text[a:b].lower(), language)) for a, b in spans]
    start = _best_window(weights)
    shown = range(start, min(len(spans), start + LENGTH))
    least = 0.5 * max((weights[i] for i in shown), default=0.0)
    pieces, at = [], spans[start][0]
    for i in shown:
        if weights[i] and weights[i] >= least:
            begin, end = spans[i]
            pieces += [MarkedText(text[at:begin], False), MarkedText(text[begin:end], True)]
            at = end
    pieces.append(MarkedText(text[at : spans[shown[-1]][1]], False))
    return [piece for piece in pieces if piece.text]


def _best_window(weights: list[float]) -> int:
    """The start of the window; it begins a few words before the first that counts."""
    total = best = sum(weights[:LENGTH])
    start = 0
    for i in range(1, max(1, len(weights) - LENGTH + 1)):
        total += weights[i + LENGTH - 1] - weights[i - 1]
        if total > best + 1e-9:
            best, start = total, i
    return start
