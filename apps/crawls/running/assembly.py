"""Builds the engine's objects from a crawl's row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings

from apps.crawls.certificates import allowed_hosts
from apps.crawls.commands.catalogue import engine_changes
from apps.crawls.commands.scope.languages import LANGUAGES
from apps.crawls.inputs.frozen import frozen_inputs
from apps.crawls.inputs.ground_truth import labels_of, relevant_pages
from apps.crawls.inputs.previous_crawl import learn_from_earlier
from apps.crawls.inputs.revisits import read_plan
from apps.crawls.models import Crawl
from apps.crawls.pages.bodies import Bodies
from apps.crawls.pages.folder import new_store_file
from apps.crawls.pages.segments import SegmentWriter
from apps.crawls.sources.shape import asking_of
from apps.engine.crawl.control import Resolve
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.plan import Plan
from apps.engine.errors import NeedsMissing
from apps.engine.frontier.revisits import NO_REVISITS
from apps.engine.frontier.scope import Scope
from apps.engine.intelligence.classifying.trained import TrainedModels
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.networking.fetcher import Fetcher
from apps.engine.networking.page_store.store import PageStoreWriter, PageWriter
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.robots.files import Robots
from apps.engine.parsing.rendering.availability import missing
from apps.machines.broker import channel_for
from apps.stored_files.files import is_elsewhere
from apps.topics import snapshot_models
from apps.topics.trained_models import models_folder
from apps.webs.opening import open_web


@dataclass(frozen=True, slots=True)
class Assembled:
    """An engine ready to start or to resume, and the resources to close afterwards."""

    engine: CrawlLoop
    judged_by: str
    fetcher: Fetcher
    store: PageWriter | None
    bodies: Bodies


def assemble(crawl: Crawl) -> Assembled:
    """Builds everything from the row.

    Raises EngineError if topic, web or strategy do not fit, WebNotServed if a web that is to be
    crawled over HTTP does not answer.
    """
    source = crawl.source
    source.wait(crawl.web)
    web = open_web(crawl.web) if crawl.web.is_recorded else None
    model = topic_model(crawl)
    politeness = politeness_of(crawl)
    lent = channel_for(crawl.pk, crawl.epoch) if source.is_reached_from_elsewhere else None
    unverified = allowed_hosts(crawl.topic)
    revisits = read_plan(crawl)
    asking = replace(
        asking_of(politeness, model.language),
        unverified=unverified,
        lent=lent,
        documents=scope_as_started(crawl)["documents"],
        main_text=crawl.judges_main_text,
        revisits=revisits or NO_REVISITS,
    )
    fetcher = source.make_fetcher(crawl.web, web, asking)
    store = _store(crawl) if source.keeps_pages else None
    engine = CrawlLoop(
        replace(plan_of(crawl, politeness), revisits=revisits),
        model,
        strategy(crawl.strategy).build(parameters_as_started(crawl)),
        fetcher,
        committee=_committee(model, crawl.judge),
        robots=Robots(asking.user_agent) if politeness.obey_robots else None,
        store=store,
        labels=labels_of(crawl.topic.web_label, web),
        inlinks=model.topic.inlinks.get,
        relevant=relevant_pages(crawl.topic.web_label, crawl.web),
        directory=model.topic.listed_sites,
        change_kinds=engine_changes(),
        unverified=unverified,
        resolve=_resolver(fetcher) if source.is_live else None,
        rendering_agent=_rendering_agent(crawl, asking.user_agent),
    )
    return Assembled(engine, model.judged_by(crawl.judge), fetcher, store, Bodies(crawl))


def topic_model(crawl: Crawl) -> TopicModel:
    """The models of the topic as it was when the crawl started. Raises EngineError."""
    assert crawl.snapshot is not None
    model = snapshot_models.topic_model(
        crawl.snapshot,
        frozen_inputs(crawl),
        crawl.random_seed,
        crawl.judges_main_text,
        TrainedModels(models_folder()),
    )
    learn_from_earlier(model, crawl)
    return model


def plan_of(crawl: Crawl, politeness: Politeness) -> Plan:
    """The row's limits in the engine's form."""
    return Plan(
        budget=crawl.budget,
        request_limit=crawl.request_limit,
        scope=Scope.from_dict(scope_as_started(crawl)),
        politeness=politeness,
        policy=crawl.parent_policy,
        order=crawl.pick_order,
        recorded=not crawl.source.keeps_pages,
    )


def parameters_as_started(crawl: Crawl) -> dict[str, Any]:
    """The parameters before any change: a replay from the start repeats the changes."""
    first = crawl.changes.filter(kind="delta").order_by("id").first()
    if first is None or "delta" not in crawl.parameters:
        return dict(crawl.parameters)
    return {**crawl.parameters, "delta": first.payload["before"]}


def scope_as_started(crawl: Crawl) -> dict[str, Any]:
    """The scope before any change of its patterns or languages. Crawls from before documents were
    read go on without them."""
    changes = crawl.changes.filter(kind__in=("exclude_pattern", "include_pattern"))
    first = changes.order_by("id").first()
    changed = {"deny_patterns": first.payload["before"]} if first else {}
    languages = crawl.changes.filter(kind=LANGUAGES).order_by("id").first()
    if languages:
        changed["languages"] = languages.payload["before"]
    return {"documents": False, **crawl.scope, **changed}


def politeness_of(crawl: Crawl) -> Politeness:
    """The analyst's politeness over the defaults of the source."""
    source = crawl.source
    return Politeness(**{**source.politeness, **crawl.politeness, **(source.fixed or {})})


def _rendering_agent(crawl: Crawl, user_agent: str) -> str:
    """The User-Agent with which pages are rendered, empty if they are not. Raises NeedsMissing if
    this machine cannot do what the crawl is to do."""
    if not scope_as_started(crawl).get("render") or not crawl.source.sends_requests:
        return ""
    if reason := missing():
        raise NeedsMissing("rendering", f"{reason}, and the crawl is to render pages")
    return user_agent or settings.USER_AGENT


def _resolver(fetcher: Fetcher) -> Resolve | None:
    """The DNS resolver of a crawl that sends requests itself."""
    # Every process of the site reads this module; only those that fetch need HTTP clients.
    from apps.engine.networking.http_fetcher import HttpFetcher

    return fetcher.resolve if isinstance(fetcher, HttpFetcher) else None


def _store(crawl: Crawl) -> PageWriter:
    path = new_store_file(crawl.pk, crawl.epoch)
    path.parent.mkdir(parents=True, exist_ok=True)
    return SegmentWriter(crawl.pk, crawl.epoch) if is_elsewhere() else PageStoreWriter(path)


def _committee(model: TopicModel, judge: str) -> Any:
    try:
        return model.committee(judge)
    except NeedsMissing:
        return None
