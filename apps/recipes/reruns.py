"""Running a crawl again: as it was, on its own recorded pages, or from a recipe."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from apps.crawls import services
from apps.crawls.commands.lifecycle.start import start
from apps.crawls.commands.limits.stop_rules import STOP_RULES
from apps.crawls.inputs.frozen import repeat_inputs
from apps.crawls.models import Crawl, Recording
from apps.crawls.pages.recorded_web import present_web, web_of_pages
from apps.crawls.pages.recording import ask_for_web_of_pages
from apps.crawls.running.assembly import parameters_as_started, scope_as_started
from apps.crawls.sources.recorded_web import RECORDED_WEB
from apps.directories.models import DirectoryTopic
from apps.jobs import queue
from apps.recipes.classes import category_of, make_topics_of
from apps.recipes.previous_crawl import NotRunYet, crawl_to_run_first, earlier_for
from apps.recipes.schemas import Recipe
from apps.recipes.topics import topic_for
from apps.schemas.refused import Refused
from apps.topics.models import Topic
from apps.webs.models import Web
from apps.webs.selectors import live_web, visible_webs

MOST_AT_ONCE = 1_000
"""The pages of a crawl whose web is made in a request."""


def run_again(crawl: Crawl, by: User, *, topic_now: bool = False, form_token: str = "") -> Crawl:
    """A draft with the same recipe, and the topic as it was or, with `topic_now`, as it is now.

    With the topic as it was it fetches, on a recorded web, the same pages in the same order. Raises
    CrawlRefused.
    """
    return _again(crawl, by, crawl.web, crawl.over, topic_now, form_token)


def run_on_its_pages(
    crawl: Crawl, by: User, *, topic_now: bool = False, form_token: str = ""
) -> Crawl:
    """The same on a recorded web of the crawl's own pages, without new requests to their hosts.

    Only where the web is not made later (`is_made_later`). Raises CrawlRefused.
    """
    return _again(crawl, by, web_of_pages(crawl), RECORDED_WEB.over, topic_now, form_token)


def is_made_later(crawl: Crawl) -> bool:
    """Whether the web of the crawl's pages is too large to be made while one waits."""
    return crawl.pages > MOST_AT_ONCE and present_web(crawl) is None


def run_once_recorded(
    crawl: Crawl, *, topic_now: bool = False, starts: bool = True, form_token: str = ""
) -> Recording:
    """Makes a web of the crawl's pages in the background, then repeats the crawl on it, as a draft
    unless it `starts`. Raises CrawlRefused."""
    rerun = {"topic_now": topic_now, "start": starts, "form_token": form_token}
    return ask_for_web_of_pages(crawl, rerun)


def run_on_recorded(recording: Recording, web: Web) -> None:
    """Runs the crawl of a recording again on its web, if that was wanted. Raises CrawlRefused."""
    if recording.rerun is None:
        return
    crawl = Crawl.objects.get(pk=recording.crawls[0])
    rerun = recording.rerun
    draft = _again(
        crawl, crawl.owner, web, RECORDED_WEB.over, rerun["topic_now"], rerun["form_token"]
    )
    if rerun["start"]:
        start(draft)


def _again(crawl: Crawl, by: User, web: Web, over: str, topic_now: bool, form_token: str) -> Crawl:
    lists = bool(crawl.scope.get("site_lists")) and web == crawl.web  # its own pages hold no lists
    draft = services.create_crawl(
        by,
        crawl.topic,
        web,
        strategy=crawl.strategy,
        parameters=parameters_as_started(crawl),
        budget=crawl.budget,
        request_limit=crawl.request_limit,
        random_seed=crawl.random_seed,
        scope={**scope_as_started(crawl), "site_lists": lists},
        politeness=crawl.politeness,
        over=over,
        parent_policy=crawl.parent_policy,
        pick_order=crawl.pick_order,
        judge=crawl.judge,
        earlier=crawl.earlier,
        form_token=form_token,
        **{rule.name: rule.limit(crawl) for rule in STOP_RULES},
    )
    if not topic_now:
        repeat_inputs(draft, crawl)
    return draft


def import_recipe(owner: User, recipe: Recipe) -> Crawl:
    """A draft of the recipe; its topic is made unless the owner has the same one.

    The examples of a new topic are fetched in the background; start the crawl after that. Raises
    Refused, naming what is missing here (a recorded web, a directory), or the earlier crawl that
    must be run first.
    """
    web = _web(owner, recipe)
    category = category_of(owner, recipe.classes)
    try:
        with transaction.atomic():
            return _draft(owner, recipe, web, category)
    except NotRunYet:
        raise _run_first(owner, recipe) from None


def _draft(owner: User, recipe: Recipe, web: Web, category: DirectoryTopic | None) -> Crawl:
    topic_web = web.pk if web.is_recorded else None
    topic, is_new = topic_for(owner, recipe.topic, topic_web, recipe.tables, recipe.background)
    earlier = earlier_for(owner, topic, web, recipe)
    crawl = services.create_crawl(owner, topic, web, earlier=earlier, **recipe.settings())
    make_topics_of(owner, recipe.classes, topic_web)
    if is_new:
        Topic.objects.filter(pk=topic.pk).update(category=category)
        work = Topic.Work.SCANNING if recipe.scanned else Topic.Work.FETCHING
        queue.enqueue(topic, work_wanted=work)
    return crawl


def _run_first(owner: User, recipe: Recipe) -> Refused:
    """The refusal that names the earlier crawl, a draft of which is made unless it exists."""
    assert recipe.earlier is not None
    wanted = recipe.earlier.recipe
    first = crawl_to_run_first(owner, wanted) or import_recipe(owner, wanted)
    pages = f"{recipe.earlier.pages:,} pages"
    return Refused(
        "earlier",
        f"It learns from the first {pages} of an earlier crawl, which comes with the recipe: crawl"
        f" #{first.pk} ({first.state}). Run that one to {pages} first, then import this recipe"
        " again.",
    )


def _web(owner: User, recipe: Recipe) -> Web:
    if recipe.web.source == Web.Source.LIVE:
        return live_web()
    web = visible_webs(owner).filter(name=recipe.web.name).first()
    if web is None:
        name = recipe.web.name[:100]
        raise Refused(
            "web",
            f"There is no web {name} here. Upload it first under that name (Webs, Upload a web),"
            " then import this recipe again.",
        )
    return web
