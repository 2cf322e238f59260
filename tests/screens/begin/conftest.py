"""People, and a small recorded web."""

from __future__ import annotations

from tests.topic_fixtures import owner, redirects_file, web, web_file  # noqa: F401
