"""The initial values of a form: defaults, an earlier design, or the leaderboard of a web."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product

from django.contrib.auth.models import User
from django.http import QueryDict

from apps.engine.frontier.scope import LINKS_PER_PAGE
from apps.engine.intelligence.strategies import CATALOGUE
from apps.experiments.design.schema import BY_TOPIC, CrawlerDesign, Design
from apps.experiments.selectors import topics_on
from apps.screens.new_crawl.scope_fields import ANY, REACHES, THESE
from apps.screens.new_experiment.forms import LIVE
from apps.screens.new_experiment.strategy_rows import key_at, sent_rows
from apps.topics.selectors import visible_topics
from apps.webs.models import Web
from apps.webs.selectors import live_web, recorded_webs

FIRST_ROWS = ("full_page", "text_window_combo", "breadth_first")
PAGES = 1000
AT = 500
LEAST_PAGES = 10


def new_values(person: User, web: Web | None = None) -> QueryDict:
    """Three strategies on all topics of a web, by default the one of the newest topic."""
    chosen = web or _usual_web(person)
    pages = max(LEAST_PAGES, min(PAGES, chosen.pages or PAGES)) if chosen else PAGES
    values = [
        ("web", str(chosen.pk) if chosen else LIVE),
        ("measure", "target_recall"),
        ("pages", str(pages)),
        ("at", str(min(AT, pages))),
        ("judge", "separate"),
        ("hold_out", BY_TOPIC),
        ("repetitions", "1"),
        ("follow", ANY),
        ("obey_robots", "on"),
        ("baseline", "0"),
        ("random_seed", str(random.SystemRandom().randrange(1, 100_000))),
    ]
    return _query_of([*values, *sent_rows(CrawlerDesign(strategy=name) for name in FIRST_ROWS)])


def leaderboard_rows() -> list[CrawlerDesign]:
    """Every strategy at its defaults."""
    return [CrawlerDesign(strategy=cls.id) for cls in CATALOGUE]


def values_of(design: Design, person: User) -> QueryDict:
    """A form that describes that design; topics that are not there any more are left out."""
    crawlers = _with_baseline_alone(design)
    web = recorded_webs(person).filter(name=design.web).first()
    on_web = topics_on(person, web or live_web()).filter(name__in=design.topics)
    return _query_of(
        [
            ("web", str(web.pk) if web else LIVE),
            ("topics_sent", "yes"),
            *(("topic", str(pk)) for pk in on_web.values_list("pk", flat=True)),
            *_scalars(design),
            *_scope(design),
            *sent_rows(crawlers),
            ("baseline", key_at(crawlers, design.baseline)),
        ]
    )


def _scalars(design: Design) -> Iterator[tuple[str, str]]:
    for name in (
        "name",
        "note",
        "measure",
        "pages",
        "at",
        "judge",
        "hold_out",
        "repetitions",
        "random_seed",
        "at_once",
    ):
        value = getattr(design, name)
        yield name, "" if value is None else str(value)


def _scope(design: Design) -> Iterator[tuple[str, str]]:
    scope, rules = design.scope, design.politeness
    follows = {reach: follow for follow, reach in REACHES.items()}
    yield "follow", THESE if scope.allow_hosts else follows.get(scope.reach, ANY)
    yield "hosts", " ".join(scope.allow_hosts)
    yield "never", " ".join((*scope.deny_hosts, *scope.deny_patterns))
    yield "only", " ".join(scope.allow_patterns)
    yield "languages", " ".join(scope.languages)
    if scope.main_text:
        yield "main_text", "on"
    yield "contact", rules.contact or ""
    yield "headers", "\n".join(rules.headers or ())
    limits = {name: getattr(scope, name) for name in ("depth", "pages_per_host", "frontier_cap")}
    if scope.links_per_page != LINKS_PER_PAGE:
        limits["links_per_page"] = scope.links_per_page
    numbers = (
        *("delay", "concurrent", "page_kb", "pages_per_second", "retries"),
        *("redirects", "hosts_per_domain", "hosts_per_address"),
    )
    limits |= {name: getattr(rules, name) for name in numbers}
    for name, value in limits.items():
        if value is not None:
            yield name, f"{value:g}" if isinstance(value, float) else str(value)
    if rules.obey_robots is not False:
        yield "obey_robots", "on"


def _with_baseline_alone(design: Design) -> Sequence[CrawlerDesign]:
    """The entries of a design; one whose second or later variant is the baseline is taken apart, so
    that a row stands for it."""
    key = int(key_at(design.crawlers, design.baseline))
    first = sum(_variants(each) for each in design.crawlers[:key]) + 1
    if not design.crawlers or design.baseline == first:
        return design.crawlers
    entry = design.crawlers[key]
    values = [
        value if isinstance(value, list | tuple) else [value] for value in entry.parameters.values()
    ]
    apart = [
        entry.model_copy(update={"parameters": dict(zip(entry.parameters, one, strict=True))})
        for one in product(*values)
    ]
    return (*design.crawlers[:key], *apart, *design.crawlers[key + 1 :])


def _variants(crawler: CrawlerDesign) -> int:
    number = 1
    for value in crawler.parameters.values():
        number *= max(1, len(value)) if isinstance(value, list | tuple) else 1
    return number


def _usual_web(person: User) -> Web | None:
    webs = recorded_webs(person)
    newest = visible_topics(person).filter(web__in=webs).order_by("-pk").first()
    return newest.web if newest else webs.first()


def _query_of(pairs: Sequence[tuple[str, str]]) -> QueryDict:
    values = QueryDict(mutable=True)
    for name, value in pairs:
        values.appendlist(name, value)
    return values
