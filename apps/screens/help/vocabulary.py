"""The vocabulary: every registered name with its sentence, by kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.core.management import get_commands, load_command_class
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString

from apps.collection.search import CollectionSearch
from apps.crawls.charts import CHARTS
from apps.crawls.commands.catalogue import COMMANDS, EVENT_KINDS
from apps.crawls.listing import CrawlSearch
from apps.crawls.measures.plots import PLOTS
from apps.crawls.sources.catalogue import SOURCES
from apps.engine.evaluation import MEASURES
from apps.engine.frontier.orders import ORDERS
from apps.engine.frontier.parents import POLICIES
from apps.engine.intelligence.strategies import CATALOGUE
from apps.engine.parsing.contexts import CONTEXTS
from apps.engine.representation.weightings import WEIGHTINGS
from apps.experiments.figures import FIGURES
from apps.experiments.listing import ExperimentSearch
from apps.exports.formats import FORMATS
from apps.screens.help.docstrings import explained
from apps.search.search import Search
from apps.topics.inputs.catalogue import INPUTS
from apps.topics.listing import TopicSearch
from apps.webs.listing import WebSearch
from apps.webs.pages.search import PageSearch

SEARCHES: dict[str, type[Search]] = {
    "collection": CollectionSearch,
    "web": PageSearch,
    "crawls": CrawlSearch,
    "topics": TopicSearch,
    "experiments": ExperimentSearch,
    "webs": WebSearch,
}


@dataclass(frozen=True, slots=True)
class Name:
    """One registered thing: its id in files and in the API, its title, its sentence.

    `anchor` is its anchor on the page, `address` the address of its own page, if it has one.
    """

    anchor: str
    id: str
    title: str
    sentence: SafeString
    address: str = ""


@dataclass(frozen=True, slots=True)
class CatalogueNames:
    """The names of one kind, in their catalogue's order."""

    anchor: str
    title: str
    names: tuple[Name, ...]


def vocabularies() -> tuple[CatalogueNames, ...]:
    """Every kind of thing that has a catalogue."""
    return (
        CatalogueNames("strategies", "Strategies", tuple(_strategies())),
        CatalogueNames("measures", "Measures", tuple(_measures())),
        CatalogueNames("charts", "Charts of a running crawl", tuple(_charts())),
        CatalogueNames("plots", "Plots of a crawl’s records", tuple(_plots())),
        CatalogueNames("figures", "Figures of an experiment", tuple(_figures())),
        CatalogueNames("parents", "Parent policies", tuple(_parents())),
        CatalogueNames("orders", "Pick orders", tuple(_orders())),
        CatalogueNames("formats", "Formats of a download", tuple(_formats())),
        *(
            CatalogueNames(f"filters-{slug}", f"Filters of {search.rows}", tuple(_filters(slug)))
            for slug, search in SEARCHES.items()
        ),
        CatalogueNames("contexts", "Link contexts", tuple(_contexts())),
        CatalogueNames("weightings", "Weightings of terms", tuple(_weightings())),
        CatalogueNames("sources", "Sources of pages", tuple(_sources())),
        CatalogueNames("inputs", "Inputs of a crawl", tuple(_inputs())),
        CatalogueNames("commands", "What can be done to a crawl", tuple(_commands())),
        CatalogueNames("events", "Events of a crawl", tuple(_events())),
        CatalogueNames("command-line", "Commands on the command line", tuple(_command_line())),
    )


def _strategies() -> Iterator[Name]:
    for cls in CATALOGUE:
        address = reverse("help:strategy", args=[cls.id])
        yield Name(f"strategy-{cls.id}", cls.id, cls.title, explained(cls).summary, address)


def _measures() -> Iterator[Name]:
    for cls in MEASURES:
        address = reverse("help:measure", args=[cls.id])
        yield Name(f"measure-{cls.id}", cls.id, cls.title, explained(cls).summary, address)


def _charts() -> Iterator[Name]:
    for chart in CHARTS:
        yield Name(f"chart-{chart.id}", chart.id, chart.title, escape(chart.summary))


def _plots() -> Iterator[Name]:
    for plot in PLOTS:
        yield Name(f"plot-{plot.id}", plot.id, plot.title, explained(type(plot)).summary)


def _figures() -> Iterator[Name]:
    for figure in FIGURES:
        sentence = explained(type(figure)).summary
        yield Name(f"figure-{figure.id}", figure.id, figure.title, sentence)


def _parents() -> Iterator[Name]:
    for policy in POLICIES.values():
        sentence = explained(type(policy)).summary
        yield Name(f"parent-{policy.id}", policy.id, policy.title, sentence)


def _orders() -> Iterator[Name]:
    for order in ORDERS.values():
        yield Name(f"order-{order.id}", order.id, order.title, explained(type(order)).summary)


def _formats() -> Iterator[Name]:
    for format in FORMATS.values():
        yield Name(f"format-{format.id}", format.id, format.title, escape(format.sentence))


def _filters(slug: str) -> Iterator[Name]:
    for filter in SEARCHES[slug].catalogue():
        anchor = f"filter-{slug}-{filter.id}"
        yield Name(anchor, filter.id, filter.title, escape(filter.sentence))


def _contexts() -> Iterator[Name]:
    for context in CONTEXTS:
        yield Name(f"context-{context.id}", context.id, context.title, escape(context.sentence))


def _weightings() -> Iterator[Name]:
    for cls in WEIGHTINGS.values():
        yield Name(f"weighting-{cls.id}", cls.id, cls.title, explained(cls).summary)


def _sources() -> Iterator[Name]:
    for source in SOURCES:
        yield Name(f"source-{source.id}", source.id, source.title, escape(source.sentence))


def _inputs() -> Iterator[Name]:
    """The inputs of a crawl, and the lists that an analyst adds to it."""
    for crawl_input in INPUTS:
        yield Name(
            f"input-{crawl_input.id}",
            crawl_input.id,
            crawl_input.title,
            escape(crawl_input.sentence),
        )
        for added in crawl_input.lists:
            if added.title != crawl_input.title:
                yield Name(f"list-{added.id}", added.id, added.title, escape(added.purpose))


def _commands() -> Iterator[Name]:
    for command in COMMANDS.values():
        yield Name(f"command-{command.name}", command.name, command.title, escape(command.does))


def _events() -> Iterator[Name]:
    """Kinds of events, with the letters that mark them on the charts."""
    for kind in EVENT_KINDS.values():
        mark = f" Marked {kind.letter} on the charts." if kind.letter else ""
        yield Name(f"event-{kind.kind}", kind.kind, kind.title, escape(f"{kind.title}.{mark}"))


def _command_line() -> Iterator[Name]:
    """The management commands of this project, each with the sentence of its `--help`."""
    for name, app in sorted(get_commands().items()):
        if isinstance(app, str) and app.partition(".")[0] in ("apps", "crawlsite"):
            sentence = escape(load_command_class(app, name).help)
            yield Name(f"manage-{name}", name, f"crawlsite {name}", sentence)
