"""Running a crawl once more: as it was, on the pages it has recorded, or from a recipe."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser

from apps.crawls import services
from apps.crawls.assembly import parameters_as_started, scope_as_started
from apps.crawls.given import freeze_sources
from apps.crawls.models import Crawl, Web
from apps.crawls.recipe_topics import topic_for
from apps.crawls.recipes import Recipe, RecipeRefused
from apps.crawls.recorded_pages import web_of_pages
from apps.crawls.services import CrawlRefused
from apps.crawls.webs import live_web, visible_webs
from apps.topics import work
from apps.topics.models import Topic
from apps.topics.services import TopicRefused


def run_again(crawl: Crawl, by: AbstractUser) -> Crawl:
    """A draft with the same recipe and the topic as it stood; on a recorded web it fetches the
    same pages in the same order. Raises CrawlRefused."""
    return _again(crawl, by, crawl.web, crawl.over)


def run_on_its_pages(crawl: Crawl, by: AbstractUser) -> Crawl:
    """The same on a recorded web of the crawl's own pages, which nobody is asked for again.

    Raises CrawlRefused.
    """
    return _again(crawl, by, web_of_pages(crawl), Crawl.Over.RECORD)


def _again(crawl: Crawl, by: AbstractUser, web: Web, over: str) -> Crawl:
    draft = services.create_crawl(
        by, crawl.topic, web, strategy=crawl.strategy, parameters=parameters_as_started(crawl),
        budget=crawl.budget, request_limit=crawl.request_limit, random_seed=crawl.random_seed,
        scope=scope_as_started(crawl), politeness=crawl.politeness, over=over,
        parent_policy=crawl.parent_policy, judge=crawl.judge, earlier=crawl.earlier,
    )
    if crawl.snapshot is not None:
        draft.snapshot = crawl.snapshot
        draft.save(update_fields=["snapshot"])
        freeze_sources(draft, like=crawl)
    return draft


def import_recipe(owner: AbstractUser, recipe: Recipe) -> Crawl:
    """A draft of the recipe, its topic made where the owner has none like it.

    The examples of a new topic are fetched in the background; start the crawl once they are.
    Raises RecipeRefused.
    """
    web = _web(owner, recipe)
    topic_web = None if web.source == Web.Source.LIVE else web.pk
    try:
        topic, is_new = topic_for(owner, recipe.topic, topic_web)
        crawl = services.create_crawl(owner, topic, web, **recipe.settings)
    except (CrawlRefused, TopicRefused) as refusal:
        raise RecipeRefused(refusal.field, refusal.message) from None
    if is_new:
        work.ask(topic, Topic.Work.FETCHING)
    return crawl


def _web(owner: AbstractUser, recipe: Recipe) -> Web:
    if recipe.web_source == Web.Source.LIVE:
        return live_web()
    found = visible_webs(owner).filter(name=recipe.web_name[:100]).first()
    if found is None:
        name = recipe.web_name[:100]
        raise RecipeRefused(
            "web",
            f"There is no web {name} here. Import it first (manage.py import_web {name} FILE), "
            "then this recipe again.",
        )
    return found
