"""Protocols made for tests."""

from __future__ import annotations

from typing import Any

import pytest

from apps.papers.catalogue import protocols
from apps.papers.schema import PaperProtocol

CRAWLERS = [
    {"name": "Full Page", "strategy": "full_page"},
    {"name": "Breadth-first", "strategy": "breadth_first"},
    {"name": "Best-first", "strategy": "best_first"},
]
PAIR: dict[str, Any] = {
    "id": "first",
    "sentence": "Full Page is better",
    "where": "§1",
    "published": "p < .05",
    "measures": ["target_recall"],
    "pairs": [["Full Page", "Breadth-first"]],
    "direction": "higher",
}


def plain(*claims: dict[str, Any], **values: Any) -> dict[str, Any]:
    """An experiment of three crawlers, as it stands in a file."""
    return {
        "title": "Made",
        "paper": "LC",
        "where": "Fig. 1",
        "method": "Made for a test.",
        "experiment": {
            "topics": {"rule": "lc", "size": 6, "fewest": 12},
            "crawlers": CRAWLERS,
            "pages": 20,
            "judge": "lc",
            "measure": "target_recall",
        },
        "claims": [
            {
                "id": f"claim-{number}",
                "sentence": "So it is",
                "where": "§1",
                "published": "so",
                **claim,
            }
            for number, claim in enumerate(claims, 1)
        ],
        **values,
    }


def protocol(*claims: dict[str, Any], **values: Any) -> PaperProtocol:
    """The same, read."""
    return PaperProtocol.read(plain(*claims, **values))


def make_small(monkeypatch: pytest.MonkeyPatch, id: str) -> None:
    """Lets a protocol do with five URLs in each part of a label, for webs of few pages."""
    whole = protocols()[id]
    assert whole.experiment is not None
    topics = whole.experiment.topics.model_copy(update={"size": 5, "fewest": None})
    plan = whole.experiment.model_copy(update={"topics": topics})
    small = whole.model_copy(update={"experiment": plan})
    monkeypatch.setitem(protocols(), id, small)  # type: ignore[arg-type]
