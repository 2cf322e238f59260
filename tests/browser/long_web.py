"""A recorded web of some thousand pages, its topic, and crawls of it started by hand."""

from __future__ import annotations

import json

from playwright.sync_api import Page, expect

from tests.made_web import MadeWeb
from tests.running_site import RunningSite

MADE = MadeWeb(pages=4000, hosts=8)
FINISHED = 400
RANDOM_SEED = 1


def topic_of_long_web(site: RunningSite) -> int:
    """Imports both; the topic's number."""
    web, definition = site.folder / "long.jsonl", site.folder / "loaves.json"
    lines = (json.dumps({"url": url, "html": MADE.get(url).body.decode()}) for url in MADE.urls())
    web.write_text("\n".join(lines))
    definition.write_text(
        json.dumps(
            {
                "name": "Loaves",
                "keywords": ["dough", "flour"],
                "seeds": [MADE.url(0)],
                "positives": [MADE.url(4 * i) for i in range(1, 11)],
                "negatives": [MADE.url(4 * i + 1) for i in range(1, 21)],
                "targets": [MADE.url(4 * i) for i in range(40, 60)],
            }
        )
    )
    imports = ("import_web", "long", str(web)), ("import_topic", str(definition), "--web", "long")
    for command in imports:
        done = site.manage(*command)
        assert done.returncode == 0, done.stderr
    return int(json.loads(done.stdout)["topic"])


def finished_crawl(site: RunningSite, topic: int, pages: int = FINISHED) -> int:
    """Runs a crawl of so many pages to its end; its number."""
    done = site.manage(
        "crawl",
        str(topic),
        "--strategy",
        "text_window_combo",
        "--pages",
        str(pages),
        "--web",
        "long",
        "--seed-value",
        str(RANDOM_SEED),
        "--json",
    )
    assert done.returncode == 0, done.stderr
    return int(json.loads(done.stdout)["crawl"])


def start(page: Page, base_url: str, topic: int, strategy: str, pages: int) -> None:
    """Fills the form for a new crawl and starts it; ends on its live page."""
    page.goto(f"{base_url}/topics/{topic}/new-crawl/")
    for name in ("strategies", "parameters"):
        fold = page.locator(f"[data-fold={name}]")
        if fold.get_attribute("open") is None:
            fold.locator("> summary").click()
    page.locator(f"input[name=strategy][value={strategy}]").check()
    page.get_by_label("Recorded web long").check()
    page.locator("#id_budget").fill(str(pages))
    page.locator("#id_random_seed").fill(str(RANDOM_SEED))
    expect(page.locator("[data-rail]")).to_contain_text(f"{pages:,} pages")
    page.get_by_role("button", name="Start crawl").click()
    page.wait_for_url("**/crawls/*/")
