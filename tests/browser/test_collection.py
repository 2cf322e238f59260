"""Searching a collection, looking at a hostile page and downloading, in a real browser."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.made_web import MadeWeb
from tests.running_site import RunningSite, wait_for

MADE = MadeWeb(pages=80, hosts=4)
EVIL = "http://h0.test/evil"
EVIL_PAGE = f"""<html><head><title><script>alert(1)</script>=evil dough</title>
<meta http-equiv="refresh" content="99;url=http://elsewhere.test/">
<link rel="stylesheet" href="http://elsewhere.test/x.css">
<style>@import "http://elsewhere.test/y.css"; body {{ background: url(http://elsewhere.test/b) }}
</style><script>document.title = "owned"; fetch("http://elsewhere.test/")</script></head>
<body onload="alert(2)"><p>Dough of evil intent.</p><img src="http://elsewhere.test/i.png" alt="i">
<form action="http://elsewhere.test/"><button>Press</button></form>
<a id="away" href="http://elsewhere.test/">away</a>
<iframe src="http://elsewhere.test/"></iframe><a href="{MADE.url(4)}">on</a></body></html>"""


@pytest.fixture(scope="module")
def collection(site: RunningSite) -> str:
    """The address of a collection of thirty pages, the hostile one among them."""
    pages = [{"url": url, "html": MADE.get(url).body.decode()} for url in MADE.urls()]
    web = site.folder / "evil.jsonl"
    web.write_text("\n".join(map(json.dumps, [{"url": EVIL, "html": EVIL_PAGE}, *pages])))
    topic = site.folder / "topic.json"
    topic.write_text(
        json.dumps(
            {
                "name": "Dough",
                "keywords": ["dough", "flour"],
                "seeds": [EVIL, MADE.url(0)],
                "positives": [MADE.url(i) for i in range(4, 44, 4)],
                "negatives": [MADE.url(i) for i in range(1, 60, 4)],
            }
        )
    )
    for line in (
        ("import_web", "evil", str(web)),
        ("import_topic", str(topic), "--web", "evil"),
        ("crawl", "Dough", "--strategy", "breadth_first", "--pages", "30", "--web", "evil"),
    ):
        done = site.manage(*line)
        assert done.returncode == 0, done.stderr
    pk = site.python(
        "from apps.topics.models import Topic; print(Topic.objects.get(name='Dough').pk)"
    )
    return f"/topics/{pk.strip()}/collection/"


def test_a_collection_is_searched_and_downloaded(
    analyst: Any, collection: str, tmp_path: Path
) -> None:
    page, base_url = analyst
    page.goto(base_url + collection)
    expect(page.locator(".result")).to_contain_text("30 pages")
    page.keyboard.press("/")
    page.keyboard.type("dough")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("q=dough"))
    expect(page.locator(".hit mark").first).to_be_visible()
    assert page.url.endswith("?q=dough")
    page.locator(".option", has_text="h0.test").get_by_role("checkbox").click()
    page.wait_for_url(re.compile("host=h0.test"))
    results = int(page.locator(".result b").first.inner_text())
    assert 0 < results < 30

    page.keyboard.press("Tab")
    page.keyboard.press("j")
    expect(page.locator(".hit").first).to_be_focused()
    too_short = page.locator(".hit", has_text="=evil dough")
    too_short.focus()
    page.keyboard.press("y")
    expect(too_short.get_by_role("alert")).to_contain_text("This page cannot be an example")
    row = page.locator(".hit", has_not_text="=evil dough").first
    row.focus()
    page.keyboard.press("y")
    expect(row.locator('[data-label="y"]')).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("w")
    expect(row.get_by_text("Path from the seed")).to_be_visible()
    page.keyboard.press("w")
    expect(row.get_by_text("Path from the seed")).to_be_hidden()

    page.get_by_text("Download", exact=True).first.click()
    expect(page.locator('[data-size="csv"]')).to_have_text(re.compile(r"\d\sKB"))
    page.get_by_label("without near-duplicates").uncheck()
    page.get_by_label("without pages that need JavaScript").uncheck()
    counted = page.locator("[data-count]")
    expect(counted).to_have_text(f"{results} rows")
    page.get_by_label("without seeds and examples").check()
    expect(counted).to_contain_text(f"of {results}")
    rows = int(re.match(r"\d+", counted.inner_text())[0])
    seeds = page.locator(".choice", has_text="without seeds").locator("[data-takes]")
    expect(seeds).to_have_text(f"−{results - rows}")
    page.get_by_role("radio", name="CSV").check()
    page.locator(".download-columns summary").click()
    page.get_by_label("captured_at").uncheck()
    page.get_by_label("strategy", exact=False).check()
    page.keyboard.press("Alt+ArrowUp")
    expect(page.get_by_label("strategy", exact=False)).to_be_focused()
    with page.expect_download() as started:
        page.get_by_role("button", name="Download CSV").click()
    started.value.save_as(tmp_path / "found.csv")
    with (tmp_path / "found.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == rows < results
    assert {line["host"] for line in lines} == {"h0.test"}
    assert "captured_at" not in lines[0]
    assert list(lines[0])[-1] == "strategy"
    page.reload()
    page.get_by_text("Download", exact=True).first.click()
    expect(page.get_by_label("without near-duplicates")).not_to_be_checked()
    expect(page.get_by_role("radio", name="CSV")).to_be_checked()
    page.locator(".more-formats > summary").click()
    page.get_by_label("Queue").check()
    expect(counted).to_contain_text("waiting link")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="similar pages").first.click()
    expect(page.get_by_role("heading", name="Similar pages")).to_be_visible()
    assert Axe().run(page).response["violations"] == []
    page.go_back()
    violations = Axe().run(page).response["violations"]
    assert violations == [], [(v["id"], v["nodes"][0]["html"]) for v in violations]


def test_a_hostile_page_is_safe_to_look_at(analyst: Any, collection: str) -> None:
    page, base_url = analyst
    page.goto(base_url + collection + "?q=evil+intent")
    expect(page.locator(".hit")).to_have_count(1)
    page.get_by_role("link", name="alert(1)").first.click()
    page.get_by_role("link", name="Raw copy", exact=True).click()
    frame = page.frame_locator("iframe.stored-copy")
    expect(frame.get_by_text("Dough of evil intent.")).to_be_visible()
    frame.locator("a", has_text="away").click()
    expect(frame.get_by_text("Dough of evil intent.")).to_be_visible()
    acting = "script, form, iframe, link, meta[http-equiv], [onload], [href]"
    assert frame.locator(acting).count() == 0
    assert "owned" not in page.title()
    expect(page.get_by_role("heading", level=1)).to_contain_text("=evil dough")
    for view in ("Text", "Links", "Headers", "Raw copy"):
        page.get_by_role("link", name=view, exact=True).click()
        page.wait_for_url(re.compile("view="))
    violations = Axe().run(page, options={"iframes": False}).response["violations"]
    assert violations == [], [(v["id"], v["nodes"][0]["html"]) for v in violations]


def test_a_page_reads_like_an_article_once_a_worker_has_read_it(
    analyst: Any, collection: str
) -> None:
    page, base_url = analyst
    page.goto(base_url + collection + "?q=dough&host=h1.test")
    page.locator(".hit .name a").first.click()
    article = page.locator("article.article")
    wait_for(lambda: article.count() or not page.reload(), 60)
    marks = article.locator("mark")
    expect(page.locator("[data-marks-words]")).to_contain_text(f"{marks.count()} marked")
    page.keyboard.press("Shift+M")
    expect(marks.last).to_have_class("current")
    page.keyboard.press("m")
    expect(marks.first).to_have_class("current")
    violations = Axe().run(page).response["violations"]
    assert violations == [], [(v["id"], v["nodes"][0]["html"]) for v in violations]
    page.goto(base_url + collection)
    expect(page.get_by_role("group", name="Language")).to_contain_text("English")


def test_a_collection_can_be_used_on_a_phone(
    new_page: Any, signed_in: Any, collection: str
) -> None:
    page = new_page(storage_state=signed_in, viewport={"width": 390, "height": 844})
    page.goto(collection + "?q=dough")
    expect(page.locator(".hit").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".all-facets > summary").click()
    page.locator(".option", has_text="h1.test").get_by_role("checkbox").check()
    page.get_by_role("button", name="Apply filters").click()
    page.wait_for_url(re.compile("host=h1.test"))
    page.get_by_text("Download", exact=True).first.click()
    box = page.locator(".download .items").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    page.keyboard.press("Escape")
    expect(page.locator(".download .items")).to_be_hidden()


def test_a_collection_works_without_scripts(new_page: Any, signed_in: Any, collection: str) -> None:
    page = new_page(storage_state=signed_in, java_script_enabled=False)
    page.goto(collection)
    page.locator("input[name=q]").fill("dough")
    page.locator(".option", has_text="h0.test").locator("input").check()
    page.get_by_role("button", name="Apply filters").click()
    assert "q=dough" in page.url and "host=h0.test" in page.url
    before = page.locator(".result b").first.inner_text()
    page.get_by_text("Download", exact=True).first.click()
    page.get_by_label("Without seeds and examples").check()
    page.get_by_role("button", name="Count").click()
    assert page.locator(".result b").first.inner_text() != before
    assert "host=h0.test" in page.url


def test_pages_are_selected_and_labelled_together_and_back(analyst: Any, collection: str) -> None:
    page, base_url = analyst
    page.goto(base_url + collection + "?without=example&without=seed")
    rows, bar = page.locator("[data-row]"), page.locator("[data-bulk]")
    expect(bar).to_contain_text("Select pages to label them together")
    for key in ("j", "x", "j", "j", "Shift+X"):
        page.keyboard.press(key)
    expect(bar).to_contain_text(re.compile(r"^\s*3 of the \d+ pages"))
    page.keyboard.press("n")
    expect(page.locator("[data-said]")).to_contain_text("3 pages labelled n.")
    message = page.locator("[data-label=n][aria-pressed=true]")
    expect(message).to_have_count(3)
    page.reload()
    expect(message).to_have_count(3)
    for key in ("j", "x"):
        page.keyboard.press(key)
    bar.get_by_role("button", name="Label y").click()
    expect(page.locator("[data-label=y][aria-pressed=true]")).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-said]")).to_contain_text("The labels are restored.")
    expect(message).to_have_count(3)
    page.locator("[data-select-all]").check()
    bar.get_by_role("button", name="Take labels back").click()
    expect(message).to_have_count(0)
    rows.first.focus()
    page.keyboard.press("Escape")
    expect(bar).to_contain_text("Select pages to label them together")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/pages/\d+/\?"))


def test_three_pages_are_selected_for_more_like_them(analyst: Any, collection: str) -> None:
    page, base_url = analyst
    # The workers read the pages and make their vectors meanwhile.
    wait_for(lambda: "Compared by" in page.request.get(base_url + collection).text(), 30)
    page.goto(base_url + collection)
    for key in ("j", "x", "j", "j", "Shift+X"):
        page.keyboard.press(key)
    chosen = [box.get_attribute("data-page") for box in page.locator(".pick:checked").all()]
    page.get_by_role("button", name="More like these").click()
    expect(page.locator(".chips")).to_contain_text("like 3 pages")
    expect(page.locator("[data-row]").get_by_text(re.compile(r"^similarity")).first).to_be_visible()
    listed = [box.get_attribute("data-page") for box in page.locator(".pick").all()]
    assert listed and len(chosen) == 3 and not {*chosen} & {*listed}
    page.get_by_label("Pages near to these words").fill("dough")
    page.get_by_label("Pages near to these words").press("Enter")
    expect(page.locator(".chips")).to_contain_text("near “dough”")
    assert "like=" in page.url


def test_a_cluster_opens_as_a_list(analyst: Any, collection: str) -> None:
    page, base_url = analyst
    address = base_url + collection.replace("collection/", "clusters/")
    # Asking for them has them made; the workers do.
    wait_for(lambda: "What is there" in page.request.get(address).text(), 30)
    page.goto(base_url + collection)
    page.get_by_role("link", name="clusters", exact=True).click()
    expect(page.get_by_role("heading", name="What is there")).to_be_visible()
    table = page.locator(".scroll-x:has(.clusters)")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(table.locator(".nearest a").first).to_be_visible()
    assert table.evaluate("e => e.scrollWidth <= e.clientWidth"), "nothing to scroll sideways"
    row = page.locator(".clusters tbody tr").first
    pages = row.locator("td.number").first.inner_text()
    row.locator("th a").click()
    expect(page.locator(".chips")).to_contain_text("cluster ")
    expect(page.locator(".result b").first).to_have_text(pages)


def test_all_pages_of_a_search_are_labelled_and_restored(analyst: Any, collection: str) -> None:
    page, base_url = analyst
    page.goto(base_url + collection)
    expect(page.locator(".hit, [data-row]").first).to_be_visible()
    page.get_by_role("button", name="Label all n").click()
    expect(page.get_by_text("29 of 30 pages labelled n; 1 could not be changed")).to_be_visible()
    expect(page.locator("[data-label=n][aria-pressed=true]")).not_to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("30 pages with the labels of before")).to_be_visible()
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    expect(page.locator("[data-label=n][aria-pressed=true]")).to_have_count(0)
