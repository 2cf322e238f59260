"""Large downloads are made in the background, stored for a week, and survive a killed worker."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import User
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone

from apps.collection.search import CollectionSearch
from apps.collection.searched_crawls import crawls_of_topic
from apps.dossiers.models import TakeDown
from apps.exports import stored
from apps.exports.formats import FORMATS
from apps.exports.models import StoredDownload
from apps.jobs import queue
from apps.topics.models import Topic
from tests.background import work_on
from tests.collection_fixtures import store
from tests.crawl_rows import made_crawl, made_topic
from tests.people import Program, person, site_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def topic(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Topic:
    """A topic whose twelve pages are too many for a request."""
    topic = made_topic(person("ada"), "Tea")
    store(made_crawl(topic), *[{"url": f"http://a.test/{i}", "text": f"w{i}"} for i in range(12)])
    monkeypatch.setattr("apps.screens.downloads.views.MOST_AT_ONCE", 10)
    return topic


def ask(topic: Topic, query: str = "format=csv") -> StoredDownload:
    search = CollectionSearch.read(QueryDict(query), crawls_of_topic(topic.owner, topic.pk))
    return stored.ask_for_download(topic.owner, search, FORMATS["csv"], QueryDict(query), 12)


async def joined(answer) -> bytes:
    return b"".join([piece async for piece in answer.streaming_content])


def files() -> list[str]:
    return sorted(each.name for each in stored.downloads_folder().rglob("*") if each.is_file())


def test_a_large_file_is_asked_for_made_and_fetched(topic) -> None:
    site, address = site_of(topic.owner), reverse("downloads:topic_search", args=[topic.pk])
    small = site.get(f"{address}?format=csv&url=nothing&q=w1")
    assert small.streaming
    assert "too large to be made while you wait" in site.get(f"{address}?format=csv").text
    assert not StoredDownload.objects.exists()
    for _ in range(2):
        assert site.post(f"{address}?format=csv").url == reverse("downloads:list")
    download = StoredDownload.objects.get()  # the same one is not made twice
    assert (download.rows, download.job_state) == (12, "waiting")
    assert site.get(reverse("downloads:file", args=[download.pk])).status_code == 302
    work_on(download)
    download.refresh_from_db()
    assert (download.job_state, download.written) == ("done", 12)
    assert "Download" in site.get(reverse("downloads:list")).text
    file = site.get(reverse("downloads:file", args=[download.pk]))
    text = async_to_sync(joined)(file)
    assert len(text.splitlines()) == 13 and int(file["Content-Length"]) == download.size
    program = Program(topic.owner)
    assert program.get(f"downloads/{download.pk}").json()["state"] == "done"
    assert program.send("post", f"topics/{topic.pk}/exports/csv").status_code == 202
    other: User = person("eve")
    assert Program(other).get(f"downloads/{download.pk}").status_code == 404
    assert site_of(other).get(reverse("downloads:file", args=[download.pk])).status_code == 404
    site.post(reverse("downloads:delete", args=[download.pk]))
    assert files() == [] and StoredDownload.objects.filter(pk=download.pk).count() == 0


def test_a_killed_worker_leaves_nothing_behind_and_the_file_is_made_anew(topic) -> None:
    download = ask(topic)
    lost = queue.claim(StoredDownload, download.pk, download.job_attempt)
    assert lost is not None
    queue.heartbeat(lost, folder="torn", written=3)
    (stored.downloads_folder() / "torn").mkdir(parents=True)
    (stored.downloads_folder() / "torn" / lost.file_name).write_text("half a file")
    queue.enqueue(download)
    work_on(download)
    assert files() == [download.file_name]
    assert not queue.finish(lost)  # a late worker changes nothing
    download.refresh_from_db()
    path = stored.path_of(download)
    assert path is not None and len(path.read_text().splitlines()) == 13


def test_a_cancelled_one_stops_and_leaves_no_file(topic, monkeypatch) -> None:
    download = ask(topic)

    def cancel_meanwhile(*_: object) -> object:
        stored.delete_download(StoredDownload.objects.get(pk=download.pk))
        return selection_of(*_)  # type: ignore[arg-type]

    selection_of = stored.selection_of
    monkeypatch.setattr(stored, "selection_of", cancel_meanwhile)
    work_on(download)
    assert files() == [] and not StoredDownload.objects.exists()


def test_what_expired_or_lost_its_pages_cannot_be_fetched(topic) -> None:
    download = ask(topic)
    work_on(download)
    download.refresh_from_db()
    assert stored.path_of(download) is not None
    topic.deleted_at = timezone.now()
    topic.save()
    assert stored.path_of(download) is None
    again = StoredDownload.objects.create(
        owner=topic.owner, scope="topic", key=topic.pk, format="csv", file_name="a.csv", rows=1
    )
    queue.enqueue(again)
    work_on(again)
    again.refresh_from_db()
    assert (again.job_state, again.job_problem) == ("failed", stored.GONE)
    StoredDownload.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert not stored.downloads_of(topic.owner)
    stored.delete_expired()
    assert files() == [] and not StoredDownload.objects.exists()


def test_a_file_with_pages_of_a_host_that_was_taken_down_since_is_gone(topic) -> None:
    work_on(download := ask(topic))
    download.refresh_from_db()
    assert stored.path_of(download) is not None and stored.delete_expired() == []
    now = timezone.now()
    later = TakeDown.objects.create(host="a.test", topics=[topic.pk], at=now, erase_at=now)
    assert stored.path_of(download) is None
    assert (
        site_of(topic.owner).get(reverse("downloads:file", args=[download.pk])).status_code == 302
    )
    TakeDown.objects.filter(pk=later.pk).update(undone_at=now)
    assert stored.path_of(download) is not None
    TakeDown.objects.filter(pk=later.pk).update(undone_at=None)
    assert len(stored.delete_expired()) == 1
    assert files() == [] and not StoredDownload.objects.exists()
