"""Addresses of the screens: each screen keeps its own."""

from __future__ import annotations

from django.urls import include, path

SCREENS = (
    "accounts", "first_run", "topics", "topic", "directories", "uploads", "webs", "new_crawl",
    "crawls", "recipes", "live", "sharing", "measures", "collection", "page", "downloads", "help",
)  # fmt: skip

urlpatterns = [path("", include(f"apps.screens.{screen}.urls")) for screen in SCREENS]
