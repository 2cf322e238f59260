"""The names that requests may use, each with its meaning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ninja import Router, Schema

from apps.accounts.requests import SignedInRequest
from apps.collection.search import CollectionSearch
from apps.crawls.charts import CHARTS
from apps.crawls.commands.catalogue import EVENT_KINDS
from apps.crawls.listing import CrawlSearch
from apps.crawls.measures.plots import PLOTS
from apps.crawls.sources.catalogue import SOURCES
from apps.engine.frontier.orders import ORDERS
from apps.engine.frontier.parents import POLICIES
from apps.engine.parsing.contexts import CONTEXTS
from apps.engine.representation.weightings import WEIGHTINGS
from apps.experiments.figures import FIGURES
from apps.experiments.listing import ExperimentSearch
from apps.exports.formats import FORMATS
from apps.search.search import Search
from apps.topics.inputs.catalogue import INPUTS
from apps.topics.listing import TopicSearch
from apps.webs.listing import WebSearch
from apps.webs.pages.search import PageSearch

router = Router(tags=["strategies"])
FILTERED: dict[str, type[Search]] = {
    "filter": CollectionSearch,
    "web_filter": PageSearch,
    "crawl_filter": CrawlSearch,
    "topic_filter": TopicSearch,
    "experiment_filter": ExperimentSearch,
    "list_of_webs_filter": WebSearch,
}


class NameOut(Schema):
    """A name: `kind` is what it names; `title` and `summary` are its meaning."""

    kind: str
    id: str
    title: str
    summary: str


@router.get("/vocabulary", response=list[NameOut], summary="List names")
def list_names(request: SignedInRequest) -> Any:
    """The names in requests and answers besides strategies and measures, by kind."""
    return [
        *_charts(),
        *_plots(),
        *_figures(),
        *_parents(),
        *_orders(),
        *_formats(),
        *_filters(),
        *_contexts(),
        *_weightings(),
        *_sources(),
        *_inputs(),
        *_events(),
    ]


def _charts() -> Iterator[dict[str, str]]:
    for chart in CHARTS:
        yield _name("chart", chart.id, chart.title, chart.summary)


def _plots() -> Iterator[dict[str, str]]:
    for plot in PLOTS:
        yield _name("plot", plot.id, plot.title, type(plot).__doc__)


def _figures() -> Iterator[dict[str, str]]:
    for figure in FIGURES:
        yield _name("figure", figure.id, figure.title, type(figure).__doc__)


def _parents() -> Iterator[dict[str, str]]:
    for policy in POLICIES.values():
        yield _name("parent_policy", policy.id, policy.title, type(policy).__doc__)


def _orders() -> Iterator[dict[str, str]]:
    for order in ORDERS.values():
        yield _name("pick_order", order.id, order.title, type(order).__doc__)


def _formats() -> Iterator[dict[str, str]]:
    for format in FORMATS.values():
        yield _name("format", format.id, format.title, format.sentence)


def _filters() -> Iterator[dict[str, str]]:
    for kind, search in FILTERED.items():
        for filter in search.catalogue():
            yield _name(kind, filter.id, filter.title, filter.sentence)


def _contexts() -> Iterator[dict[str, str]]:
    for context in CONTEXTS:
        yield _name("context", context.id, context.title, context.sentence)


def _weightings() -> Iterator[dict[str, str]]:
    for weighting in WEIGHTINGS.values():
        yield _name("weighting", weighting.id, weighting.title, weighting.__doc__)


def _sources() -> Iterator[dict[str, str]]:
    for source in SOURCES:
        yield _name("source", source.id, source.title, source.sentence)


def _inputs() -> Iterator[dict[str, str]]:
    for crawl_input in INPUTS:
        yield _name("input", crawl_input.id, crawl_input.title, crawl_input.sentence)


def _events() -> Iterator[dict[str, str]]:
    for kind in EVENT_KINDS.values():
        yield _name("event", kind.kind, kind.title, f"{kind.title}.")


def _name(kind: str, id: str, title: str, words: str | None) -> dict[str, str]:
    """The summary is the first paragraph of `words`."""
    summary = " ".join((words or "").split("\n\n", 1)[0].split())
    return {"kind": kind, "id": id, "title": title, "summary": summary}
