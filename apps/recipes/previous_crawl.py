"""The earlier crawl that a recipe's crawl learns from: one of this site, or one made from its
recipe."""

from __future__ import annotations

from django.contrib.auth.models import User

from apps.crawls.inputs.previous_crawl import earlier_crawls
from apps.crawls.models import Crawl
from apps.crawls.running.assembly import parameters_as_started
from apps.engine.codes import State
from apps.recipes.schemas import Recipe
from apps.topics.models import Topic
from apps.webs.models import Web


class NotRunYet(Exception):
    """The earlier crawl has not been run here."""


def earlier_for(owner: User, topic: Topic, web: Web, recipe: Recipe) -> Crawl | None:
    """The earlier crawl, or None if the recipe needs none. Raises NotRunYet."""
    wanted = recipe.earlier
    if wanted is None:
        return None
    ended = earlier_crawls(owner, topic, web).filter(pages__gte=wanted.pages)
    for crawl in ended.filter(strategy=wanted.recipe.strategy):
        if _is(crawl, wanted.recipe):
            return crawl
    raise NotRunYet


def crawl_to_run_first(owner: User, wanted: Recipe) -> Crawl | None:
    """The unfinished crawl here that was made from that recipe, if any."""
    mine = Crawl.objects.filter(owner=owner, strategy=wanted.strategy)
    under_way = mine.exclude(state__in=(State.FINISHED, State.FAILED))
    return next((crawl for crawl in under_way if _is(crawl, wanted)), None)


def _is(crawl: Crawl, recipe: Recipe) -> bool:
    """Whether the crawl has that recipe; budgets may differ."""
    return (
        parameters_as_started(crawl) == recipe.parameters
        and crawl.random_seed == recipe.random_seed
        and crawl.web.name == recipe.web.name
        and crawl.topic.keywords == list(recipe.topic.keywords)
    )
