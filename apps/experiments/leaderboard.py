"""The leaderboard of a web: all strategies at their defaults, on topics of that web."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User

from apps.crawls.inputs.needs import strategy_needs
from apps.engine.codes import Need
from apps.engine.intelligence.strategies import CATALOGUE
from apps.experiments.design.schema import CrawlerDesign, Design
from apps.experiments.models import Experiment
from apps.experiments.selectors import topics_on, visible_experiments
from apps.experiments.services import create_experiment
from apps.schemas.refused import Refused
from apps.topics.from_labels import labels_for_topics, make_topics_of_labels
from apps.topics.inputs.crawl_input import StrategyNeed
from apps.topics.models import Topic
from apps.webs.models import Web

BASELINE = "full_page"
MOST_TOPICS = 20
FEWEST_TOPICS = 2
MOST_PAGES = 500
SHARE_OF_WEB = 8
LEAST_PAGES = 20
SCANNED = frozenset({Need.INLINKS, Need.BACKLINKS})


def make_leaderboard(
    owner: User,
    web: Web,
    *,
    pages: int | None = None,
    topics: int = MOST_TOPICS,
    random_seed: int = 1,
) -> Experiment:
    """A draft with every strategy that the topics on the web can be crawled with.

    The topics are those on the web that the owner may see; if there are fewer than two, topics are
    made of the web's labels. Raises Refused if it has no labels either, or for the live Web;
    BadWebFile.
    """
    if not web.is_recorded:
        raise Refused(
            "web",
            "A leaderboard is made on a recorded web: upload one, or record a"
            " crawl’s pages as a web.",
        )
    chosen = _topics(owner, web, topics, random_seed)
    budget = pages or max(LEAST_PAGES, min(MOST_PAGES, (web.pages or 0) // SHARE_OF_WEB))
    design = Design(
        name=f"Leaderboard of {web.name}"[:120],
        web=web.name,
        topics=tuple(topic.name for topic in chosen),
        crawlers=fitting_crawlers(chosen),
        pages=budget,
        random_seed=random_seed,
        measure="target_recall" if _have_targets(chosen) else "harvest_rate_true",
    )
    return create_experiment(owner, design, is_leaderboard=True)


def _topics(owner: User, web: Web, most: int, random_seed: int) -> Sequence[Topic]:
    here = [topic for topic in topics_on(owner, web) if topic.seeds.exists()]
    if len(here) >= FEWEST_TOPICS:
        return here[:most]
    if len(labels_for_topics(web)) < FEWEST_TOPICS:
        raise Refused(
            "topics",
            f"There are no two topics on {web.name} yet, and no labels to make them of:"
            " make topics on it first.",
        )
    return make_topics_of_labels(owner, web, most=most, random_seed=random_seed)


def _have_targets(topics: Sequence[Topic]) -> bool:
    return all(topic.targets.exists() for topic in topics)


def fitting_crawlers(topics: Sequence[Topic]) -> tuple[CrawlerDesign, ...]:
    """Every strategy whose needs all topics meet, the baseline first."""
    met = {
        need
        for need, each in strategy_needs().items()
        if need is not Need.CRAWL and _is_met(each, topics)
    }
    fit = [each.id for each in CATALOGUE if each().needed() <= met]
    fit.sort(key=lambda id: id != BASELINE)
    return tuple(CrawlerDesign(strategy=id) for id in fit)


def _is_met(need: StrategyNeed, topics: Sequence[Topic]) -> bool:
    """By every topic once it is prepared: its web is scanned for links then."""
    if need.need in SCANNED:
        topics = [topic for topic in topics if not topic.is_under_way]
    return need.met_by(topics) >= set(topics)


def evidence_for(user: User, web: Web | None) -> Experiment | None:
    """The newest leaderboard that has ended and that a person may see, of this web if there is
    one."""
    ended = visible_experiments(user).filter(is_leaderboard=True, state=Experiment.State.FINISHED)
    own = ended.filter(web=web).first() if web is not None else None
    return own or ended.first()
