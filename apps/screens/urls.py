"""The addresses of the screens, one module for each screen."""

from __future__ import annotations

from django.urls import include, path

SCREENS = (
    "accounts", "machines", "first_run", "topics", "topic", "directories", "uploads", "webs",
    "backgrounds", "new_crawl", "crawls", "compare", "experiments", "new_experiment", "experiment",
    "recipes", "live", "sharing", "measures", "collection", "page", "downloads", "help",
)  # fmt: skip

urlpatterns = [path("", include(f"apps.screens.{screen}.urls")) for screen in SCREENS]
