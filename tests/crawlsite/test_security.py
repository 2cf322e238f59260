"""Headers of all pages."""

from __future__ import annotations

import pytest
from django.conf import settings as django_settings

from tests.people import Program, person, site_of


@pytest.mark.django_db
def test_nobody_but_the_browser_keeps_a_page() -> None:
    ada = person("ada")
    site = site_of(ada)
    for path in ("/topics/", "/crawls/", "/sign-in/", "/nothing/"):
        assert site.get(path).headers["Cache-Control"] in ("private, no-cache", NEVER), path
    assert Program(ada).get("topics").headers["Cache-Control"] == "private, no-cache"


@pytest.mark.django_db
def test_a_view_keeps_its_own_rule_and_static_files_theirs(settings) -> None:
    site = site_of(person("ada", is_superuser=True, is_staff=True))
    assert site.get("/administration/").headers["Cache-Control"] == NEVER
    static = settings.MIDDLEWARE.index("whitenoise.middleware.WhiteNoiseMiddleware")
    assert static < settings.MIDDLEWARE.index("crawlsite.security.PrivatePages")


def test_nothing_but_tasks_lies_in_redis() -> None:
    """A cache is read by pickle, so that whoever writes to one in Redis could run anything."""
    names = [name for name in dir(django_settings) if name.isupper()]
    marked = {name for name in names if "redis" in repr(getattr(django_settings, name)).lower()}
    assert marked <= {"REDIS_URL", "REDIS_PREFIX", "Q_CLUSTER"}
    kinds = {cache["BACKEND"] for cache in django_settings.CACHES.values()}
    assert kinds == {"django.core.cache.backends.locmem.LocMemCache"}
    assert django_settings.SESSION_ENGINE == "django.contrib.sessions.backends.db"


NEVER = "max-age=0, no-cache, no-store, must-revalidate, private"
