"""A crawl's topic is frozen by the worker that takes it, never by the request that starts it."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.crawls.commands.lifecycle.start import start
from apps.crawls.inputs import frozen
from apps.crawls.lifecycle.lease import claim
from apps.crawls.messages import state_words
from apps.crawls.models import Crawl, FrozenInputs
from apps.engine.codes import State, StopReason
from apps.engine.errors import BadWebFile
from tests.crawls.run_here import bread, made_web, new_crawl, run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.alike]
MOST_QUERIES = 20


@pytest.fixture
def draft(data_dir: Path) -> Crawl:
    return new_crawl(bread(get_user_model().objects.create_user("ada"), made_web(data_dir)))


def test_the_request_that_starts_it_reads_none_of_the_topics_pages(draft) -> None:
    with CaptureQueriesContext(connection) as queries:
        start(draft)
    assert draft.state == State.QUEUED and len(queries) <= MOST_QUERIES
    read = [q["sql"] for q in queries if "topics_example" in q["sql"] or "_target" in q["sql"]]
    assert not read and draft.snapshot is None and not FrozenInputs.objects.exists()


def test_its_worker_takes_the_topic_as_it_is_then_and_once(draft) -> None:
    start(draft)
    topic = draft.topic
    topic.keywords, topic.version = ["rye"], topic.version + 1
    topic.save()
    taken = claim(draft.pk, draft.epoch)
    assert taken is not None
    frozen.freeze_topic(taken)
    assert taken.snapshot is not None
    assert taken.snapshot.data["keywords"] == ["rye"]
    topic.keywords, topic.version = ["wheat"], topic.version + 1
    topic.save()
    frozen.freeze_topic(Crawl.objects.get(pk=draft.pk))
    stored = Crawl.objects.get(pk=draft.pk)
    assert stored.snapshot == taken.snapshot and FrozenInputs.objects.count() == 1
    assert state_words(stored).reason.startswith("preparing: a worker reads what its topic gives")


def test_pages_that_cannot_be_read_fail_it_with_words_and_it_can_be_tried_again(
    draft, monkeypatch
) -> None:
    def gone(*what: object) -> None:
        raise BadWebFile(detail="examples.warc.gz is gone")

    with monkeypatch.context() as patch:
        patch.setattr(frozen, "freeze", gone)
        failed = run(draft)
    assert (failed.state, failed.reason) == (State.FAILED, StopReason.PAGES_UNREADABLE)
    words = state_words(failed)
    assert words.reason.startswith("pages that it starts from cannot be read: examples.warc.gz is")
    assert words.action_label == "Try again"
    failed.state = State.DRAFT
    failed.save(update_fields=["state"])
    assert run(failed).pages == 60
