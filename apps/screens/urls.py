"""The addresses of the screens, one module for each screen."""

from __future__ import annotations

from django.urls import include, path

SCREENS = (
    "accounts",
    "machines",
    "first_run",
    "topics",
    "begin",
    "topic",
    "hosts",
    "labels",
    "lists",
    "directories",
    "uploads",
    "deletions",
    "webs",
    "backgrounds",
    "new_crawl",
    "crawls",
    "compare",
    "experiments",
    "new_experiment",
    "papers",
    "months",
    "experiment",
    "recipes",
    "live",
    "left_out",
    "sharing",
    "watch",
    "measures",
    "collection",
    "page",
    "downloads",
    "dossier",
    "help",
)

urlpatterns = [path("", include(f"apps.screens.{screen}.urls")) for screen in SCREENS]
