from __future__ import annotations

from apps.experiments.figures.asked import asked_of
from apps.experiments.figures.context_use import ContextUse
from tests.experiments.made_outcomes import made

VALUES = {
    (topic, crawler): {
        "used_anchor": [3.0, 8.0 + topic],
        "used_context": [1.0, 5.0],
        "used_none": [0.0, 2.0],
    }
    if crawler
    else {"diversity": [1.0, 1.0]}
    for topic in range(2)
    for crawler in range(2)
}
OUTCOMES = made(("full_page", "selective_link_context"), values=VALUES, every=5)


def test_each_topic_has_the_counts_of_its_crawl_at_the_moment() -> None:
    figure = ContextUse().figure(asked_of(OUTCOMES))
    assert {bar.label: [*bar.y] for bar in figure.traces} == {
        "anchor text": [8.0, 9.0],
        "link context": [5.0, 5.0],
        "neither": [2.0, 2.0],
    }
    assert figure.x.names == ("ants", "bees")
    assert figure.reading == (
        "Selective link context at 10 pages, new links of 2 topics: anchor text 17, "
        "link context 10, neither 4."
    )
    early = ContextUse().figure(asked_of(OUTCOMES, pages=5))
    assert [*early.traces[0].y] == [3.0, 3.0]


def test_without_the_crawler_that_chooses_it_is_offered() -> None:
    bare = asked_of(made(values={(0, crawler): {"diversity": [1.0]} for crawler in range(2)}))
    assert not ContextUse().figure(bare).has_values
    assert ContextUse.offer.crawlers[0].strategy == "selective_link_context"
