"""Databases locked, restarted or emptied, and copies taken, in the midst of a crawl (P7–P10, P15).

Only in `make soak`: each needs the whole process tree and some of them half a minute of waiting.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread

import httpx
import pytest

from tests.crawls.kill_site import KillSite, kill_site
from tests.made_web import MadeWeb
from tests.running_site import RunningSite, wait_for
from tests.stores import delete_keys

pytestmark = [
    pytest.mark.tree,
    pytest.mark.kills,
    pytest.mark.soak,
    pytest.mark.skipif(not os.environ.get("CRAWLSITE_SOAK"), reason="make soak"),
]
ON_POSTGRES = bool(os.environ.get("DATABASE_URL"))
PAGES = 600
LOCKED_SECONDS = 25


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KillSite]:
    with kill_site(tmp_path_factory.mktemp("troubles"), MadeWeb(PAGES)) as lab:
        yield lab


@pytest.fixture(scope="module")
def expected(lab: KillSite) -> dict[str, str]:
    """The pages of an undisturbed crawl with their bodies' digests."""
    return bodies(lab.wait_for_end(lab.start()))


def bodies(books: dict) -> dict[str, str]:
    assert books["summary"]["reason"] == "frontier_empty"
    return {url: digest for _, url, digest in books["pages"]}


class Visitor(Thread):
    """Looks at the site all the time, signing in by a link, which writes; keeps the statuses."""

    def __init__(self, lab: KillSite) -> None:
        super().__init__(daemon=True)
        self._link = lab.site.manage("sign_in_link").stdout.split()[-1]
        self._address = lab.site.address
        self.statuses: list[int] = []
        self.over = False

    def run(self) -> None:
        with httpx.Client(base_url=self._address, timeout=90, follow_redirects=True) as client:
            path = "/" + self._link.partition("://")[2].partition("/")[2]
            page = client.get(path)
            token = page.text.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
            self.statuses.append(
                client.post(
                    path, data={"csrfmiddlewaretoken": token}, headers={"Referer": self._address}
                ).status_code
            )
            while not self.over:
                self.statuses.append(client.get("/crawls/").status_code)
                time.sleep(0.2)


@pytest.mark.skipif(ON_POSTGRES, reason="SQLite alone has one lock for all")
def test_a_database_locked_for_long_loses_nothing_and_fails_nobody(lab, expected):
    crawl = lab.start()
    lab.wait_for_pages(crawl, 40)
    visitor = Visitor(lab)
    file = lab.site.folder / "data" / "crawlsite.sqlite3"
    with closing(sqlite3.connect(file, isolation_level=None, timeout=60)) as other:
        other.execute("BEGIN IMMEDIATE")
        visitor.start()
        time.sleep(LOCKED_SECONDS)
        other.execute("ROLLBACK")
    assert bodies(lab.wait_for_end(crawl)) == expected
    visitor.over = True
    visitor.join(100)
    assert len(visitor.statuses) > 5 and max(visitor.statuses) < 500, visitor.statuses
    assert "database is locked" not in lab.site.output()


@pytest.mark.skipif(ON_POSTGRES, reason="a data folder holds all of it on SQLite alone")
def test_a_copy_taken_in_the_midst_of_a_crawl_goes_on_to_the_same_end(lab, expected, tmp_path):
    """The database by its own backup, then the files, with a change of hands between: the files
    hold more than the database knows of, and an epoch that it hands out again."""
    lab.log.write_text("")
    crawl = lab.start()
    lab.wait_for_pages(crawl, PAGES // 3)
    source, copy = lab.site.folder / "data", tmp_path / "data"
    copy.mkdir()
    backed_up(source / "crawlsite.sqlite3", copy / "crawlsite.sqlite3")
    stores = source / "crawls" / str(crawl)
    before = {*stores.glob("pages-*")}
    wait_for(lambda: lab.kill_runner(crawl), 60)
    # The next runner has begun its own file, of an epoch that the copied database hands out again.
    wait_for(lambda: {*stores.glob("pages-*")} - before, 60, lab.site.output)
    shutil.copytree(
        source,
        copy,
        dirs_exist_ok=True,
        ignore=shutil.ignore_patterns("crawlsite.sqlite3*", "*.lock", "*.sock"),
    )
    assert bodies(lab.wait_for_end(crawl)) == expected
    restored = RunningSite(
        tmp_path,
        {key: value for key, value in lab.site.environment.items() if key.startswith("CRAWLSITE_")},
    )
    restored.start("--no-demo")
    try:
        state = f"from apps.crawls.models import Crawl; print(Crawl.objects.get(pk={crawl}).state)"
        wait_for(lambda: restored.python(state).split()[-1] == "finished", 120, restored.output)
        assert set(
            restored.python(
                "from apps.crawls.models import Page\n"
                f"print(*Page.objects.filter(crawl={crawl}).values_list('final_url', flat=True))"
            ).split()
        ) == set(expected)
        with closing(sqlite3.connect(copy / "crawlsite.sqlite3")) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    finally:
        restored.kill_everything()


def backed_up(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)


@pytest.mark.skipif(not ON_POSTGRES, reason="needs PostgreSQL and Redis")
def test_sessions_ended_and_a_broker_emptied_lose_nothing(lab, expected):
    """What a restart of PostgreSQL and a FLUSHALL of Redis mean to this site, and to no other."""
    import psycopg

    crawl = lab.start()
    environment = lab.site.environment
    for pages in (PAGES // 6, PAGES // 3, PAGES // 2):
        lab.wait_for_pages(crawl, pages)
        with psycopg.connect(environment["DATABASE_URL"], autocommit=True) as own:
            own.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        delete_keys(environment["REDIS_URL"], environment["CRAWLSITE_REDIS_PREFIX"])
    assert bodies(lab.wait_for_end(crawl)) == expected
    assert max(lab.hits().values()) <= 4


def test_it_never_rests_a_minute_while_it_runs(lab, expected):
    """P15: at each moment something is asked for, or the crawl says why not."""
    crawl = lab.start()
    lab.log.write_text("")
    seen, since = 0, time.monotonic()
    while not lab.ended(crawl):
        hits = sum(lab.hits().values())
        if hits != seen:
            seen, since = hits, time.monotonic()
        assert time.monotonic() - since < 60
        time.sleep(0.5)
    assert bodies(lab.wait_for_end(crawl)) == expected
