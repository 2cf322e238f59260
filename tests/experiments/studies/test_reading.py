from __future__ import annotations

import numpy as np
import pytest

from apps.engine.answers import Answer
from apps.experiments.cells.live_record import LiveRecord
from apps.experiments.folder import experiment_folder
from apps.experiments.results.outcomes import outcomes
from apps.experiments.studies.reading import TOPICS, StudyCancelled, cells_read, read_topics
from apps.webs.selectors import live_web
from tests.experiments.made_outcomes import made
from tests.experiments.run_experiment import ended


def go_on() -> None:
    """Always wanted."""


def test_a_few_topics_are_read_spread_evenly_and_the_baseline_alone() -> None:
    values = {
        (topic, crawler): {"target_recall": [0.5]} for topic in range(9) for crawler in range(2)
    }
    results = made(topics=tuple(f"topic {n}" for n in range(9)), values=values, every=1, baseline=2)
    cells = cells_read(results)
    assert [(cell.topic, cell.crawler) for cell in cells] == [(0, 1), (2, 1), (5, 1), (8, 1)]
    assert len(cells) == TOPICS
    assert cells_read(made(topics=("ants",))) == []


@pytest.mark.django_db
@pytest.mark.alike
def test_pages_are_those_of_the_cell_with_its_scores_and_labels(owner, topics) -> None:
    experiment = ended(owner)
    results = outcomes(experiment)
    first, second = read_topics(results, go_on)
    result = results.cells[0, 0][0].result
    assert [page.url for page in first.pages] == [*result.pages.urls]
    assert first.critic.tolist() == result.pages.numbers["topicality"].tolist()
    assert first.relevant.tolist() == (result.pages.flags["label"] == 1).tolist()
    assert all(page.document.words for page in second.pages)
    assert np.isfinite(first.critic).all() and first.engine_topic.language == "en"


@pytest.mark.django_db
@pytest.mark.alike
def test_a_deleted_topic_is_left_out_and_who_is_not_wanted_stops(owner, topics) -> None:
    results = outcomes(ended(owner))
    results.topics[0].topic = results.topics[0].snapshot = None
    assert [read.topic.name for read in read_topics(results, go_on)] == ["bread 1"]

    def not_wanted() -> None:
        raise StudyCancelled

    with pytest.raises(StudyCancelled):
        read_topics(results, not_wanted)


@pytest.mark.django_db
@pytest.mark.alike
def test_pages_of_the_live_web_are_read_from_the_record(owner, topics) -> None:
    experiment = ended(owner)
    results = outcomes(experiment)
    pages = read_topics(results, go_on)[0]
    record = LiveRecord(experiment_folder(experiment.pk) / "record")
    html = "<title>As it was</title><p>dough</p>"
    for page in pages.pages[:3]:
        record.add(
            Answer(
                page.url,
                page.url,
                status=200,
                body=html.encode(),
                headers=(("Content-Type", "text/html"),),
            )
        )
    record.add(Answer(pages.pages[3].url, pages.pages[3].url, failure="timeout"))
    record.close()
    results.experiment.web = live_web()
    (again,) = [read for read in read_topics(results, go_on) if read.topic == pages.topic]
    assert [page.url for page in again.pages] == [page.url for page in pages.pages[:3]]
    assert {page.document.title for page in again.pages} == {"As it was"}
    assert len(again.critic) == len(again.relevant) == 3
