"""Suggested corrections of lines that were not accepted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apps.topics.definition.lines import LineError, LineFault


@dataclass(frozen=True, slots=True)
class Correction:
    """A verb, and the text that replaces the line; None removes the line."""

    verb: str
    text: str | None


REMOVE = Correction("Remove the line", None)
VERBS: Mapping[LineFault, str] = {
    LineFault.COMMA: "Use a dot",
    LineFault.SCHEME: "Correct https://",
    LineFault.SCHEME_TWICE: "Write https:// once",
    LineFault.DISGUISED: "Write it plainly",
    LineFault.ONLY_A_FEED: "Take the feed",
    LineFault.SITEMAP_OF_SITEMAPS: "Take the sitemap",
}


def correction(error: LineError) -> Correction:
    """The correction of a line."""
    if not error.correction:
        return REMOVE
    return Correction(VERBS[error.reason], error.correction)
