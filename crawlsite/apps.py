"""The project as an app: it brings the checks and the commands that belong to no one app."""

from __future__ import annotations

from django.apps import AppConfig


class Crawlsite(AppConfig):
    name = "crawlsite"

    def ready(self) -> None:
        from crawlsite import checks  # noqa: F401  (registers them)
