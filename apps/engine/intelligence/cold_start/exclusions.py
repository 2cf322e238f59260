"""The exclusions in a sentence about a topic: `Not shops`, `ohne Werbung`, `except rentals`."""

from __future__ import annotations

import re

EXCLUSION = re.compile(
    r"(?:^|(?<=[\s,;(]))(?:but\s+not|not|no|without|except|nicht|keine?|ohne|sans|pas\s+de|sin|senza)"
    r"\s+([^.;:!?()\n]+)",
    re.IGNORECASE,
)
"""Its group is what is excluded, up to the end of the clause."""


def wanted_part(sentence: str) -> str:
    """The sentence without what it excludes."""
    return " ".join(EXCLUSION.sub(" ", sentence).split())
