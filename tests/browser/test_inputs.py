"""Inputs in a real browser: uploaded, refused, removed, and an earlier crawl chosen."""

from __future__ import annotations

import json
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.made_web import MadeWeb
from tests.running_site import RunningSite

MADE = MadeWeb(pages=80, hosts=4)


@pytest.fixture(scope="module")
def topic(site: RunningSite) -> str:
    """The number of a topic in a recorded web, with a finished crawl of it."""
    web, file = site.folder / "inputs.jsonl", site.folder / "inputs.json"
    web.write_text(
        "\n".join(
            json.dumps({"url": url, "html": MADE.get(url).body.decode()}) for url in MADE.urls()
        )
    )
    file.write_text(
        json.dumps(
            {
                "name": "Rye",
                "keywords": ["dough"],
                "seeds": [MADE.url(0)],
                "positives": [MADE.url(i) for i in range(4, 44, 4)],
                "negatives": [MADE.url(i) for i in range(1, 60, 4)],
            }
        )
    )
    for command in (
        ("import_web", "inputs", str(web)),
        ("import_topic", str(file), "--web", "inputs"),
        ("crawl", "Rye", "--strategy", "breadth_first", "--pages", "20", "--web", "inputs"),
    ):
        done = site.manage(*command)
        assert done.returncode == 0, done.stderr
        if command[0] == "import_topic":
            number = str(json.loads(done.stdout)["topic"])
    return number


def upload(page: Page, kind: str, text: str, button: str = "Upload") -> None:
    row = page.locator(f"#inputs-{kind}")
    row.locator("input[type=file]").set_input_files(
        {"name": f"{kind}.txt", "mimeType": "text/plain", "buffer": text.encode()}
    )
    row.get_by_role("button", name=button).click()


def test_inputs_are_uploaded_refused_replaced_and_removed(analyst: Any, topic: str) -> None:
    page, base_url = analyst
    page.goto(f"{base_url}/topics/{topic}/")
    expect(page.locator("#topic-inputs")).to_contain_text(
        "Status is learned from in-links: counted in the recorded web inputs, 10 of 10"
    )
    traffic = page.locator("#inputs-traffic")
    upload(page, "traffic", "1,h0.test\n2,h1.test\nnonsense\n")
    expect(traffic).to_contain_text("traffic.txt for all your topics")
    traffic.get_by_text("1 line not taken").click()
    expect(traffic).to_contain_text("Line 3: nonsense no rank from 1 up.")
    upload(page, "traffic", "nothing", "Replace")
    expect(page.locator(".message.bad").first).to_contain_text("traffic.txt was not taken")
    expect(traffic).to_contain_text("2 rows")
    for _ in range(2):
        traffic.get_by_role("link", name="Remove…").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Remove: Domain traffic?")
        page.get_by_role("button", name="Remove it").click()
    expect(traffic).to_contain_text("the feature is 0 for every page")


def test_the_inputs_can_be_used_by_everybody(analyst: Any, topic: str) -> None:
    page, base_url = analyst
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(f"{base_url}/topics/{topic}/")
    violations = Axe().run(page, context="#topic-inputs")
    assert violations.violations_count == 0, violations.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_an_earlier_crawl_is_asked_for_where_it_is_needed(analyst: Any, topic: str) -> None:
    page, base_url = analyst
    page.goto(f"{base_url}/topics/{topic}/new-crawl/")
    earlier = page.get_by_label("Learns from")
    expect(earlier).to_be_hidden()
    for fold in ("strategies", "parameters"):
        page.locator(f"[data-fold={fold}] summary").click()
    page.get_by_role("radio", name="Apprentice").check()
    expect(earlier).to_be_hidden()
    page.locator("[name=apprentice-mode]").select_option("offline")
    expect(earlier).to_be_visible()
    page.get_by_role("radio", name="Recall crawler").check()
    expect(earlier).to_be_visible()
    page.get_by_role("button", name="Save as draft").click()
    expect(page.get_by_text("Choose the crawl that it learns from.")).to_be_visible()
    earlier.select_option(index=1)
    expect(page.locator("[data-rail]")).to_contain_text("It learns from crawl")
    page.get_by_role("button", name="Save as draft").click()
    expect(page.get_by_text("Recall crawler").first).to_be_visible()
