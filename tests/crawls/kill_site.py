"""A crawl over HTTP on the real process tree, judged by the web server's access log."""

from __future__ import annotations

import base64
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.made_documents import DocumentWeb
from tests.made_web import MadeWeb, bread_topic
from tests.running_site import (
    ROOT,
    RunningSite,
    free_port,
    kill,
    listens,
    running_site,
    wait_for,
)

# A process that has ended is noticed without its lease, which is long enough for a busy machine.
QUICK = {
    "CRAWLSITE_AGENTS": "1",
    "CRAWLSITE_LEASE_SECONDS": "10",
    "CRAWLSITE_HAND_OFF_SECONDS": "2",
    "CRAWLSITE_KEEP_SECONDS": "2",
    "CRAWLSITE_WATCHDOG_SECONDS": "15",
}
START = """
from apps.crawls.models import Crawl
from apps.webs.models import Web
from apps.crawls import services
from apps.crawls.commands.lifecycle.start import start
from apps.topics.models import Topic
topic = Topic.objects.get(name="bread")
crawl = services.create_crawl(
    topic.owner, topic, Web.objects.get(name="made"), strategy={strategy!r}, budget={budget},
    random_seed=1, over={over!r}, politeness={{"delay": 0.02, "concurrent": 8}},
    scope={{"documents": {documents}}},
)
start(crawl)
print(crawl.pk)
"""
SHELL = """
import contextlib, io, json, sys, traceback
import django
django.setup()
from django.db import close_old_connections
for line in sys.stdin:
    close_old_connections()
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(json.loads(line), {})
        answer = {"printed": printed.getvalue()}
    except BaseException:
        answer = {"error": traceback.format_exc()}
    print(json.dumps(answer), flush=True)
"""
IMPORT = """
from django.core.management import call_command
call_command("import_web", "made", {web!r}, "--redirects", {redirects!r})
call_command("import_topic", {topic!r}, "--web", "made")
"""
ADD_DOCUMENTS = """
import base64, json
from pathlib import Path
from apps.engine.networking.webs.writer import VirtualWebWriter
from apps.stored_files.files import keep
from apps.webs.models import Web
from apps.webs.opening import new_folder, open_web
row = Web.objects.get(name="made")
web, folder = open_web(row), new_folder("made-with-documents")
with VirtualWebWriter(folder) as writer:
    for url in web.urls():
        page = web.get(url)
        writer.add(url, page.body, web.labels(url), headers=page.headers)
    for url, body in json.loads(Path({documents!r}).read_text()).items():
        headers = (("Content-Type", "application/pdf"),)
        row.pages += writer.add(url, base64.b64decode(body), headers=headers)
    for source, target in web.redirects():
        writer.redirect(source, target)
keep(folder)
row.folder = folder.name
row.save()
"""
STATE = """
from apps.crawls.models import Crawl
print(Crawl.objects.values_list("state", flat=True).get(pk={crawl}))
"""
BOOKS = """
import json
from collections import Counter
from apps.crawls.models import Crawl
from apps.crawls.packing import unpack_numbers
from apps.crawls.summaries import summary
from django.db import connection, transaction
with transaction.atomic():
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    crawl = Crawl.objects.get(pk={crawl})
    entries = Counter(crawl.frontier.values_list("state", flat=True))
    print(json.dumps({{
        "summary": summary(crawl), "runner": crawl.runner, "entries": entries,
        "pages": list(
            crawl.pages_fetched.order_by("seq").values_list("seq", "final_url", "digest")),
        "order": [url for _, url in sorted(
            [*crawl.pages_fetched.values_list("request", "url"),
             *crawl.failed_requests.values_list("request", "url")])],
        "outlinks": crawl.outlinks.count(),
        "samples": list(crawl.samples.order_by("seq").values_list("seq", "pages")),
        "failures": crawl.failed_requests.count(),
    }}))
"""


class Shell:
    """Django on a site's data in a process that stays, so that a question takes no start-up."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.environment = environment
        self._process = subprocess.Popen(
            [sys.executable, "-c", SHELL],
            env=environment,
            text=True,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def run(self, code: str) -> str:
        """What the code prints. Raises AssertionError with the traceback where it fails."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(code) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return str(answer["printed"])

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


@contextmanager
def shell_of(site: RunningSite) -> Iterator[Shell]:
    """A shell on the site's data that no kill of its processes reaches: it spells the folder
    otherwise."""
    shell = Shell(
        {
            **site.environment,
            "CRAWLSITE_DATA": f"{site.folder}/./data",
            "DJANGO_SETTINGS_MODULE": "crawlsite.settings",
        }
    )
    try:
        yield shell
    finally:
        shell.close()


def made_files(folder: Path, web: MadeWeb) -> dict[str, str]:
    """Writes the web, its redirects and a topic of it as files for the commands; their paths."""
    (folder / "made.jsonl").write_text(web.json_lines())
    moved = {
        f"http://h{i // 4 % len(web.hosts)}.test/{i}/old": web.url(i) for i in range(web.count)
    }
    (folder / "moved.json").write_text(json.dumps(moved))
    topic = bread_topic(web)
    (folder / "bread.json").write_text(
        json.dumps(
            {
                "name": "bread",
                "keywords": list(topic.keywords),
                "language": "en",
                "seeds": list(topic.seeds),
                "positives": [e.url for e in topic.training if e.relevant],
                "negatives": [e.url for e in topic.training if not e.relevant],
                "evaluation": {
                    "positives": [e.url for e in topic.evaluation if e.relevant],
                    "negatives": [e.url for e in topic.evaluation if not e.relevant],
                },
                "targets": sorted(topic.targets),
                "inlinks": dict(topic.inlinks),
                "web_label": "bread",
            }
        )
    )
    return {
        "web": str(folder / "made.jsonl"),
        "redirects": str(folder / "moved.json"),
        "topic": str(folder / "bread.json"),
    }


class KillSite:
    """A site with a made web, its topic, and that web served with an access log by `server`."""

    server: subprocess.Popen[bytes]

    def __init__(self, site: RunningSite, web: MadeWeb, shell: Shell) -> None:
        self.site = site
        self.web = web
        self.log = site.folder / "access.log"
        self.shell = shell
        self._import()

    def _import(self) -> None:
        self.shell.run(IMPORT.format(**made_files(self.site.folder, self.web)))
        if isinstance(self.web, DocumentWeb):
            path = self.site.folder / "documents.json"
            bodies = {url: self.web.get(url).body for url in self.web.documents()}
            encoded = {url: base64.b64encode(body).decode() for url, body in bodies.items()}
            path.write_text(json.dumps(encoded))
            self.shell.run(ADD_DOCUMENTS.format(documents=str(path)))

    def start(
        self, strategy: str = "breadth_first", budget: int = 100_000, over: str = "http"
    ) -> int:
        documents = isinstance(self.web, DocumentWeb)
        code = START.format(strategy=strategy, budget=budget, over=over, documents=documents)
        return int(self.shell.run(code).split()[-1])

    def books(self, crawl: int) -> dict[str, Any]:
        """What the rows say, all at one moment."""
        return json.loads(self.shell.run(BOOKS.format(crawl=crawl)).splitlines()[-1])

    def balanced_books(self, crawl: int) -> dict[str, Any]:
        """The same, checked: everything discovered is counted once, by rows and by totals."""
        books = self.books(crawl)
        totals, entries = books["summary"], Counter(books["entries"])
        excluded = sum(totals["excluded"].values())
        assert totals["discovered"] == (
            totals["pages"] + totals["failed"] + excluded + totals["waiting"]
        )
        assert (entries["f"], entries["e"], entries["x"], entries["w"]) == (
            totals["pages"],
            totals["failed"],
            excluded,
            totals["waiting"],
        )
        assert totals["pages"] == len(books["pages"]) == books["outlinks"]
        assert totals["failed"] <= books["failures"] == sum(totals["errors"].values())
        assert totals["requests"] == totals["pages"] + books["failures"]
        assert [seq for seq, _, _ in books["pages"]] == list(range(1, totals["pages"] + 1))
        samples = totals["pages"] // 10
        assert books["samples"] == [[n, 10 * n] for n in range(1, samples + 1)]
        return books

    def wait_for_pages(self, crawl: int, pages: int, seconds: float = 60) -> None:
        """Returns when the access log has so many pages of the crawl, or the crawl has ended."""
        wait_for(lambda: len(self.hits()) >= pages or self.ended(crawl), seconds, self.site.output)

    def ended(self, crawl: int) -> bool:
        state = self.shell.run(STATE.format(crawl=crawl)).strip()
        return state in ("finished", "failed", "paused")

    def wait_for_end(self, crawl: int, seconds: float = 180) -> dict[str, Any]:
        wait_for(lambda: self.ended(crawl), seconds, self.site.output)
        return self.balanced_books(crawl)

    def hits(self) -> Counter[str]:
        """Requests by URL, robots.txt left out, as the server saw them."""
        if not self.log.exists():
            return Counter()
        lines = (line.split() for line in self.log.read_text().splitlines())
        urls = [words[2] for words in lines if len(words) == 5]
        return Counter(url for url in urls if not url.endswith("/robots.txt"))

    def kill_runner(self, crawl: int) -> bool:
        """Kills the worker that runs the crawl, if one does."""
        runner = self.books(crawl)["runner"]
        if runner:
            kill(int(runner.split(":")[1]))
        return bool(runner)

    def kill_converters(self) -> bool:
        """Kills the processes that read documents, if there are any."""
        pids = self.site.processes("apps.engine.parsing.documents.process")
        for pid in pids:
            kill(pid)
        return bool(pids)

    def kill_everything_and_start_again(self) -> float:
        """Seconds from the new start until the first page is answered by the site."""
        self.site.kill_everything()
        begun = time.monotonic()
        self.site.start("--no-demo")
        return time.monotonic() - begun


@contextmanager
def kill_site(
    folder: Path, web: MadeWeb, latency: int = 60, environment: Mapping[str, str] | None = None
) -> Iterator[KillSite]:
    """The site runs; the made web is served by a process of its own that no kill of the tree
    reaches."""
    settings = {**QUICK, **(environment or {})}
    with running_site(folder, "--no-demo", environment=settings) as site, ExitStack() as ended:
        shell = ended.enter_context(shell_of(site))
        lab = KillSite(site, web, shell)
        port = free_port()
        server = subprocess.Popen(
            [
                sys.executable,
                str(ROOT / "manage.py"),
                "serve_web",
                "made",
                "--port",
                str(port),
                "--access-log",
                str(lab.log),
                "--latency",
                str(latency),
            ],
            env=shell.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        lab.server = server
        ended.callback(server.wait)
        ended.callback(server.kill)
        wait_for(lambda: listens(port), 30)
        yield lab


def seed_of_the_day() -> int:
    """A random seed, printed so that a failure can be repeated (CRAWLSITE_KILL_SEED)."""
    seed = int(os.environ.get("CRAWLSITE_KILL_SEED", random.SystemRandom().randrange(10**6)))
    print(f"kill seed {seed}")
    return seed


def quick_or_long(quick: Mapping[str, int], long: Mapping[str, int]) -> Mapping[str, int]:
    """The small numbers of `make test` or the full ones of `make soak`."""
    return long if os.environ.get("CRAWLSITE_SOAK") else quick
