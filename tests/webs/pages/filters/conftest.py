"""A small web with its index, and people."""

from __future__ import annotations

from tests.topic_fixtures import owner, stranger  # noqa: F401
from tests.webs.pages.conftest import make_web, web  # noqa: F401
