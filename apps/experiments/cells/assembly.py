"""Builds the engine's objects for a cell, the same for every crawler of a topic."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from apps.crawls.inputs.ground_truth import labels_of, relevant_pages
from apps.crawls.most import REQUESTS_A_PAGE
from apps.crawls.sources.live_web import LIVE_WEB
from apps.crawls.sources.recorded_web import RECORDED_WEB
from apps.crawls.sources.source import Asking, http_fetcher
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.plan import Plan
from apps.engine.frontier.scope import Scope
from apps.engine.intelligence.classifying.committee import Committee, JudgedBy
from apps.engine.intelligence.classifying.trained import TrainedModels
from apps.engine.intelligence.topic_model import TopicModel, judge_at_hand
from apps.engine.networking.fetcher import Fetcher
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.robots.files import Robots
from apps.experiments.cells.live_record import LiveRecord, RecordingFetcher
from apps.experiments.design.schema import Design
from apps.experiments.design.variants import Variant
from apps.experiments.folder import record_folder
from apps.experiments.models import Cell, ExperimentTopic
from apps.stored_files.files import local
from apps.topics import snapshot_models
from apps.topics.inputs.relevant_set import RELEVANT_SET
from apps.topics.inputs.sampled_negatives import SAMPLED_NEGATIVES
from apps.topics.models import Example, TopicSnapshot
from apps.topics.trained_models import models_folder
from apps.webs.models import Web
from apps.webs.replays import open_parsed_web

BATCH_REQUESTS = 100
GUIDE = "guiding_classifier"


class TopicGone(Exception):
    """The topic was deleted, so that its cells cannot be run any more."""


@dataclass(frozen=True, slots=True)
class AssembledCell:
    """An engine ready to start or to be restored, and the truth about a URL: whether it has the
    topic's label, and its in-links; None if unknown."""

    engine: CrawlLoop
    fetcher: Fetcher
    label: Callable[[str], bool | None]
    inlinks: Callable[[str], int | None]


def assemble(cell: Cell, heartbeat: Callable[[], None] = lambda: None) -> AssembledCell:
    """Builds a cell's crawl from the rows; `heartbeat` is called while its web is prepared.

    Raises TopicGone, and EngineError if the web cannot be opened or the topic lacks what the
    strategy needs.
    """
    design, topic, web = Design.read(cell.experiment.design), cell.topic, cell.experiment.web
    politeness = politeness_of(design, web)
    models = topic_model(topic, cell.random_seed, design.scope.main_text)
    variant = Variant(cell.crawler.strategy, cell.crawler.parameters, cell.crawler.parent_policy)
    opened = open_parsed_web(web, politeness.page_bytes, heartbeat) if web.is_recorded else None
    web_label = topic.snapshot.data["web_label"] if topic.snapshot else ""
    label = labels_of(web_label, opened)
    fetcher = _recording_fetcher(cell, politeness)
    if opened:
        fetcher = opened.body_fetcher() if design.scope.main_text else opened.fetcher()
    engine = CrawlLoop(
        plan_of(design, variant),
        models.for_another_crawl(),
        variant.build(),
        fetcher,
        committee=committee_of(models, design.judge),
        robots=Robots(settings.USER_AGENT) if politeness.obey_robots else None,
        labels=label,
        inlinks=models.topic.inlinks.get,
        relevant=relevant_pages(web_label, web),
        directory=models.topic.listed_sites,
    )
    return AssembledCell(engine, fetcher, label, models.topic.inlinks.get)


def topic_model(topic: ExperimentTopic, random_seed: int, main_text: bool = False) -> TopicModel:
    """The models of the topic as it was when it was added, with its frozen inputs, that judge pages
    by their main text or by all of it. Raises TopicGone.

    A worker keeps the last few, since it runs the crawlers of a topic one after the other.
    """
    if topic.snapshot_id is None or topic.topic_id is None:
        raise TopicGone(topic.name)
    inputs = json.dumps(topic.inputs, sort_keys=True)
    return _topic_model(topic.snapshot_id, inputs, random_seed, main_text, models_folder())


def judge_of(topic: ExperimentTopic, judge: str) -> JudgedBy:
    """Who judges the pages of a frozen topic's crawls, by the numbers of its examples alone where
    these suffice for a judge: to train a guide, and to read all pages, is then left to the cells.
    Raises TopicGone."""
    if topic.snapshot is not None and SAMPLED_NEGATIVES.id not in topic.inputs:
        rows = topic.snapshot.data["examples"]
        training, evaluation = (
            [(row["url"], row["relevant"]) for row in rows if row["role"] == role]
            for role in (Example.Role.TRAIN, Example.Role.EVALUATE)
        )
        pages = topic.inputs.get(RELEVANT_SET.id, {"pages": []})["pages"]
        relevant_set = [(page["url"], page["relevant"]) for page in pages]
        who = judge_at_hand(judge, training, evaluation, relevant_set)
        if who != GUIDE:
            return who
    return topic_model(topic, 0).judged_by(judge)


@lru_cache(maxsize=2)
def _topic_model(
    snapshot: int, inputs: str, random_seed: int, main_text: bool, folder: Path
) -> TopicModel:
    return snapshot_models.topic_model(
        TopicSnapshot.objects.get(pk=snapshot),
        json.loads(inputs),
        random_seed,
        main_text,
        TrainedModels(folder),
    )


def plan_of(design: Design, variant: Variant) -> Plan:
    """The limits of a cell. Answers are applied in the order of picking, on the live Web too, so
    that a cell does the same whenever it runs."""
    return Plan(
        budget=design.pages,
        request_limit=REQUESTS_A_PAGE * design.pages,
        scope=Scope.from_dict(design.scope.model_dump(mode="json")),
        politeness=Politeness(delay=0.0, max_crawl_delay=0.0, retries=0),
        policy=variant.parent_policy,
        recorded=True,
        keeps_rows=False,
        batch_requests=BATCH_REQUESTS,
        sample_every=design.sample_every,
    )


def politeness_of(design: Design, web: Web) -> Politeness:
    """The politeness towards hosts; a recorded web has none."""
    source = RECORDED_WEB if web.is_recorded else LIVE_WEB
    return Politeness(**{**source.politeness, **design.politeness.rules(), **(source.fixed or {})})


def committee_of(models: TopicModel, judge: str) -> Committee | None:
    """The judge, or None if nothing could judge but the classifier that guides the crawl."""
    return None if models.judged_by(judge) in (GUIDE, "none") else models.committee(judge)


def _recording_fetcher(cell: Cell, politeness: Politeness) -> Fetcher:
    return RecordingFetcher(
        LiveRecord(local(record_folder(cell.experiment_id), anew=True)),
        http_fetcher(None, Asking(max_body=politeness.page_bytes, max_redirects=0)),
        politeness,
        settings.USER_AGENT,
        politeness.page_bytes,
    )
