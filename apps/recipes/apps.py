"""The app; it is notified of webs made of crawls' pages."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig


class RecipesConfig(AppConfig):
    name = "apps.recipes"

    def ready(self) -> None:
        from apps.crawls.signals import web_recorded

        web_recorded.connect(_run_again, dispatch_uid="recipes-run-again")


def _run_again(recording: Any, web: Any, **_: Any) -> None:
    from apps.recipes.reruns import run_on_recorded

    run_on_recorded(recording, web)
