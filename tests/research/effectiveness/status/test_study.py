"""Status against topicality, crawled."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from apps.engine.intelligence.strategies import strategy
from apps.experiments.management.progress import prepare_topics
from apps.research.effectiveness.crawling import CrawlStudy
from apps.research.effectiveness.schema import StudyPlan
from apps.research.effectiveness.status.result import StatusResult
from apps.research.effectiveness.status.study import (
    crawl_topic,
    empty_status,
    guide,
    link_graph,
    run_status,
    status_experiment,
)
from apps.webs.links import WebLinks, links_path
from tests.made_once import made_once

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


@pytest.fixture
def study(owner, labelled) -> CrawlStudy:
    plan = StudyPlan.read({"pages": 40, "topics": 2, "candidates": [{"name": "plain"}]})
    experiment = made_once(
        ("status study", labelled.pk),
        lambda: status_experiment(owner, labelled, plan, prepare_topics),
        owner,
    )
    return CrawlStudy(experiment, plan)


def test_the_links_of_a_web_are_those_counted_in_it(study: CrawlStudy, labelled) -> None:
    links = WebLinks(links_path(labelled))
    graph = link_graph(links)
    urls = [*links]
    assert graph.inlinks.tolist() == [links[url] for url in urls]
    assert np.bincount(graph.targets, minlength=len(urls)).tolist() == graph.inlinks.tolist()
    for page in (0, 7):
        targets = {urls[i] for i in graph.targets[graph.indptr[page] : graph.indptr[page + 1]]}
        assert targets == {url for url in urls if urls[page] in links.linking_to(url, 10_000)}
    mean = np.mean([np.log1p(links[url]) for url in urls])
    assert empty_status(study, labelled, "").mean_status == pytest.approx(mean, abs=5e-4)


def test_seeds_count_for_nothing_and_status_is_the_mean_log_of_in_links(
    study: CrawlStudy, labelled
) -> None:
    links = WebLinks(links_path(labelled))
    (topic, *_) = study.topics
    # A crawl of as many pages as there are seeds has no page that a link led to.
    study.design = study.design.model_copy(update={"pages": len(topic.model.topic.seeds)})
    assert crawl_topic(study, topic, strategy("breadth_first").build({})) == (0.0, 0.0)
    study.design = study.design.model_copy(update={"pages": 10_000})
    everything = crawl_topic(study, topic, strategy("breadth_first").build({}))
    rest = reachable(links, topic.model.topic.seeds)
    assert everything[0] == pytest.approx(np.mean([url in topic.relevant for url in rest]))
    assert everything[1] == pytest.approx(np.mean([np.log1p(links[url]) for url in rest]))


def reachable(links: WebLinks, seeds) -> set[str]:
    """The pages that links lead to from the seeds, without the seeds."""
    urls, graph = [*links], link_graph(links)
    numbers = {urls.index(url) for url in seeds}
    waiting = [*numbers]
    while waiting:
        page = waiting.pop()
        new = {*graph.targets[graph.indptr[page] : graph.indptr[page + 1]].tolist()} - numbers
        numbers |= new
        waiting += new
    return {urls[page] for page in numbers} - {*seeds}


def test_a_topic_has_the_in_links_that_the_status_learner_needs(study: CrawlStudy) -> None:
    result = run_status(study, "status_learner")
    assert len(result.harvest) == len(result.status) == 2 and min(result.status) > 0


def test_the_oracle_takes_relevant_pages_first_and_of_equals_those_with_most_in_links(
    study: CrawlStudy, labelled
) -> None:
    links = WebLinks(links_path(labelled))
    (topic, *_) = study.topics
    seeds = set(topic.model.topic.seeds)
    ahead = {url for url in links for seed in seeds if seed in links.linking_to(url, 10_000)}
    best = max(ahead - seeds, key=lambda url: (url in topic.relevant, links[url]))
    study.design = study.design.model_copy(update={"pages": len(seeds) + 1})
    harvest, status = crawl_topic(study, topic, guide("status_oracle", topic))
    assert (harvest, status) == (float(best in topic.relevant), np.log1p(links[best]))


def test_the_command_saves_each_crawler_and_goes_on_where_it_was_left(
    labelled, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = "apps.research.management.commands.effectiveness"
    monkeypatch.setattr(f"{command}.CRAWLERS", {"Full page": "full_page"})
    monkeypatch.setattr(f"{command}.PAGES", 30)
    file, folder = tmp_path / "plan.toml", tmp_path / "found"
    file.write_text("topics = 2\n[[candidates]]\nname = 'plain'\n")
    asked = ["effectiveness", str(file), "--web", "labelled", "--status", "--save", str(folder)]
    output = [io.StringIO(), io.StringIO()]
    for stream in output:
        call_command(*asked, stderr=stream)
    (result,) = StatusResult.read_all(folder)
    assert set(result.crawlers) == {"Full page"} and result.pages == 30
    assert [stream.getvalue().count("harvest") for stream in output] == [1, 0]
    text = StatusResult.path(folder, "labelled").read_text("utf-8")
    StatusResult.path(folder, "labelled").write_text(text.replace('"pages": 30', '"pages": 31'))
    with pytest.raises(CommandError, match="of other topics"):
        call_command(*asked, stderr=io.StringIO())
