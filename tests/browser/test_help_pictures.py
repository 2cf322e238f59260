"""The pictures of the help, made from an idea to a spreadsheet on a site of its own.

They stand in static/help. To make them anew after a change of these screens:
`CRAWLSITE_TEST_PICTURES=renew .venv/bin/python -m pytest tests/browser/test_help_pictures.py`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import sign_in
from tests.made_web import MadeWeb
from tests.running_site import RunningSite, running_site

MADE = MadeWeb(pages=600, hosts=8)
SENTENCE = "Bread: dough, rye flour and a starter, baked in an oven. Not planets."
LONG = 300_000
QUALITY = 42
MOST_BYTES = 60_000
SIZE = {"width": 1000, "height": 640}


@pytest.fixture(scope="module")
def idea(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    """A site with a recorded web and nothing else."""
    with running_site(tmp_path_factory.mktemp("idea"), "--no-demo") as site:
        web = site.folder / "bakers.jsonl"
        pages = ({"url": url, "html": MADE.get(url).body.decode()} for url in MADE.urls())
        web.write_text("\n".join(map(json.dumps, pages)))
        done = site.manage("import_web", "bakers", str(web))
        assert done.returncode == 0, done.stderr
        yield site


@pytest.fixture
def page(idea: RunningSite, chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(
        base_url=idea.address, viewport=SIZE, color_scheme="light", timezone_id="UTC"
    )
    page = context.new_page()
    sign_in(page, idea.link)
    yield page
    context.close()


def take(page: Page, name: str) -> None:
    """Takes the picture and, if they are to be renewed, puts it into the help."""
    page.evaluate("document.activeElement?.blur()")
    picture = page.screenshot(type="jpeg", quality=QUALITY)
    assert len(picture) <= MOST_BYTES, f"{name} has {len(picture):,} bytes"
    if os.environ.get("CRAWLSITE_TEST_PICTURES") == "renew":
        folder = Path(settings.BASE_DIR) / "static" / "help"
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.jpg").write_bytes(picture)


def below_the_bar(page: Page, selector: str) -> None:
    """Brings a part of the page under the bar at its top."""
    page.locator(selector).first.evaluate(
        "part => scrollTo(0, part.getBoundingClientRect().top + scrollY - 70)"
    )


def crawl_of_a_sentence(site: RunningSite) -> tuple[int, int]:
    """A topic without examples and its crawl by the learner; their numbers."""
    file = site.folder / "bread.json"
    seeds = [MADE.url(i) for i in range(3)]
    file.write_text(json.dumps({"name": "Bread", "description": SENTENCE, "seeds": seeds}))
    done = site.manage("import_topic", str(file), "--web", "bakers")
    assert done.returncode == 0, done.stderr
    topic = int(json.loads(done.stdout)["topic"])
    command = ("crawl", str(topic), "--strategy", "learner", "--web", "bakers", "--json")
    done = site.manage(*command, "--pages", "150", "--seed-value", "1")
    assert done.returncode == 0, done.stderr
    return topic, int(json.loads(done.stdout)["crawl"])


def test_the_pictures_from_an_idea_to_a_spreadsheet(page: Page, idea: RunningSite) -> None:
    page.goto("/topics/new/")
    page.locator("#id_description").fill(SENTENCE)
    page.locator("#id_description").blur()
    rows: Any = page.locator("[data-row]")
    expect(rows.nth(2)).to_be_visible(timeout=LONG)
    take(page, "begin")
    topic, crawl = crawl_of_a_sentence(idea)
    page.goto(f"/crawls/{crawl}/")
    expect(page.locator("#proposals tr[data-seq]").nth(3)).to_be_visible(timeout=LONG)
    below_the_bar(page, "#proposals-title")
    take(page, "questions")
    page.goto(f"/topics/{topic}/collection/")
    expect(page.locator("main a[href*='/pages/']").nth(3)).to_be_visible(timeout=LONG)
    take(page, "collection")
    page.locator("#download > summary").click()
    expect(page.locator("#download .formats")).to_contain_text("Excel")
    take(page, "spreadsheet")
