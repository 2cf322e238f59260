"""What an experiment's outcomes say to the claims of a protocol."""

from __future__ import annotations

import numpy as np
import pytest

from apps.papers.claims import ClaimVerdict, findings
from apps.papers.observing import observed_of
from tests.experiments.made_outcomes import made
from tests.papers.made_protocols import CRAWLERS, PAIR, protocol

STRATEGIES = [each["strategy"] for each in CRAWLERS]
TOPICS = [f"topic {n}" for n in range(8)]
RECALL = {
    "Full Page": lambda n: 0.1 + 0.05 * n,
    "Breadth-first": lambda n: 0.04 * n,
    "Best-first": lambda n: 0.1 + 0.05 * n,
}


def outcomes(topics: int = 8):
    values = {
        (topic, crawler): {"target_recall": (0.0, of(topic)), "harvest_rate": (0.5, 0.3)}
        for topic in range(topics)
        for crawler, of in enumerate(RECALL.values())
    }
    return made(STRATEGIES, TOPICS[:topics], values)


def test_crawlers_have_the_names_of_the_paper_and_values_at_the_end_and_in_a_stretch():
    whole, half = {**PAIR, "during": [0.0, 1.0]}, {**PAIR, "id": "late", "during": [0.5, 1.0]}
    seen = observed_of(outcomes(), protocol(whole, half))
    assert seen.crawlers == ("Full Page", "Breadth-first", "Best-first")
    assert seen.column("target_recall", "Full Page")[2] == pytest.approx(0.2)
    # Sampled at each page: ten times 0 from page 10 on, then .2.
    over = seen.column("target_recall", "Full Page", during=(0.0, 1.0))
    assert over[2] == pytest.approx(0.2 / 11)
    # The ten samples of pages 11 to 20.
    late = seen.column("target_recall", "Full Page", during=(0.5, 1.0))
    assert late[2] == pytest.approx(0.2 / 10)
    assert seen.column("pages", "Full Page").tolist() == [20] * 8
    assert np.isnan(seen.column("reliability", "Full Page")).all()


def test_claims_are_decided_on_outcomes():
    same = {**PAIR, "id": "same", "pairs": [["Full Page", "Best-first"]]}
    directory = {**PAIR, "id": "sites", "measures": ["reliability"], "needs": "a directory"}
    first, second, third = findings(
        protocol(PAIR, same, directory).claims, observed_of(outcomes(), protocol(PAIR))
    )
    assert first.verdict is ClaimVerdict.REPRODUCED
    assert first.value == pytest.approx(np.mean([0.1 + 0.01 * n for n in range(8)]))
    assert (second.verdict, second.why) == (ClaimVerdict.CANNOT, "they did the same on every topic")
    assert (third.verdict, third.why) == (ClaimVerdict.CANNOT, "a directory")
    few = findings(protocol(PAIR).claims, observed_of(outcomes(3), protocol(PAIR)))
    assert few[0].why == "a test needs 6 topics"


def test_hard_topics_are_those_in_which_the_first_crawler_finds_least():
    seen = observed_of(outcomes(), protocol(PAIR))
    assert seen.parts == {"hardest": (0, 1), "easiest": (6, 7)}


def test_without_targets_there_are_no_hard_topics():
    values = {
        (topic, crawler): {"harvest_rate": (0.5,)} for topic in range(4) for crawler in range(3)
    }
    seen = observed_of(made(STRATEGIES, TOPICS[:4], values), protocol(PAIR))
    assert seen.parts == {}
