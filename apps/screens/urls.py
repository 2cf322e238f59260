"""The addresses of the screens, one module for each screen."""

from __future__ import annotations

from django.urls import include, path

SCREENS = (
    "accounts", "first_run", "topics", "topic", "directories", "uploads", "webs", "new_crawl",
    "crawls", "compare", "recipes", "live", "sharing", "measures", "collection", "page",
    "downloads", "help",
)  # fmt: skip

urlpatterns = [path("", include(f"apps.screens.{screen}.urls")) for screen in SCREENS]
