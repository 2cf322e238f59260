"""Crawls, watches, drafts and months without evidence, drawn at random: the rooms beside a crawl's
own screens claim only what the rows carry."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.begin.models import CandidatePage, Draft
from apps.collection.clusters import overview
from apps.collection.models import Cluster, Clustering, Entry
from apps.collection.searched_crawls import crawls_of_topic
from apps.crawls.models import Crawl, FrontierEntry, HostRecord, Page
from apps.hosts.tasks import count_here
from apps.months.models import MonthRun
from apps.months.result import PolicyResult
from apps.months.schema import MonthDesign
from apps.months.selectors import policy_means
from apps.topics.models import Topic
from apps.watches.digest_text import text_of, title_of
from apps.watches.digests import MONTH, begin_digests, compose
from apps.watches.models import Digest, DigestSubscription, PageState, Watch, WatchVisit
from apps.watches.seen import news_counts
from tests.crawl_rows import made_topic
from tests.screens.test_evidence import NOTHING_AS_A_NUMBER, Draw, text_of_html
from tests.watch_fixtures import DAY, made_version, made_watched, see

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
DRAWS = 8


@pytest.fixture
def ada(django_user_model: Any, client: Client) -> User:
    ada = django_user_model.objects.create_user("ada")
    client.force_login(ada)
    return ada


def words(client: Client, address: str, **query: str) -> str:
    """The visible text of a screen, which has no number that is none."""
    answer = client.get(address, query)
    assert answer.status_code == 200, address
    seen = text_of_html(answer.content.decode())
    assert not NOTHING_AS_A_NUMBER.search(seen), address
    return seen


def table(client: Client, address: str) -> list[dict[str, str]]:
    """The rows of a CSV."""
    answer = client.get(address)
    data = async_to_sync(_joined)(answer) if answer.streaming else answer.content
    return [*csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))]


async def _joined(answer: Any) -> bytes:
    return b"".join([piece async for piece in answer.streaming_content])


class HostDraw(Draw):
    """A drawn crawl whose pages lie on one to four hosts, of which some have waiting links only."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        luck = np.random.default_rng(1_000 + seed)
        self.hosts = int(luck.integers(1, 5))
        self.left_out = int(luck.integers(0, 4))

    def stored(self, owner: User, topic: Topic | None = None) -> Crawl:
        crawl = super().stored(owner, topic)
        pages = list(Page.objects.filter(crawl=crawl))
        for page in pages:
            page.host = f"h{page.seq % self.hosts}.test"
            page.url = page.final_url = f"http://{page.host}/{page.seq}"
            page.votes, page.votes_of = (
                (None, None) if page.relevant is None else (int(page.relevant), 1)
            )
        Page.objects.bulk_update(pages, ["host", "url", "final_url", "votes", "votes_of"])
        FrontierEntry.objects.bulk_create(self._entries(crawl, pages))
        HostRecord.objects.bulk_create(
            HostRecord(crawl=crawl, host=host, **counts) for host, counts in _hosts(pages).items()
        )
        HostRecord.objects.create(crawl=crawl, host="waits.test", waiting=3)
        return crawl

    def _entries(self, crawl: Crawl, pages: list[Page]) -> Iterator[FrontierEntry]:
        common = {"crawl": crawl, "parent": -1, "depth": 0, "priority": 0.5}
        fetched, failed = FrontierEntry.State.FETCHED, FrontierEntry.State.FAILED
        for page in pages:
            yield FrontierEntry(number=page.number, url=page.url, state=fetched, **common)
        for n in range(self.left_out):
            url, number = f"http://gone.test/{n}", len(pages) + 1 + n
            yield FrontierEntry(number=number, url=url, state=failed, reason="http_404", **common)


def _hosts(pages: list[Page]) -> dict[str, dict[str, int]]:
    names = ("pages", "relevant", "needs_javascript")
    counts: dict[str, dict[str, int]] = {page.host: dict.fromkeys(names, 0) for page in pages}
    for page in pages:
        counts[page.host]["pages"] += 1
        counts[page.host]["relevant"] += page.relevant is True
        counts[page.host]["needs_javascript"] += page.needs_javascript
    return counts


def judged_by_host(crawls: list[Crawl]) -> dict[str, dict[str, set[str]]]:
    """By host the addresses that a judge has judged, and those that one calls relevant."""
    seen: dict[str, dict[str, set[str]]] = {}
    for page in Page.objects.filter(crawl__in=crawls):
        own = seen.setdefault(page.host, {"judged": set(), "relevant": set()})
        if page.relevant is not None:
            own["judged"].add(page.url)
        if page.relevant:
            own["relevant"].add(page.url)
    return seen


@pytest.mark.parametrize("seed", range(DRAWS))
def test_hosts(client: Client, ada: User, data_dir: Path, seed: int) -> None:
    crawl = HostDraw(seed).stored(ada)
    topic = crawl.topic
    assert count_here(topic)
    seen = judged_by_host([crawl])
    page = words(client, reverse("hosts:list", args=[topic.pk]))
    judged = sum(len(own["judged"]) for own in seen.values())
    relevant = sum(len(own["relevant"]) for own in seen.values())
    s = "" if relevant == 1 else "s"
    assert (f"{relevant} relevant page{s}" if judged else "no page judged") in page
    assert page.count("not judged") == sum(not own["judged"] for own in seen.values())
    rows = table(client, reverse("hosts:csv", args=[topic.pk]))
    network = client.get(reverse("hosts:network", args=[topic.pk])).json()["nodes"]
    for row in [*rows, *network]:
        own = seen.get(row["name"], {"judged": set()})
        assert (row["harvest"] in ("", None)) is not bool(own["judged"]), row
    live = words(client, reverse("live:hosts", args=[crawl.pk]))
    items = client.get(f"/api/v1/crawls/{crawl.pk}/hosts").json()["items"]
    assert live.count("not judged") == sum(
        item["pages"] > 0 and item["relevant"] is None for item in items
    )
    for item in items:
        own = seen.get(item["host"], {"judged": set(), "relevant": set()})
        assert item["relevant"] == (len(own["relevant"]) if own["judged"] else None)


@pytest.mark.parametrize("seed", range(DRAWS))
def test_shared_pages_clusters_and_the_list_of_collections(
    client: Client, ada: User, data_dir: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    topic = made_topic(ada)
    draws = [HostDraw(seed), HostDraw(seed + 50)]
    crawls = [draw.stored(ada, topic) for draw in draws]
    searched = crawls_of_topic(ada, topic.pk)
    entries = list(Entry.objects.filter(topic=topic).order_by("pk"))
    held = words(client, reverse("collection:home"), q="")
    listed = words(client, reverse("collection:list", args=[topic.pk]))
    for crawl, draw in zip(crawls, draws, strict=True):
        row = re.search(rf"#{crawl.pk} \D+ \d+ \d+ (not judged|[\d.]+\s*% \d+)", listed)
        assert row and (row[1] == "not judged") is not bool(draw.judged), listed
    together = [max(e.verdict for e in entries if e.address == a) for a in {*_addresses(entries)}]
    if max(together) < 0:
        assert "not judged" in held and not re.search(r"\d+ of \d+ judged", held)
    # Two clusters of drawn pages, as a job leaves them.
    made = [_cluster(topic, entries[part::2]) for part in (0, 1)]
    Clustering.objects.create(topic=topic, made_at=timezone.now(), entries=len(entries))
    for name in ("none", "some"):
        monkeypatch.setattr(overview, "MOST_KEYWORDS", 0 if name == "none" else 30)
        seen = words(client, reverse("collection:clusters", args=[topic.pk]))
        answer = client.get(f"/api/v1/topics/{topic.pk}/clusters").json()
        assert bool(answer["keywords"]) is (name == "some") is ("Pages with it" in seen)
        missing = max(0, sum(c.pages for c in crawls) - _indexed(crawls))
        for keyword in answer["keywords"]:
            assert (keyword["few"] is None) is (missing > 0 and keyword["pages"] < overview.FEW)
        for row in answer["clusters"]:
            assert (row["relevant"] is None) is (row["judged"] == 0)
    assert seen.count("not judged") == sum(row["judged"] == 0 for row in answer["clusters"])
    for row in table(client, reverse("collection:clusters_csv", args=[topic.pk])):
        assert (row["relevant"] == "") is (row["judged"] == "0")
    assert len(made) == 2 and searched.topic == topic


def _addresses(entries: list[Entry]) -> Iterator[int]:
    return (entry.address for entry in entries)


def _indexed(crawls: list[Crawl]) -> int:
    return sum(crawl.collected.indexed for crawl in crawls if hasattr(crawl, "collected"))


def _cluster(topic: Topic, entries: list[Entry]) -> Cluster:
    made = Cluster.objects.create(topic=topic, words=["a"], centre=b"", pages=len(entries))
    Entry.objects.filter(pk__in=[entry.pk for entry in entries]).update(cluster=made.pk)
    return made


@pytest.mark.parametrize("seed", range(DRAWS))
def test_pages_left_out(client: Client, ada: User, seed: int) -> None:
    draw = HostDraw(seed)
    crawl = draw.stored(ada)
    number = draw.left_out + sum(draw.script)
    for address in (
        reverse("left_out:crawl", args=[crawl.pk]),
        reverse("left_out:topic", args=[crawl.topic_id]),
    ):
        seen = words(client, address)
        es = "" if number == 1 else "es"
        assert f"{number} address{es}" in seen
        assert ("Nothing was left out" in seen) is (number == 0)


class WatchDraw:
    """A watch with none to three visits, of which each may fail, reach nothing, or see pages."""

    def __init__(self, seed: int) -> None:
        self.luck = np.random.default_rng(2_000 + seed)
        self.seen: list[tuple[int, PageState]] = []

    def stored(self, owner: User) -> Watch:
        draw = Draw(1)
        crawl = draw.stored(owner)
        start = timezone.now() - 40 * DAY
        watch = Watch.objects.create(
            topic=crawl.topic, owner=owner, pattern=crawl, created_at=start
        )
        Watch.objects.filter(pk=watch.pk).update(created_at=start)
        watch.refresh_from_db()
        self.pages = [made_watched(watch, f"p{n}", f"Page {n}") for n in range(3)]
        self.versions = [
            made_version(page, 1, start, "A text.", relevant=None) for page in self.pages
        ]
        for number in range(1, int(self.luck.integers(0, 3)) + 1):
            self._visit(watch, number)
        return watch

    def _visit(self, watch: Watch, number: int) -> None:
        at = watch.created_at + number * 12 * DAY
        fails, reaches = self.luck.random(2) < (0.3, 0.6)
        visit = WatchVisit.objects.create(
            watch=watch,
            number=number,
            stage="failed" if fails else "settled",
            due_at=at,
            began_at=at,
            ended_at=at + timedelta(hours=1),
        )
        asked = [] if fails else [page for page in self.pages if self.luck.random() < 0.7]
        for page in asked:
            states = [PageState.SAME, PageState.GONE, PageState.CHANGED]
            state = PageState(self.luck.choice(states)) if reaches else PageState.NOT_REACHED
            see(visit, page, state, self._version(page, state, at))
            self.seen.append((page.pk, state))
        counts = Counter(state for _, state in self.seen[len(self.seen) - len(asked) :])
        columns = {f"{state.value}_pages": counts.get(state, 0) for state in PageState}
        WatchVisit.objects.filter(pk=visit.pk).update(**columns)
        Watch.objects.filter(pk=watch.pk).update(visits=number)

    def _version(self, page: Any, state: PageState, at: Any) -> Any:
        if state != PageState.CHANGED:
            return None
        number = page.versions.count() + 1
        verdict = (None, True, False)[int(self.luck.integers(0, 3))]
        return made_version(page, number, at, f"Another text, the {number}th.", relevant=verdict)


@pytest.mark.parametrize("seed", range(2 * DRAWS))
def test_a_watch(client: Client, ada: User, settings: Any, seed: int) -> None:
    draw = WatchDraw(seed)
    watch = draw.stored(ada)
    ended = watch.visits_made.count()
    seen = words(client, reverse("watch:topic", args=[watch.topic_id]))
    api = client.get(f"/api/v1/topics/{watch.topic_id}/watch").json()
    last = {state: {pk for pk, each in draw.seen if each == state} for state in PageState}
    news = last[PageState.CHANGED] | last[PageState.GONE]
    same = last[PageState.SAME] - news
    reached = {pk for pk, state in draw.seen if state != PageState.NOT_REACHED}
    assert api["counts"] == news_counts(watch, watch.created_at) | {
        "same": len(same),
        "not_reached": len(last[PageState.NOT_REACHED] - reached),
    }
    assert f"= {len(same)} the same" in seen
    assert ("no visit has ended" in seen) is (ended == 0)
    assert ("Of fetching all each day" in seen) is (ended > 0)
    assert "Nothing new since" not in seen or ended
    # A changed page of which one version was not judged has no verdict that has changed.
    _verdicts(client, watch)
    for item in client.get(f"/api/v1/topics/{watch.topic_id}/watch/pages").json()["items"]:
        assert (item["state"] is None) is (item["id"] not in {pk for pk, _ in draw.seen})
    _sign_of_life(watch, bool(reached), bool(news))


def _verdicts(client: Client, watch: Watch) -> None:
    everything = words(client, reverse("watch:topic", args=[watch.topic_id]), since="start")
    number = everything.count("no longer relevant") + everything.count("now relevant")
    pairs = [
        {before.relevant, after.relevant}
        for page in watch.pages.all()
        for versions in [list(page.versions.order_by("number"))]
        for before, after in itertools.pairwise(versions)
    ]
    assert number == sum(pair == {True, False} for pair in pairs)


def _sign_of_life(watch: Watch, reached: bool, news: bool) -> None:
    """The monthly message; subscribed to searches alone, since news has its digest."""
    now = watch.created_at + MONTH
    Digest.objects.all().delete()
    DigestSubscription.objects.update_or_create(
        watch=watch,
        person=watch.owner,
        carrier="feed",
        defaults={
            "is_on": True,
            "searches_only": True,
            "sign_of_life": True,
            "created_at": watch.created_at,
        },
    )
    begin_digests(now)
    digest = Digest.objects.get(visit=None)
    compose(digest)
    digest.refresh_from_db()
    message = f"{title_of(digest.content)} {text_of(digest.content)}".lower()
    visits = watch.visits_made.all()
    if news:
        assert "nothing new" not in message and "your watched searches match" in message
    elif not visits:
        assert "no page was seen" in message and "nothing new" not in message
    elif not reached and all(visit.stage == "failed" for visit in visits):
        assert "no page was seen" in message
    assert ("nothing new" in message) <= bool(visits)


@pytest.mark.parametrize("seed", range(DRAWS))
def test_a_draft(client: Client, ada: User, seed: int) -> None:
    luck = np.random.default_rng(3_000 + seed)
    has_words, number = bool(luck.integers(0, 2)), int(luck.integers(0, 9))
    draft = Draft.objects.create(
        owner=ada,
        addresses="http://a.test/",
        words=["bread"] if has_words else [],
        job_state=Draft.State.DONE,
    )
    for n in range(number):
        CandidatePage.objects.create(
            draft=draft,
            url=f"http://a.test/{n}",
            host="a.test",
            source="given_sites",
            fetch="fetched",
            title=f"Page {n}",
            text="bread and dough" if n % 2 else "stars",
            terms={"bread": 2, "dough": 1} if n % 2 else {"star": 1},
            language="en",
        )
    verdict = str(luck.choice(["yes", "no"]))
    answered = int(luck.integers(0, number + 1))
    for page in draft.candidates.all()[:answered]:
        sent = {"page": page.pk, "answer": verdict}
        assert client.post(f"/topics/new/{draft.pk}/answer/", sent).status_code == 200
    seen = words(client, reverse("begin:new"), draft=str(draft.pk))
    # Answers of one kind alone teach nothing: without words all pages fit alike.
    foreseen = answered if has_words else 0
    sentence = re.search(r"It would have told (\d+) of the (\d+) right", seen)
    assert (sentence is not None) is (foreseen >= 5)
    if sentence:
        assert int(sentence[2]) == foreseen
    left = number - answered
    assert bool(re.search(r"\b(likely|unsure|likely no) (y n s)", seen)) is (has_words and left > 0)


@pytest.mark.parametrize("seed", range(DRAWS))
def test_months(client: Client, ada: User, seed: int) -> None:
    luck = np.random.default_rng(4_000 + seed)
    design = MonthDesign(seeds=(1, 2), policies=("adaptive", "uniform"))
    results = {str(s): {policy: _month(luck) for policy in design.policies} for s in (1, 2)}
    run = MonthRun.objects.create(
        owner=ada,
        design=design.model_dump(mode="json"),
        digest="d",
        results=results,
        job_state=MonthRun.State.DONE,
    )
    answer = client.get(f"/api/v1/months/{run.pk}").json()
    words(client, reverse("months:month", args=[run.pk]))
    for mean in answer["means"]:
        born = sum(results[s][mean["policy"]]["born"] for s in ("1", "2"))
        assert (mean["recall"] is None) is (born == 0)
    for policies in answer["results"].values():
        for each in policies.values():
            assert (each["recall"] is None) is (each["born"] == 0)
            assert each["born"] or not PolicyResult.read(each).reaches_goals
    assert len(policy_means(run)) == 2


def _month(luck: np.random.Generator) -> dict[str, Any]:
    """A result as an earlier version stored it: its recall is 0 where no page was born."""
    born = int(luck.choice([0, 0, 4]))
    counts = {"visits": 3, "requests": 30, "born": born, "seen": born}
    rest = dict.fromkeys(("changes", "false", "missed", "gone", "false_gone"), 0)
    fresh = None if luck.random() < 0.5 else 0.9
    return {**counts, **rest, "share": 0.05, "recall": 0.95 if born else 0.0, "freshness": fresh}
