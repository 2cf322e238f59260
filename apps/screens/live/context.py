"""The template context of the live page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.safestring import mark_safe

from apps.accounts.guide import guide_of
from apps.crawls.charts import CHARTS
from apps.crawls.commands.catalogue import EVENT_KINDS
from apps.crawls.commands.limits.stop_rules import STOP_RULES
from apps.crawls.models import Crawl
from apps.crawls.script_warnings import script_host_warning
from apps.crawls.selectors import editable_crawls
from apps.exports.formats import FORMATS
from apps.screens.figure_box import FigureBox
from apps.screens.live.figures import figures
from apps.screens.live.live_state import read_state
from apps.screens.live.page_header import page_header
from apps.screens.live.payloads import Message, first_shown, snapshot
from apps.topics.inputs.freezing import origin_words
from apps.topics.inputs.inlinks import INLINKS
from apps.topics.selectors import editable_topics, visible_topics

# Commands whose forms are hidden; their buttons are all over the page.
VERBS = ("delta", "undo", "exclude_host", "include_host", "include_pattern", "retrain", "skip")


def live_context(crawl: Crawl, user: User) -> dict[str, Any]:
    """The page of a crawl that the person may see and that has just been read; its websocket
    continues after `message.seq`."""
    state = read_state(crawl)
    message = snapshot(state, first_shown(state), reader=user)
    mine, owns_topic = crawl.owner_id == user.pk, crawl.topic.owner_id == user.pk
    may_change = mine or editable_crawls(user).filter(pk=crawl.pk).exists()
    may_edit_topic = owns_topic or editable_topics(user).filter(pk=crawl.topic_id).exists()
    return {
        "crawl": crawl,
        "about": page_header(crawl),
        "origins": [
            words for id, words in origin_words(crawl.inputs).items() if id != INLINKS.id
        ],  # they are in the chart of status
        "mine": mine,
        "may_change": may_change,
        "guide": guide_of(user) if may_change and crawl.topic.is_demo else None,
        "may_edit_topic": may_edit_topic,
        "may_run_again": may_edit_topic,  # see `editable_recipes`
        "topic_is_visible": may_edit_topic
        or visible_topics(user).filter(pk=crawl.topic_id).exists(),
        "message": message,
        "message_data": replace(message, fragments={}, rows=()).plain(),
        "fragments": {id.replace("-", "_"): html for id, html in message.fragments.items()},
        "figures": figures(),
        "boxes": _boxes(message),
        "downloads": _downloads(crawl),
        "marking": [kind for kind in EVENT_KINDS.values() if kind.letter],
        "warnings": [*crawl.warnings, *filter(None, [script_host_warning(crawl)])],
        "verbs": VERBS,
        "stop_rules": [(rule, rule.typed(crawl)) for rule in STOP_RULES],
    }


def _boxes(message: Message) -> list[FigureBox]:
    return [
        FigureBox(
            id=chart.id,
            title=mark_safe(str(message.fragments[f"title-{chart.id}"])),
            caption=mark_safe(str(message.fragments[f"caption-{chart.id}"])),
            reading=mark_safe(str(message.fragments[f"reading-{chart.id}"])),
            empty=mark_safe(str(message.fragments[f"empty-{chart.id}"])),
        )
        for chart in CHARTS
    ]


def _downloads(crawl: Crawl) -> list[tuple[str, str, str]]:
    """(title, content, address) of every format that can be written."""
    address = reverse("downloads:crawl_search", args=[crawl.pk])
    return [
        (format.title, format.words, f"{address}?format={format.id}")
        for format in FORMATS.values()
        if not format.missing
    ]
