"""The project as an app, for checks and commands that do not belong to a single app."""

from __future__ import annotations

import atexit
import gc

from django.apps import AppConfig

from apps.engine.garbage import NEW_OBJECTS


class Crawlsite(AppConfig):
    name = "crawlsite"

    def ready(self) -> None:
        from crawlsite import (
            checks,  # noqa: F401  (registers them)
            database_session,
        )

        database_session.listen()
        # At its end Python searches all objects for garbage: half a million after a crawl, in .4 s.
        atexit.register(gc.freeze)
        gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])
        gc.freeze()  # until a first crawl of the process ends
        gc.enable()
