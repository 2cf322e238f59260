"""The list of recorded webs: owners, contents, and uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AbstractUser
from django.http import QueryDict
from django.utils.http import urlencode

from apps.crawls.web_rows import WebRow, web_row
from apps.topics.models import Topic
from apps.topics.selectors import visible_topics
from apps.uploads.services import web_files
from apps.webs.selectors import noted_webs, recorded_webs

WHOSE = {"": "All", "yours": "Yours", "others": "Others’"}
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


@dataclass(frozen=True, slots=True)
class Whose:
    """One of the choices above the list, with the number of its webs."""

    words: str
    count: int
    query: str
    chosen: bool


def list_webs(
    user: AbstractUser, asked: QueryDict
) -> tuple[list[WebRow], list[Whose], str]:
    """The rows that match the words and the chosen owner, newest first, the choices, and the words.

    Words are looked for in names, notes and labels.
    """
    words = asked.get("q", "").strip()[:100]
    newest_first = recorded_webs(user).order_by("-created_at", "-pk")
    found = [row for row in (web_row(web, user) for web in newest_first)
             if _has(row, words.lower())]  # fmt: skip
    parts = {
        "": found,
        "yours": [row for row in found if row.web.owner_id == user.pk],
        "others": [row for row in found if row.web.owner_id != user.pk],
    }
    chosen = asked.get("whose", "") if asked.get("whose", "") in WHOSE else ""
    choices = [
        Whose(said, len(parts[name]), urlencode(
            {key: value for key, value in (("q", words), ("whose", name)) if value}
        ), name == chosen)
        for name, said in WHOSE.items()
    ]  # fmt: skip
    return parts[chosen], choices, words


def with_topics(rows: Sequence[WebRow], user: AbstractUser) -> list[ListedWeb]:
    """The rows with the topics that use them."""
    noted = set(noted_webs(user).values_list("pk", flat=True))
    by_web: dict[int, list[Topic]] = {row.web.pk: [] for row in rows}
    for topic in visible_topics(user).filter(web__in=by_web).order_by("name"):
        by_web[topic.web_id].append(topic)
    files = web_files([row.web for row in rows])
    return [
        ListedWeb(row, tuple(by_web[row.web.pk][:SHOWN_TOPICS]),
                  max(0, len(by_web[row.web.pk]) - SHOWN_TOPICS), row.web.pk in noted,
                  files[row.web.pk].left_out if row.web.pk in files else 0)
        for row in rows
    ]  # fmt: skip


def _has(row: WebRow, words: str) -> bool:
    return any(words in text.lower() for text in (row.web.name, row.web.note, *row.labels))
