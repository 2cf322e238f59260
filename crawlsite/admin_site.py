"""Django's admin, of the site's own tables only.

A library brings an admin for its tables, which may do whatever the library wants: django-q2's
schedules name a function that the workers then call, so whoever adds one runs any command on the
server.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.apps import AppConfig
from django.contrib import admin
from django.contrib.admin.apps import SimpleAdminConfig
from django.core.checks import CheckMessage
from django.db.models import Model
from django.db.models.base import ModelBase

SHOWN_LIBRARIES = frozenset({"django.contrib.auth"})


class OwnTables(admin.AdminSite):
    """Registers tables of `apps` and of `SHOWN_LIBRARIES`, and passes over all others."""

    def register(
        self,
        model_or_iterable: ModelBase | Iterable[type[Model]],
        admin_class: type[admin.ModelAdmin[Any]] | None = None,
        **options: Any,
    ) -> None:
        models: Any = model_or_iterable
        if isinstance(models, ModelBase):
            models = [models]
        shown = [model for model in models if _is_shown(model)]
        super().register(shown, admin_class, **options)

    def check(self, app_configs: Sequence[AppConfig] | None) -> list[CheckMessage]:
        admin.autodiscover()
        return super().check(app_configs)


class OwnTablesConfig(SimpleAdminConfig):
    """Leaves it to the URLs to load the pages of the tables: only a web server serves them."""

    default = False
    default_site = "crawlsite.admin_site.OwnTables"


def _is_shown(model: type[Model]) -> bool:
    app = model._meta.app_config.name
    return app.startswith("apps.") or app in SHOWN_LIBRARIES
