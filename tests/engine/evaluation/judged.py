"""Judged pages made for the measures."""

from __future__ import annotations

from typing import Any

from apps.engine.evaluation.measure import JudgedPage, Measure
from apps.engine.model import Verdict

BLANK = JudgedPage(
    seq=1,
    url="http://a.test/",
    final_url="http://a.test/",
    hops=(),
    seed=False,
    verdict=None,
    label=None,
    topicality=None,
    status_log=None,
    inlinks=None,
)


def judged(url: str = "http://a.test/", **fields: Any) -> JudgedPage:
    """A page of which nothing is known but what is given; `votes` stands for a verdict of 3."""
    votes = fields.pop("votes", None)
    if votes is not None:
        fields["verdict"] = Verdict(
            votes, fields.pop("of", 3), fields.pop("probability", votes / 3)
        )
    fields.setdefault("final_url", url)
    return BLANK._replace(url=url, **fields)


def after_pages(measure: Measure, *pages: JudgedPage) -> Measure:
    """The measure once it was told of the pages."""
    for page in pages:
        measure.update(page)
    return measure
