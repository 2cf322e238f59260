"""The list of recorded webs: owners, contents, and uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User

from apps.crawls.web_rows import WebRow
from apps.topics.models import Topic
from apps.topics.selectors import visible_topics
from apps.uploads.services import web_files
from apps.webs.selectors import noted_webs

SHOWN_TOPICS = 3


@dataclass(frozen=True, slots=True)
class ListedWeb:
    """A web's row: `topics` are those shown, `further` counts the rest; whether the person may
    change its note; how many entries of the file that it was made from were left out."""

    row: WebRow
    topics: tuple[Topic, ...]
    further: int
    may_note: bool
    left_out: int


def with_topics(rows: Sequence[WebRow], user: User) -> list[ListedWeb]:
    """The rows with the topics that use them."""
    noted = set(noted_webs(user).values_list("pk", flat=True))
    by_web: dict[int, list[Topic]] = {row.web.pk: [] for row in rows}
    for topic in visible_topics(user).filter(web__in=by_web).order_by("name"):
        assert topic.web_id is not None
        by_web[topic.web_id].append(topic)
    files = web_files([row.web for row in rows])
    return [
        ListedWeb(
            row,
            tuple(by_web[row.web.pk][:SHOWN_TOPICS]),
            max(0, len(by_web[row.web.pk]) - SHOWN_TOPICS),
            row.web.pk in noted,
            files[row.web.pk].left_out if row.web.pk in files else 0,
        )
        for row in rows
    ]
