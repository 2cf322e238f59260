"""The list of crawls: several selected, changed, undone, by keyboard and on a phone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Analyst
from tests.browser.test_every_screen import TOUCH, faults
from tests.running_site import RunningSite


@pytest.fixture(scope="module")
def several(site: RunningSite, topic: int, finished: int) -> int:
    """A finished crawl and three drafts of its topic; the topic's number."""
    for number in range(3):
        site.manage("shell", "-c", DRAFT.format(topic=topic, number=number))
    return topic


DRAFT = """
from apps.crawls.services import create_crawl
from apps.topics.models import Topic
topic = Topic.objects.get(pk={topic})
create_crawl(topic.owner, topic, topic.web, strategy="breadth_first", budget=10 + {number})
"""


def test_rows_are_selected_tagged_and_undone_by_keyboard(analyst: Analyst, several: int) -> None:
    page = analyst.page
    page.goto(f"/crawls/?topic={several}&order=oldest")
    rows = page.locator("[data-crawl]")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("Shift+X")
    bar = page.locator("[data-selection]")
    expect(bar).to_contain_text("2 selected on")
    expect(bar.get_by_role("button", name="Tag 2…")).to_be_visible()
    expect(bar.get_by_role("button", name="Pause", exact=True)).to_have_attribute(
        "aria-disabled", "true"
    )
    height = bar.bounding_box()["height"]
    bar.get_by_role("button", name="Tag 2…").press("Enter")
    page.keyboard.type("night")
    page.keyboard.press("Enter")
    expect(rows.nth(1).locator(".tag", has_text="night")).to_be_visible()
    expect(rows.nth(2).locator(".tag", has_text="night")).to_be_visible()
    expect(bar).to_contain_text("2 selected on")
    page.get_by_role("button", name="Undo").press("Enter")
    expect(page.locator(".tag", has_text="night")).to_have_count(0)
    rows.nth(1).focus()
    page.keyboard.press("Escape")
    expect(bar).to_contain_text("Select crawls to compare")
    assert bar.bounding_box()["height"] == height


def test_a_note_is_written_in_its_row_and_escape_keeps_the_old_one(
    analyst: Analyst, several: int
) -> None:
    page = analyst.page
    page.goto(f"/crawls/?topic={several}")
    row = page.locator("[data-crawl]").first
    page.keyboard.press("j")
    page.keyboard.press("t")
    row.get_by_label("Note").fill("second try")
    page.keyboard.press("Enter")
    expect(row.locator(".note")).to_have_text("second try")
    expect(row).to_be_focused()
    page.keyboard.press("t")
    row.get_by_label("Note").fill("something else")
    page.keyboard.press("Escape")
    expect(row.locator(".note")).to_have_text("second try")


def test_deleting_asks_once_and_a_deleted_row_keeps_its_place(
    analyst: Analyst, several: int
) -> None:
    page = analyst.page
    page.goto(f"/crawls/?topic={several}")
    rows = page.locator("[data-body] tr")
    before = rows.count()
    rows.first.locator("[name=crawl]").check()
    page.get_by_role("button", name="Delete 1…").click()
    expect(page.locator("[data-ask]")).to_contain_text("This cannot be undone.")
    page.locator("[data-part=ask]").get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Delete 1…").click()
    page.get_by_role("button", name="Delete 1 crawl").click()
    expect(rows.first).to_contain_text("deleted")
    assert rows.count() == before


def test_new_crawls_wait_and_filters_are_kept_by_back(
    analyst: Analyst, site: RunningSite, several: int
) -> None:
    page = analyst.page
    page.goto(f"/crawls/?topic={several}&state=draft")
    rows = page.locator("[data-crawl]")
    before = rows.count()
    site.manage("shell", "-c", DRAFT.format(topic=several, number=9))
    line = page.locator("[data-new]")
    expect(line).to_contain_text("1 new crawl")
    assert rows.count() == before
    line.get_by_role("link").click()
    expect(rows).to_have_count(before + 1)
    page.locator("summary", has_text="Newest first").click()
    page.get_by_role("link", name="Most pages first").click()
    expect(page).to_have_url(re.compile("state=draft.*order=pages"))
    page.go_back()
    expect(page.locator("summary", has_text="Newest first")).to_be_visible()


def test_without_an_answer_the_list_reports_it(analyst: Analyst, several: int, watch: Any) -> None:
    page = analyst.page
    page.goto(f"/crawls/?topic={several}")
    page.route("**/crawls/rows/**", lambda route: route.fulfill(status=204, body=""))
    expect(page.locator("[data-stale]")).to_contain_text("No answer from the site")
    page.unroute("**/crawls/rows/**")
    expect(page.locator("[data-stale]")).to_be_hidden()


def test_on_a_phone_rows_become_choices_and_every_target_can_be_hit(
    new_page: Callable[..., Page], signed_in: Any, several: int
) -> None:
    view = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
    page = new_page(storage_state=signed_in, **view)
    page.goto(f"/crawls/?topic={several}")
    page.get_by_role("button", name="Filter").click()
    assert faults(page, 390) == []
    page.get_by_role("button", name="Filter").click()
    page.get_by_role("button", name="Select", exact=True).click()
    page.locator("[data-crawl]").nth(0).click()
    page.locator("[data-crawl]").nth(1).click()
    expect(page.locator("[data-selection]")).to_contain_text("2 selected")
    assert faults(page, 390) == []
    for button in page.locator("[data-selection] button:visible").all():
        assert button.bounding_box()["height"] >= TOUCH
    page.get_by_role("button", name="Done").click()
    expect(page.locator("[data-selection]")).to_be_hidden()
    for button in page.locator(".next > *:visible").all():
        assert button.bounding_box()["height"] >= TOUCH


def test_two_crawls_are_compared_from_the_list_to_their_pages(
    analyst: Analyst, site: RunningSite, topic: int, finished: int
) -> None:
    done = site.manage(
        "crawl",
        str(topic),
        "--strategy",
        "breadth_first",
        "--pages",
        "200",
        "--web",
        "long",
        "--seed-value",
        "1",
        "--json",
    )
    other = json.loads(done.stdout)["crawl"]
    page = analyst.page
    page.goto(f"/crawls/?topic={topic}&state=finished")
    for number in (finished, other):
        page.locator(f"[data-crawl='{number}'] [name=crawl]").check()
    page.keyboard.press("c")
    page.wait_for_url(f"**/compare/?crawls={other},{finished}")
    expect(page.locator(".verdict .main")).to_contain_text("at 200 pages")
    harvest = page.locator("[data-figure=compared-harvest_rate]")
    expect(harvest.locator(".scatterlayer .trace")).to_have_count(2)
    expect(harvest.locator(".annotation-text")).to_have_count(2)
    with page.expect_download() as saved:
        harvest.locator("[data-save=svg]").press("Enter")
    assert saved.value.suggested_filename == "compared-harvest-rate.svg"
    assert "Breadth-first" in saved.value.path().read_text()
    page.get_by_role("link", name="Active time").press("Enter")
    page.wait_for_url(f"**/compare/?crawls={other},{finished}&x=minutes*")
    expect(harvest.locator(".xtitle")).to_have_text("active minutes")
    both = page.locator("#pages tr", has_text="in both")
    pages = both.locator("td").nth(1).inner_text()
    both.get_by_role("link").click()
    # All of them, or "of" so many pages of both crawls, once these are taken in.
    expect(page.locator(".search .result b").first).to_have_text(pages)
