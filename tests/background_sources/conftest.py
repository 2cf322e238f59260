"""People, a small recorded web and topics of it."""

from __future__ import annotations

from tests.topic_fixtures import (  # noqa: F401
    owner,
    redirects_file,
    stranger,
    topic,
    web,
    web_file,
)
