"""Crawls that end before their first page."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from apps.crawls.messages import state_words
from apps.crawls.models import Crawl
from apps.engine.codes import State, StopReason
from apps.webs.importing import import_web
from tests.made_web import MadeWeb

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.alike]
MADE = MadeWeb(pages=40, hosts=2)


def test_a_crawl_that_would_count_no_target_advises_what_to_change(data_dir: Path) -> None:
    web_file, topic_file = data_dir / "made.jsonl", data_dir / "bread.json"
    web_file.write_text(MADE.json_lines())
    pages = [MADE.url(number) for number in range(6)]
    topic = {"name": "Bread", "keywords": ["dough"], "seeds": pages[:1], "targets": pages[1:]}
    topic_file.write_text(json.dumps({**topic, "hold_out": "regardless"}))
    import_web("made", web_file)
    call_command("import_topic", str(topic_file), "--web", "made", stdout=StringIO())
    with pytest.raises(SystemExit):
        call_command("crawl", "Bread", "--strategy", "learner", "--pages", "9", "--web", "made")
    crawl = Crawl.objects.get()
    assert (crawl.state, crawl.reason) == (State.FAILED, StopReason.NO_COUNTED_TARGETS)
    words = state_words(crawl)
    assert "not begun. All 5 targets lie in the background (drawn)" in words.in_full
    assert "Have targets taken out by their addresses" in words.in_full
    assert words.action_label == "Open the topic" and not crawl.pages
