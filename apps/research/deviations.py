"""docs/deviations.md, of the departures from the papers."""

from __future__ import annotations

from apps.papers.deviations import KINDS, deviations
from apps.papers.papers import PAPERS
from apps.research.markdown import render, table

HEAD = ("in the paper", "kind", "the paper", "here", "why", "code")


def write_document() -> str:
    """The whole document."""
    return render(
        "deviations.md",
        kinds=KINDS,
        papers=[
            {
                "id": paper,
                "title": PAPERS[paper].title,
                "table": table(
                    HEAD,
                    [
                        [
                            each.where,
                            each.kind,
                            each.paper,
                            each.here,
                            each.why,
                            f"`{each.code}`" if each.code else "–",
                        ]
                        for each in every
                    ],
                ),
            }
            for paper, every in deviations().items()
        ],
    )
