"""The API: every resource at its address, with one way to authenticate and one form of errors."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.urls import URLPattern, URLResolver

from apps.api import deletions, uploads
from apps.api.accounts import account, shares
from apps.api.auth import Session, Token
from apps.api.catalogue import strategies, vocabulary
from apps.api.collection import downloads, exports, pages, saved_searches
from apps.api.collection import labels as collection_labels
from apps.api.crawls import (
    comparisons,
    crawls,
    events,
    hosts,
    labels,
    left_out,
    proposals,
    recipes,
    whys,
)
from apps.api.experiments import experiment_figures, experiments, months, papers
from apps.api.refusals import Api, answer_refusals
from apps.api.topics import (
    agreement,
    backgrounds,
    beginnings,
    clusters,
    directories,
    dossiers,
    inputs,
    opt_outs,
    topic_files,
    topic_hosts,
    topic_left_out,
    topics,
    watch_changes,
    watch_digests,
    watched_pages,
    watches,
)
from apps.api.webs import web_pages, webs

# The reference is a page of this site (`help:api`); the framework's would load scripts from other
# hosts.
api = Api(
    title="crawlsite",
    version=settings.VERSION,
    description="Everything that the screens do, for programs.",
    auth=[Token(), Session()],
    docs_url=None,
    openapi_url="/openapi.json",
    urls_namespace="api",
)
answer_refusals(api)
api.add_router("/account", account.router)
api.add_router("/topics", topics.router)
api.add_router("/topics", topic_files.router)
api.add_router("/topics", beginnings.router)
api.add_router("/topics", inputs.router)
api.add_router("/topics", watches.router)
api.add_router("/topics", watch_changes.router)
api.add_router("/topics", watched_pages.router)
api.add_router("/topics", watch_digests.router)
api.add_router("/topics", topic_hosts.router)
api.add_router("/topics", clusters.router)
api.add_router("/topics", opt_outs.router)
api.add_router("/topics", dossiers.router)
api.add_router("/topics", agreement.router)
api.add_router("/topics", topic_left_out.router)
api.add_router("/crawls", crawls.router)
api.add_router("/crawls", events.router)
api.add_router("/crawls", hosts.router)
api.add_router("/crawls", left_out.router)
api.add_router("/crawls", labels.router)
api.add_router("/crawls", proposals.router)
api.add_router("/crawls", whys.router)
api.add_router("", pages.router)
api.add_router("", collection_labels.router)
api.add_router("", saved_searches.router)
api.add_router("", exports.router)
api.add_router("/downloads", downloads.router)
api.add_router("", recipes.router)
api.add_router("", shares.router)
api.add_router("", comparisons.router)
api.add_router("", strategies.router)
api.add_router("", vocabulary.router)
# Before the verbs of experiments, whose addresses would take its own.
api.add_router("/experiments", experiment_figures.router)
api.add_router("/experiments", experiments.router)
api.add_router("/months", months.router)
api.add_router("/papers", papers.router)
api.add_router("", backgrounds.router)
api.add_router("/webs", webs.router)
api.add_router("/webs", web_pages.router)
api.add_router("/directories", directories.router)
api.add_router("/uploads", uploads.router)
api.add_router("/deletions", deletions.router)


def _without_sign_in_page(patterns: list[URLPattern | URLResolver]) -> None:
    """A program gets 401, not a redirect to the sign-in form."""
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            login_not_required(pattern.callback)


# Made once: each access to `api.urls` would make new views.
addresses = api.urls
_without_sign_in_page(addresses[0])
