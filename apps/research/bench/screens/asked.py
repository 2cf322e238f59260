"""Which addresses are asked for: one of each route, and searches and parts of some screens."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import QueryDict
from django.utils import timezone

from apps.accounts.tokens import make_token
from apps.background_sources.services import BackgroundSent, make_background
from apps.begin.models import Draft
from apps.collection.saved_searches.searches import save_search
from apps.collection.search import search_topic
from apps.directories.models import Directory, DirectoryTopic
from apps.exports.models import StoredDownload
from apps.jobs.models import Job
from apps.main_text.article import Block, pack
from apps.months.models import MonthRun
from apps.months.schema import MonthDesign
from apps.months.services import begin_months
from apps.research.bench.screens.addresses import addresses
from apps.research.bench.screens.large_site import LargeSite, do_waiting_jobs
from apps.screens.experiment.parts import TITLES
from apps.screens.help.screens import SCREENS
from apps.uploads.models import Upload
from apps.watches.digests import compose
from apps.watches.models import (
    Digest,
    Observation,
    PageState,
    PageVersion,
    Watch,
    WatchedPage,
    WatchVisit,
)
from apps.watches.services import start_watch
from apps.watches.subscriptions import feed_of

WORD = "articles"
NONE = 1
"""What stands in the address of what only a form or a person's own link leads to."""
UNASKED = frozenset({"/sign-out/"})
"""After it nothing else can be read."""


def asked_addresses(site: LargeSite) -> list[str]:
    """The addresses of all screens, parts and files; what they lead to is made if the site has none
    of it."""
    crawl, topic = site.crawl.pk, site.topic.pk
    searched = [
        "/crawls/?q=Crawl&page=2",
        "/crawls/?state=finished&order=harvest",
        f"/topics/{topic}/collection/?q={WORD}",
        f"/topics/{topic}/collection/?verdict=relevant&order=newest",
        f"/crawls/{crawl}/collection/?q={WORD}",
        f"/crawls/{crawl}/pages/?show=relevant",
        f"/crawls/{crawl}/pages/?show=unsure",
        f"/webs/{site.web.pk}/?q={WORD}",
        "/help/?q=harvest",
        f"/compare/?crawls={crawl},{crawl + 1},{crawl + 2}",
        *(f"/experiments/{site.experiment.pk}/?part={part}" for part in TITLES),
    ]
    return [at for at in (*addresses(_numbers(site)), *searched) if at not in UNASKED]


def _numbers(site: LargeSite) -> Mapping[str, object]:
    """What stands in an address, by the parameter with the folder that it is in."""
    owner, topic, crawl = site.owner, site.topic, site.crawl
    upload = Upload.objects.create(
        owner=owner, kind="web", name=site.web.name, size=1, job_state=Job.State.DONE
    )
    labels = Upload.objects.create(
        owner=owner,
        kind="labels",
        name=site.web.name,
        size=1,
        web=site.web,
        job_state=Job.State.DONE,
        report={"made": {"labels": 1, "pages": 1}, "files": ["", "none"]},
    )
    download = StoredDownload.objects.create(
        owner=owner, scope="topic", key=topic.pk, format="csv", file_name="a.csv", rows=60_000
    )
    search = search_topic(owner, topic.pk, QueryDict(f"q={WORD}"))
    return {
        "crawls/pk": crawl.pk,
        "topics/pk": topic.pk,
        "topic/pk": topic.pk,
        "webs/pk": site.web.pk,
        "experiments/pk": site.experiment.pk,
        "cells/cell": site.experiment.cells.earliest("pk").pk,
        "figures/figure": "trajectories",
        "hosts/host": crawl.hosts.earliest("pk").host,
        "pages/seq": 3,
        "pages/number": 3,
        "why/number": 3,
        "lists/upload": labels.pk,
        "uploads/pk": upload.pk,
        "searches/pk": save_search(owner, search, WORD).pk,
        "new/pk": Draft.objects.create(owner=owner, sentence=WORD).pk,
        "directories/pk": _make_directory(site).pk,
        "backgrounds/pk": _make_background(site),
        "months/pk": _make_months(site).pk,
        "people/pk": owner.pk,
        "tokens/pk": make_token(owner, "bench")[0].pk,
        "downloads/pk": download.pk,
        "download/format": "csv",
        "inputs/kind": "traffic",
        "sharing/kind": "topic",
        "strategies/id": crawl.strategy,
        "measures/id": "target_recall",
        "help/slug": SCREENS[0].slug,
        **dict.fromkeys(("groups/pk", "recordings/pk", "deletions/pk", "link/token"), NONE),
        **_make_watch(site),
    }


def _make_directory(site: LargeSite) -> Directory:
    directory = Directory.objects.create(owner=site.owner, name="Arts", categories=2)
    for path, depth in (("", 0), ("Glass", 1)):
        DirectoryTopic.objects.create(directory=directory, path=path, parent="", depth=depth)
    return directory


def _make_background(site: LargeSite) -> int:
    sent = BackgroundSent(source="web", options={"web": site.web.pk, "size": 40})
    background = make_background(site.owner, sent)
    do_waiting_jobs()
    return background.pk


def _make_months(site: LargeSite) -> MonthRun:
    run, _ = begin_months(site.owner, MonthDesign(pages=100))
    run.job_state, run.ended_at = Job.State.DONE, timezone.now()
    run.save()
    return run


def _make_watch(site: LargeSite) -> Mapping[str, object]:
    """A watch with a visit that has seen a page change, its digest and its feed."""
    now = timezone.now()
    watch: Watch = start_watch(site.topic, site.owner, now)
    visit = WatchVisit.objects.create(
        watch=watch,
        number=1,
        stage=WatchVisit.Stage.SETTLED,
        due_at=now,
        began_at=now,
        ended_at=now,
        changed_pages=1,
    )
    page = WatchedPage.objects.create(
        watch=watch,
        key="1",
        url="http://h0.test/1",
        host="h0.test",
        is_watched=True,
        first_seen_at=now,
        state=PageState.CHANGED,
        state_visit=visit,
        state_at=now,
    )
    version = PageVersion.objects.create(
        page=page, number=1, at=now, text_digest="1", blocks=pack([Block("paragraph", WORD)])
    )
    seen = Observation.objects.create(
        page=page, visit=visit, at=now, state=PageState.CHANGED, version=version
    )
    digest = Digest.objects.create(watch=watch, visit=visit, key="1", at=now)
    compose(digest)
    return {
        "digests/digest": digest.pk,
        "pages/page": page.pk,
        "changes/seen": seen.pk,
        "feed/token": feed_of(watch, site.owner, now).secret,
    }
