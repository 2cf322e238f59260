"""A protocol's experiment on a web."""

from __future__ import annotations

import pytest

from apps.experiments.design.schema import Design
from apps.experiments.models import Experiment
from apps.experiments.results.outcomes import outcomes
from apps.experiments.services import start
from apps.papers.schema import PaperProtocol
from apps.papers.setting_up import Sizes, set_up
from apps.schemas.refused import Refused
from apps.topics import tasks
from apps.topics.inputs import backlink_scan
from apps.topics.models import InputPage
from tests.experiments.made_labelled import PAGES
from tests.experiments.run_experiment import work_through
from tests.papers.made_protocols import CRAWLERS, PAIR, plain

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


def read(**values: object) -> PaperProtocol:
    changed = plain(PAIR)
    changed["experiment"] |= values
    return PaperProtocol.read(changed)


def run(experiment: Experiment) -> None:
    for topic in experiment.topics.all():
        if topic.topic.is_under_way:
            tasks.run_here(topic.topic)
    start(experiment)
    work_through(experiment)


def no_run(experiment: Experiment) -> None:
    raise AssertionError("nothing is to be explored")


def made(owner, web, protocol: PaperProtocol, **sizes: object) -> tuple[Experiment, dict]:
    return set_up(owner, web, "made", protocol, Sizes(**sizes), no_run)


def test_lcs_topics_have_seeds_targets_and_negatives_with_other_labels(owner, labelled):
    experiment, settings = made(owner, labelled, read())
    assert settings == {"pages": 20, "examples": 6, "random_seed": 1}
    topic = experiment.topics.get(name__startswith="Arts/Lace").topic
    assert topic.name == "Arts/Lace (LC 6, labelled)"
    assert topic.web_label == "Arts/Lace"
    seeds, targets = topic.seeds.count(), topic.targets.count()
    negatives = [e.url for e in topic.examples.filter(relevant=False)]
    assert (seeds, targets, len(negatives)) == (6, 26, 12)
    assert not any("plain" in url or "lace" in url for url in negatives)
    # LC's judges learn from the pages of all targets.
    assert topic.target_pages.count() == 26


def test_sls_topics_are_second_level_and_have_a_judge_of_other_examples(owner, labelled):
    sl = read(judge="sl", topics={"rule": "sl", "size": 8})
    experiment, _ = made(owner, labelled, sl)
    topic = experiment.topics.get(name__startswith="Arts/Lutes").topic
    mine = {e.url for e in topic.examples.filter(role="train")}
    judges = {e.url for e in topic.examples.filter(role="evaluate")}
    assert (len(mine), len(judges), topic.targets.count()) == (16, 16, 0)
    assert not mine & judges
    assert topic.examples.filter(role="evaluate", relevant=False).count() == 8


def test_slcs_seeds_only_start_the_crawl(owner, labelled):
    slc = read(judge="separate", topics={"rule": "slc", "size": 5})
    experiment, _ = made(owner, labelled, slc)
    topic = experiment.topics.first().topic
    seeds = set(topic.seeds.values_list("url", flat=True))
    positives = {e.url for e in topic.examples.filter(relevant=True)}
    assert (len(seeds), len(positives), topic.targets.count()) == (5, PAGES - 5, 0)
    assert not seeds & positives


def test_sizes_and_labels_can_be_asked_for(owner, labelled):
    experiment, settings = made(
        owner, labelled, read(), pages=12, examples=4, labels=["Arts/Lace", "Sport/Rowing"]
    )
    assert [topic.topic.web_label for topic in experiment.topics.all()] == [
        "Arts/Lace",
        "Sport/Rowing",
    ]
    assert Design.read(experiment.design).pages == settings["pages"] == 12
    few, _ = made(owner, labelled, read(), topics=2)
    assert few.topics.count() == 2


def test_the_same_topics_serve_the_same_division_again(owner, labelled):
    first, _ = made(owner, labelled, read())
    again, _ = made(owner, labelled, read(pages=30))
    other, _ = made(owner, labelled, read(), examples=7)
    names = [{topic.topic_id for topic in each.topics.all()} for each in (first, again, other)]
    assert names[0] == names[1] and not names[0] & names[2]


def test_topics_prepared_before_the_links_were_counted_get_their_back_links(
    owner, labelled, monkeypatch
):
    monkeypatch.setattr(backlink_scan, "COUNTED_UNASKED", 0)  # as if the web were large
    few = {"pages": 12, "labels": ["Arts/Lace", "Sport/Rowing"]}
    first, _ = made(owner, labelled, read(), **few)
    run(first)
    topic = first.topics.first().topic
    assert not topic.input_pages.exists()
    backlink = {"name": "Breadth-first", "strategy": "text_window_backlink"}
    again, _ = made(owner, labelled, read(crawlers=[CRAWLERS[0], backlink]), **few)
    run(again)
    assert topic.input_pages.filter(kind=InputPage.Kind.BACKLINK).exists()
    assert not again.cells.filter(job_state="failed").exists()


def test_theta_is_explored_once_for_all_crawlers(owner, labelled):
    explorer = read(
        judge="sl",
        topics={"rule": "sl", "size": 8},
        explores_theta=True,
        crawlers=[
            {"name": "Full Page", "strategy": "utility", "parameters": {"alpha": 1.0}},
            {"name": "Breadth-first", "strategy": "utility", "parameters": {"alpha": 0.0}},
        ],
    )
    explored = []

    def explore(experiment: Experiment) -> None:
        explored.append(experiment)
        run(experiment)

    experiment, settings = set_up(owner, labelled, "made", explorer, Sizes(), explore)
    (before,) = explored
    logs = outcomes(before).cells[0, 0][0].result.pages.numbers["status_log"]
    assert settings["theta"] == pytest.approx(float(sorted(logs)[len(logs) // 2]), abs=0.2)
    for crawler in experiment.crawlers.all():
        assert crawler.parameters["theta_over"] == "given"
        assert crawler.parameters["theta"] == settings["theta"]


def test_webs_without_such_labels_and_crawls_of_seeds_alone_are_refused(owner, labelled):
    with pytest.raises(Refused, match="no two labels of 60"):
        made(owner, labelled, read(topics={"rule": "lc", "size": 6, "fewest": 60}))
    with pytest.raises(Refused, match="No topic can be made of the label Arts/Love"):
        made(owner, labelled, read(), labels=["Arts/Love", "Arts/Lace"])
    with pytest.raises(Refused, match="The seeds alone are 25 pages"):
        made(owner, labelled, read(), examples=25)
