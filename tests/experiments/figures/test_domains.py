from __future__ import annotations

import pytest

from apps.experiments.figures.asked import asked_of
from apps.experiments.figures.domains import Domains
from tests.experiments.made_outcomes import made

TOPICS = ("Top/Arts/Film", "Top/Home/Soup", "Top/Arts/Jazz", "bees")
VALUES = {
    (topic, crawler): {"target_recall": [(topic + crawler) / 10]}
    for topic in range(4)
    for crawler in range(2)
}


def test_topics_are_grouped_by_their_top_category() -> None:
    figure = Domains().figure(asked_of(made(topics=TOPICS, values=VALUES, every=1)))
    assert figure.x.names == ("Arts", "Home")
    base, other = figure.traces
    # Arts: 0 and .2 of the baseline, .1 and .3 of the other crawler; Home one topic, no error.
    assert [*base.y] == pytest.approx([0.1, 0.1]) and [*other.y] == pytest.approx([0.2, 0.2])
    assert base.errors[0] == pytest.approx(0.1) and base.errors[1] is None
    assert "Home: Full page 10\u202f%" in figure.reading


def test_without_domains_it_names_what_makes_one() -> None:
    figure = Domains().figure(
        asked_of(
            made(
                values={key: measured for key, measured in VALUES.items() if key[0] < 2},
                every=1,
            )
        )
    )
    assert not figure.has_values and "Science/Astronomy" in figure.empty
