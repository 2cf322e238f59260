"""The five papers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper by its short title, its authors and, where the copy at hand names it, its year."""

    title: str
    authors: str
    year: int | None = None


PAPERS: Mapping[str, Paper] = {
    "LC": Paper("link contexts in classifier-guided crawlers", "Pant and Srinivasan", 2006),
    "AFC": Paper("accelerated focused crawling", "Chakrabarti, Punera and Subramanyam", 2002),
    "SLC": Paper("selectively using link-context", "Liu, Peng and Zuo"),
    "HCLA": Paper("combining text and link analysis", "Almpanidis, Kotropoulos and Pitas", 2007),
    "SL": Paper("status locality on the Web", "Pant and Srinivasan"),
}
"""In the order in which pages and screens list them."""
