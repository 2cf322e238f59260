"""A watched topic whose visits have seen pages come, change and go."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User

from apps.engine.codes import State
from apps.main_text.article import Block, pack
from apps.watches.models import (
    Observation,
    PageState,
    PageVersion,
    Watch,
    WatchedPage,
    WatchVisit,
)
from tests.crawl_rows import made_crawl, made_topic

START = datetime(2026, 11, 2, 2, tzinfo=UTC)
DAY = timedelta(days=1)
BEFORE = (
    "Grants for heat pumps in public buildings are open to towns and schools.",
    "Closing date: 28 November 2026.",
)
AFTER = (BEFORE[0], "Closing date: 16 January 2027.")


def made_watch(owner: User, name: str = "Heat pumps") -> Watch:
    """A watch without visits."""
    crawl = made_crawl(made_topic(owner, name), state=State.FINISHED, pages=3)
    watch = Watch.objects.create(
        topic=crawl.topic,
        owner=owner,
        pattern=crawl,
        created_at=START,
        next_visit_at=START + 3 * DAY,
    )
    Watch.objects.filter(pk=watch.pk).update(created_at=START)
    watch.refresh_from_db()
    return watch


def made_visit(watch: Watch, number: int, **counts: int) -> WatchVisit:
    """A visit that has ended; `counts` are its columns `new_pages` and so on."""
    at = START + number * DAY
    Watch.objects.filter(pk=watch.pk).update(visits=number)
    return WatchVisit.objects.create(
        watch=watch,
        number=number,
        stage=WatchVisit.Stage.SETTLED,
        due_at=at,
        began_at=at,
        ended_at=at + timedelta(minutes=12),
        requests=40,
        **counts,
    )


def made_watched(watch: Watch, path: str, title: str) -> WatchedPage:
    return WatchedPage.objects.create(
        watch=watch,
        key=path,
        url=f"http://grants.test/{path}",
        host="grants.test",
        title=title,
        is_watched=True,
        first_seen_at=START,
        relevant=True,
    )


def made_version(
    page: WatchedPage, number: int, at: datetime, *texts: str, relevant: bool = True
) -> PageVersion:
    return PageVersion.objects.create(
        page=page,
        number=number,
        at=at,
        title=page.title,
        text_digest=f"{page.pk}-{number}",
        blocks=pack([Block("paragraph", text) for text in texts]),
        relevant=relevant,
    )


def see(
    visit: WatchVisit,
    page: WatchedPage,
    state: PageState,
    version: PageVersion | None = None,
    code: str = "",
) -> None:
    """What a visit has seen of a page, which is in that state since."""
    at = visit.began_at + timedelta(minutes=5)
    Observation.objects.create(
        page=page, visit=visit, at=at, state=state, version=version, code=code
    )
    page.state, page.state_visit, page.state_at, page.code = state, visit, at, code
    page.save()


def fill_watch(watch: Watch) -> list[WatchVisit]:
    """Two visits: the first sees all the same, the second one page new, changed, gone and the
    same."""
    first = made_visit(watch, 1, same_pages=3)
    second = made_visit(watch, 2, new_pages=1, changed_pages=1, gone_pages=1, same_pages=1)
    fund, old, plain = (
        made_watched(watch, path, title)
        for path, title in (("apply", "How to apply"), ("2019", "Plan of 2019"), ("a", "A page"))
    )
    versions = [made_version(page, 1, first.began_at, *BEFORE) for page in (fund, old, plain)]
    for page, version in zip((fund, old, plain), versions, strict=True):
        see(first, page, PageState.SAME, version)
    new = made_watched(watch, "award", "Awards <of> round 5")
    see(
        second, new, PageState.NEW, made_version(new, 1, second.began_at, "Forty-one towns won it.")
    )
    see(second, fund, PageState.CHANGED, made_version(fund, 2, second.began_at, *AFTER))
    see(second, old, PageState.GONE, versions[1], "http_410")
    see(second, plain, PageState.SAME, versions[2])
    return [first, second]


@pytest.fixture
def watch(owner: User) -> Watch:
    return made_watch(owner)


@pytest.fixture
def visits(watch: Watch) -> list[WatchVisit]:
    return fill_watch(watch)
