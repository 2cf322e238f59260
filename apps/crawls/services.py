"""Making crawls."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User

from apps.accounts import quotas
from apps.crawls.errors import CrawlRefused
from apps.crawls.inputs.previous_crawl import earlier_crawls
from apps.crawls.models import Crawl
from apps.crawls.models.fences import fenced_hosts
from apps.crawls.most import REQUESTS_A_PAGE
from apps.crawls.schemas import CrawlSettings
from apps.crawls.sources.catalogue import source_of, sources_for
from apps.crawls.sources.source import Source
from apps.engine.codes import Need
from apps.engine.errors import BadParameter, UnknownStrategy
from apps.engine.intelligence.strategies import strategy as strategy_named
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.parsing.rendering.availability import missing
from apps.schemas.refused import Refused
from apps.topics.models import Topic
from apps.webs.models import Web


def create_crawl(
    owner: User,
    topic: Topic,
    web: Web,
    *,
    earlier: Crawl | None = None,
    form_token: str = "",
    **settings: Any,
) -> Crawl:
    """A draft with the settings of `CrawlSettings`; `earlier` is the crawl it learns from.

    Raises CrawlRefused, naming the field that is wrong, IntegrityError if the owner has a crawl of
    this `form_token`.
    """
    quotas.CRAWLS.check(Crawl.objects.filter(owner=owner), 1, CrawlRefused, "topic")
    wanted = _settings(settings)
    built = _build_strategy(wanted.strategy, wanted.parameters)
    _check_earlier(owner, topic, web, built, earlier)
    seed, over = wanted.random_seed, _over(web, wanted.over)
    return Crawl.objects.create(
        owner=owner,
        topic=topic,
        web=web,
        over=over,
        strategy=wanted.strategy,
        parameters=built.values(),
        earlier=earlier,
        random_seed=random.SystemRandom().randrange(1, 2**31) if seed is None else seed,
        budget=wanted.budget,
        hours=wanted.hours,
        recall=wanted.recall,
        slope=wanted.slope,
        request_limit=wanted.request_limit or REQUESTS_A_PAGE * wanted.budget,
        scope=_scope(wanted, source_of(web, over), topic),
        politeness=wanted.politeness.rules(),
        parent_policy=wanted.parent_policy,
        pick_order=wanted.pick_order,
        judge=wanted.judge,
        form_token=form_token,
    )


def _scope(wanted: CrawlSettings, source: Source, topic: Topic) -> dict[str, Any]:
    """The scope's rules; sitemaps and feeds are asked for where requests are sent, and documents
    are read on the live Web, unless the settings say otherwise. Hosts that were taken down are
    left out."""
    rules = wanted.scope.model_dump(mode="json")
    fenced = (host.partition(":")[0] for host in fenced_hosts(topic.pk))
    rules["deny_hosts"] = list(dict.fromkeys((*rules["deny_hosts"], *fenced)))
    if rules["site_lists"] is None:
        rules["site_lists"] = source.sends_requests
    if rules["render"] and not source.sends_requests:
        raise CrawlRefused("render", "Pages of a web that is read from disk are not rendered.")
    if rules["render"] and (reason := missing()):
        raise CrawlRefused("render", f"{reason}: no page can be rendered.")
    if "documents" not in wanted.scope.sent_values():
        rules["documents"] = source.is_live
    return rules


def _settings(values: Mapping[str, Any]) -> CrawlSettings:
    try:
        return CrawlSettings.read({n: v for n, v in values.items() if v is not None})
    except Refused as refused:
        raise CrawlRefused(refused.field, refused.message) from None


def _build_strategy(strategy: str, values: Mapping[str, Any]) -> Strategy:
    try:
        return strategy_named(strategy).build(values)
    except UnknownStrategy as error:
        raise CrawlRefused("strategy", str(error)) from None
    except BadParameter as error:
        raise CrawlRefused(str(error.details.get("parameter", "parameters")), str(error)) from None


def _check_earlier(
    owner: User, topic: Topic, web: Web, strategy: Strategy, earlier: Crawl | None
) -> None:
    if earlier is None and Need.CRAWL in strategy.needed():
        raise CrawlRefused(
            "earlier",
            f"{strategy.title} learns from an earlier crawl: choose a finished or paused one of"
            " this topic, or of the same recorded web.",
        )
    if earlier is not None and not earlier_crawls(owner, topic, web).filter(pk=earlier.pk).exists():
        raise CrawlRefused(
            "earlier",
            f"Crawl {earlier.pk} cannot be learned from: it must have pages, be finished or paused,"
            " and be of this topic or of the same recorded web.",
        )


def _over(web: Web, over: str | None) -> str:
    try:
        source = source_of(web, over)
    except LookupError:
        ways = " or ".join(f"over {each.over}" for each in sources_for(web))
        raise CrawlRefused("over", f"The pages of {web.name} can only be had {ways}.") from None
    if refusal := source.refusal(web):
        raise CrawlRefused("over", refusal)
    return source.over
