"""Machines with a data folder each, PostgreSQL, Redis and a store of files: what one makes another
one crawls, a third one goes on with, and the first one reads."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from apps.engine.networking.page_store.records import digest_of
from tests.crawls.kill_site import KillSite, kill_site, shell_of
from tests.made_web import MadeWeb
from tests.running_site import other_machines, running_site, wait_for
from tests.s3_server import S3Server

pytestmark = [
    pytest.mark.tree,
    pytest.mark.kills,
    pytest.mark.skipif(not os.environ.get("REDIS_URL"), reason="a bucket needs PostgreSQL"),
]

BUDGET = 200
BODIES = """
import json
from apps.crawls.models import Crawl, UnsealedPages
from apps.crawls.pages.bodies import Bodies
from apps.engine.networking.page_store.records import digest_of
crawl = Crawl.objects.get(pk={crawl})
with Bodies(crawl) as bodies:
    bodies_read = [[page.final_url, page.digest, digest_of(bodies.answer(page).body)]
             for page in crawl.pages_fetched.order_by("seq")]
print(json.dumps({{"bodies": bodies_read, "unsealed": UnsealedPages.objects.count()}}))
"""


@pytest.fixture
def lab(tmp_path: Path, s3: S3Server):
    if not other_machines():
        pytest.skip("a process namespace may not be made here")
    folder = tmp_path / "a"
    folder.mkdir()
    environment = s3.environment(s3.new_bucket())
    web = MadeWeb(pages=400, hosts=8)
    with kill_site(folder, web, latency=400, environment=environment) as lab:
        yield lab


def bodies(lab: KillSite, crawl: int) -> dict:
    return json.loads(lab.shell.run(BODIES.format(crawl=crawl)).splitlines()[-1])


def test_a_crawl_passes_over_three_machines_and_is_read_on_the_first(lab, tmp_path: Path):
    site = lab.site
    site.kill_everything()  # the first machine made web and topic; nothing runs there any more
    with site.lent_workers(tmp_path / "b") as second:
        wait_for(lambda: f"Workers for {site.address}/" in second.log_text(), 60, second.log_text)
        crawl = lab.start(budget=BUDGET)
        lab.wait_for_pages(crawl, 20)
        lab.server.send_signal(signal.SIGSTOP)  # so that the crawl cannot end before it is read
        wait_for(lambda: lab.books(crawl)["pages"], 30, second.log_text)
        seen = bodies(lab, crawl)
        assert seen["unsealed"] and seen["bodies"], "read while they are in rows alone"
        assert all(digest == body for _, digest, body in seen["bodies"])
        second.kill()
    lab.server.send_signal(signal.SIGCONT)
    saved = tmp_path / "site.tar.gz"
    done = site.manage("backup", str(saved))
    assert done.returncode == 0, done.stderr
    with site.lent_workers(tmp_path / "c") as third:
        books = lab.wait_for_end(crawl)
        assert f"crawl {crawl}: its runner is gone, queued again" in third.log_text()
    assert books["summary"]["pages"] == BUDGET
    assert books["pages"][: len(seen["bodies"])] == [
        [seq, url, digest] for seq, (url, digest, _) in enumerate(seen["bodies"], 1)
    ]
    again = sum(n - 1 for n in lab.hits().values())
    assert again <= 8 + 25  # in flight and not yet committed

    read = bodies(lab, crawl)
    assert read["unsealed"] == 0
    assert len({url for url, _, _ in read["bodies"]}) == BUDGET
    for url, digest, body in read["bodies"]:
        assert digest == body == digest_of(lab.web.get(url).body)
    warc = tmp_path / "pages.warc.gz"
    done = site.manage("export", str(crawl), "--format", "warc", "-o", str(warc))
    assert done.returncode == 0, done.stderr
    assert warc.stat().st_size > 100 * BUDGET

    # The backup of when the second machine had died, restored into a site without a store.
    alone = dict.fromkeys(S3Server(0).environment(""), "")
    (tmp_path / "alone").mkdir()
    with running_site(tmp_path / "alone", environment=alone, start=False, tables=False) as new:
        done = new.manage("restore", str(saved))
        assert done.returncode == 0, done.stderr
        with shell_of(new) as shell:
            back = json.loads(shell.run(BODIES.format(crawl=crawl)).splitlines()[-1])
    assert back["unsealed"] == 0
    assert [each[:2] for each in back["bodies"][: len(seen["bodies"])]] == [
        each[:2] for each in seen["bodies"]
    ]
    assert all(digest == body for _, digest, body in back["bodies"])
