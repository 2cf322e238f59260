"""Every screen, part and file is read once with rows on every database.

What else the tests of a screen show of forms, words and layout is alike on all of them.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from django.contrib.auth.models import User

from apps.accounts.sharing import share
from apps.accounts.tokens import make_token
from apps.background_sources import services
from apps.background_sources.services import BackgroundSent
from apps.begin.models import Draft
from apps.collection.saved_searches.searches import save_search
from apps.collection.search import CollectionSearch
from apps.collection.searched_crawls import crawls_of_topic
from apps.directories.models import Directory, DirectoryTopic
from apps.engine.codes import State
from apps.exports.models import StoredDownload
from apps.research.bench.screens.addresses import addresses
from apps.screens.experiment.parts import TITLES
from apps.screens.help.screens import SCREENS
from apps.topics.models import Topic
from apps.uploads.models import Upload
from apps.watches.digests import begin_digests, compose
from apps.watches.models import Digest, PageState, Watch
from apps.watches.subscriptions import feed_of
from apps.webs.models import Web
from apps.webs.pages.indexing import write_index
from tests.background import work_on
from tests.crawl_rows import grow, made_crawl, made_event, made_host
from tests.experiment_fixtures import owner, topics, web  # noqa: F401
from tests.experiments.run_experiment import ended
from tests.months.made_months import ended_months
from tests.people import person, site_of
from tests.watch_fixtures import START, fill_watch


@pytest.fixture
def numbers(
    owner: User,
    web: Web,
    topics: list[Topic],
) -> Mapping[str, object]:
    """What stands in an address, by the parameter with the folder that it is in."""
    topic, reader = topics[0], person("ben")
    # Who sees what is being prepared at the first start.
    owner.is_superuser = owner.is_staff = True
    owner.save()
    web.owner = owner
    web.save()
    assert write_index(web)
    crawls = [grow(made_crawl(topic, web=web, state=State.FINISHED), 20) for _ in range(2)]
    made_event(crawls[0], 1, "delta", value=0.5, before=0.6)
    made_host(crawls[0], "a.test")
    directory = Directory.objects.create(owner=owner, name="Arts", categories=2)
    for path, depth in (("", 0), ("Glass", 1)):
        DirectoryTopic.objects.create(directory=directory, path=path, parent="", depth=depth)
    background = services.make_background(
        owner, BackgroundSent(source="web", options={"web": web.pk, "size": 40})
    )
    work_on(background.newest)
    experiment = ended(owner)
    for thing in (topic, crawls[0], directory, background, experiment):
        share(thing, reader.username)
    upload = Upload.objects.create(owner=owner, kind="web", name=web.name, size=1, job_state="done")
    listed = Upload.objects.create(
        owner=owner,
        kind="labels",
        name=web.name,
        size=1,
        web=web,
        job_state="done",
        report={"made": {"labels": 1, "pages": 1}, "files": ["", "none"]},
    )
    download = StoredDownload.objects.create(
        owner=owner, scope="topic", key=topic.pk, format="csv", file_name="a.csv", rows=60_000
    )
    scope = crawls_of_topic(owner, topic.pk)
    search = save_search(owner, CollectionSearch(words="bread").within(scope), "Bread")
    return {
        "lists/upload": listed.pk,
        "searches/pk": search.pk,
        "crawls/pk": crawls[0].pk,
        "hosts/host": "a.test",
        "topics/pk": topic.pk,
        "webs/pk": web.pk,
        "new/pk": Draft.objects.create(owner=owner, sentence="Bread").pk,
        "directories/pk": directory.pk,
        "pages/seq": 3,
        "pages/number": 3,
        "why/number": 3,
        "people/pk": owner.pk,
        "groups/pk": 1,
        "tokens/pk": make_token(owner, "mine")[0].pk,
        "uploads/pk": upload.pk,
        "recordings/pk": 1,
        "deletions/pk": 1,
        "link/token": "used",
        "inputs/kind": "traffic",
        "sharing/kind": "topic",
        "topic/pk": topic.pk,
        "download/format": "csv",
        "downloads/pk": download.pk,
        "strategies/id": "hcla",
        "measures/id": "target_recall",
        "help/slug": SCREENS[0].slug,
        "experiments/pk": experiment.pk,
        "cells/cell": experiment.cells.first().pk,
        "figures/figure": "trajectories",
        "months/pk": ended_months(owner).pk,
        "backgrounds/pk": background.pk,
        **_watched(topic),
    }


def _watched(topic: Topic) -> Mapping[str, object]:
    """A watch of the topic with news, a digest and a feed."""
    watch = Watch.objects.create(topic=topic, owner=topic.owner, created_at=START)
    visits = fill_watch(watch)
    begin_digests(START)
    digest = Digest.objects.get(visit=visits[1])
    compose(digest)
    return {
        "digests/digest": digest.pk,
        "pages/page": watch.pages.earliest("pk").pk,
        "changes/seen": visits[1].observations.get(state=PageState.CHANGED).pk,
        "feed/token": feed_of(watch, topic.owner, START).secret,
    }


def test_every_screen_can_be_read(owner, numbers) -> None:
    site = site_of(owner)
    parts = [f"/experiments/{numbers['experiments/pk']}/?part={part}" for part in TITLES]
    searched = ["/help/?q=harvest", f"/crawls/{numbers['crawls/pk']}/collection/?q=nothing"]
    answers = {at: site.get(at).status_code for at in (*addresses(numbers), *parts, *searched)}
    # What takes forms, or answers scripts, refuses to be read as it is; a link is used once.
    lost = {
        at: status
        for at, status in answers.items()
        if status >= 400 and status not in (400, 405, 410)
    }
    assert lost == {} and sum(status == 200 for status in answers.values()) > 60
