"""Steering and labelling a crawl in a real browser, while the real workers run it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.long_web import FINISHED, MADE, finished_crawl, start
from tests.running_site import RunningSite

LONG = 300_000
SHORT = 120


@pytest.fixture
def own_crawl(site: RunningSite, topic: int) -> int:
    """A finished crawl of `SHORT` pages for one test that changes it; its number."""
    return finished_crawl(site, topic, SHORT)


def opened(analyst: Any, crawl: int) -> Page:
    page, base_url = analyst
    page.goto(f"{base_url}/crawls/{crawl}/")
    expect(page.locator("[data-feed] tr").first).to_be_visible()
    return page


def test_why_is_opened_from_the_keyboard_and_closed_again(analyst: Any, finished: int) -> None:
    page = opened(analyst, finished)
    page.locator("[data-feed] tr").first.focus()
    page.keyboard.press("j")
    expect(page.locator("[data-feed] tr").nth(1)).to_be_focused()
    page.keyboard.press("w")
    why = page.locator(".why-row")
    expect(why).to_contain_text("Path from the seed", timeout=LONG)
    expect(why).to_contain_text("β·P(c|u) + (1 − β)·P(c|window)")
    assert why.locator(".term").count() > 0 and why.locator(".linked").count() > 0
    page.keyboard.press("w")
    expect(why).to_have_count(0)
    page.keyboard.press("k")
    expect(page.locator("[data-feed] tr").first).to_be_focused()


def test_keys_move_through_the_pages_to_label_first_and_then_the_list(
    analyst: Any, finished: int
) -> None:
    page = opened(analyst, finished)
    proposed = page.locator("#proposals tr[data-seq]")
    expect(proposed.nth(1)).to_be_visible()
    page.keyboard.press("j")
    expect(proposed.first).to_be_focused()
    for _ in range(proposed.count()):
        page.keyboard.press("j")
    expect(page.locator("[data-feed] tr").first).to_be_focused()
    page.keyboard.press("k")
    expect(proposed.last).to_be_focused()


def test_pages_to_label_first_take_a_key_each_however_quickly_they_come(
    analyst: Any, own_crawl: int
) -> None:
    page = opened(analyst, own_crawl)
    proposed = page.locator("#proposals tr[data-seq]")
    first, second = (proposed.nth(at).get_attribute("data-seq") for at in (0, 1))
    page.keyboard.press("j")
    expect(proposed.first).to_be_focused()
    page.keyboard.press("y")
    page.keyboard.press("n")
    for seq, letter in ((first, "y"), (second, "n")):
        button = page.locator(f'#proposals tr[data-seq="{seq}"] [data-label="{letter}"]')
        expect(button).to_have_attribute("aria-pressed", "true")


def test_a_link_of_the_queue_is_explained(analyst: Any, finished: int) -> None:
    page = opened(analyst, finished)
    page.locator("#frontier [data-why]").first.click()
    expect(page.locator("#frontier .why-row")).to_contain_text("Priority now", timeout=LONG)


def test_a_page_that_a_bulk_label_cannot_take_is_named_at_its_row(
    analyst: Any, finished: int
) -> None:
    page = opened(analyst, finished)
    rows = page.locator("[data-feed] tr")
    first, last = rows.nth(5), rows.nth(7)
    seqs = [row.get_attribute("data-seq") for row in (first, rows.nth(6), last)]
    words = "Labels given: 2. “Rye”: This page is a target."
    answer = {"ok": True, "message": words, "labels": "", "goal": ""}
    given = {seqs[0]: "n", seqs[2]: "n"}
    page.route("**/pages/labels/", lambda route: route.fulfill(json=answer | {"given": given}))
    one = {"ok": True, "label": "n", "labels": "", "goal": ""}
    page.route(f"**/pages/{seqs[0]}/label/", lambda route: route.fulfill(json=one))
    first.locator('[data-label="n"]').click()
    expect(first.locator('[data-label="n"]')).to_have_attribute("aria-pressed", "true")
    last.locator('[data-label="n"]').click(modifiers=["Shift"])
    expect(rows.nth(6).get_by_role("alert")).to_have_text(words)
    expect(page.locator("[data-said]")).to_be_hidden()
    pressed = page.locator('[data-feed] [data-label="n"][aria-pressed="true"]')
    expect(pressed).to_have_count(2)


@pytest.mark.parametrize("width", [640, 768])
def test_pages_to_label_can_be_read_on_half_a_screen_and_the_feed_follows_them(
    analyst: Any, finished: int, width: int
) -> None:
    analyst.page.set_viewport_size({"width": width, "height": 800})
    page = opened(analyst, finished)
    proposed = page.locator("#proposals tr[data-seq]")
    expect(proposed.first).to_be_visible()
    for row in proposed.all():
        assert row.locator(".name").bounding_box()["width"] >= 200
        assert row.bounding_box()["height"] <= 150
    titles = ("Progress", "Label these first", "Pages", "Frontier", "Events", "Hosts")
    headings = [page.get_by_role("heading", name=title, exact=True).first for title in titles]
    tops = [heading.bounding_box()["y"] for heading in headings]
    assert tops == sorted(tops)


def test_unsure_pages_come_first_when_asked_for(analyst: Any, finished: int) -> None:
    page = opened(analyst, finished)
    page.locator("[data-feed-filter] button[value=unsure]").click()
    expect(page.locator("[data-feed] tr").first).not_to_have_attribute("data-seq", str(FINISHED))
    taus = [float(text) for text in page.locator("[data-feed] .tau").all_inner_texts()[:10]]
    distances = [abs(tau - 0.5) for tau in taus]
    assert distances == sorted(distances)
    page.locator("[data-feed-filter] button[value='']").click()
    expect(page.locator("[data-feed] tr").first).to_have_attribute("data-seq", str(FINISHED))


def a_proposed_page_is_skipped(page: Page) -> None:
    expect(page.locator("#label-goal")).to_contain_text("0 of 40 labelled")
    proposed = page.locator("#proposals tr[data-seq]")
    proposed.first.focus()
    page.keyboard.press("j")
    expect(proposed.nth(1)).to_be_focused()
    skipped = page.locator(f'#proposals tr[data-seq="{proposed.nth(1).get_attribute("data-seq")}"]')
    page.keyboard.press("s")
    expect(skipped).to_have_count(0)
    expect(proposed.nth(1)).to_be_focused()
    page.reload()
    expect(proposed.first).to_be_visible()
    expect(skipped).to_have_count(0)


def test_labels_wait_for_the_next_start_of_a_finished_crawl(analyst: Any, own_crawl: int) -> None:
    page = opened(analyst, own_crawl)
    number = page.locator("[data-feed] tr").nth(3).get_attribute("data-seq")
    row = page.locator(f'[data-feed] tr[data-seq="{number}"]')
    row.focus()
    with page.expect_response("**/label/"):
        page.keyboard.press("y")
    yes = row.locator('[data-label="y"]')
    expect(yes).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#labels")).to_contain_text("1 label to learn from")
    page.reload()
    expect(yes).to_have_attribute("aria-pressed", "true")
    yes.click()
    expect(page.locator("#labels")).to_contain_text("after 5 of them")
    a_proposed_page_is_skipped(page)
    row.locator('[data-label="n"]').click()
    page.get_by_role("button", name="Retrain now").click()
    expect(page.locator("[data-said]")).to_contain_text("takes effect at its next start")
    page.get_by_role("link", name="Raise budget").click()
    page.locator("#budget").fill(str(SHORT + 50))
    page.locator("#budget-panel button").click()
    expect(page.locator("#events")).to_contain_text("Labels retrained", timeout=LONG)
    expect(page.locator("#events")).to_contain_text("0 y and 1 n")
    expect(page.locator("#state-badge")).to_contain_text("budget reached", timeout=LONG)


@pytest.mark.stored
def test_a_running_crawl_learns_from_five_labels(analyst: Any, topic: int) -> None:
    page, base_url = analyst
    start(page, base_url, topic, "text_window_combo", 4000)
    expect(page.locator("[data-feed] tr").nth(12)).to_be_visible(timeout=LONG)
    with page.expect_response("**/pages/?show=unsure"):
        page.locator("[data-feed-filter] button[value=unsure]").click()
    taught = 0
    for number in range(20):
        row = page.locator("[data-feed] tr").nth(number)
        address = row.locator("a.address").get_attribute("href")
        key = "y" if MADE.labels(address) == ("bread",) else "n"
        row.locator(f'[data-label="{key}"]').click()
        expect(
            row.locator('[aria-pressed="true"]').or_(page.locator("[data-failure]:visible")).first
        ).to_be_visible()
        taught += row.locator('[aria-pressed="true"]').count()
        if taught == 5:
            break
    assert taught == 5
    event = page.locator("#events li", has_text="Labels retrained the classifier")
    expect(event).to_contain_text("links scored anew", timeout=LONG)
    expect(event.get_by_role("button", name="Undo")).to_be_visible()
    page.locator("#form-pause button").click()
    expect(page.locator("#state-badge .pill")).to_have_text("Paused", timeout=LONG)


def test_hosts_patterns_and_seeds_are_steered_and_taken_back(analyst: Any, own_crawl: int) -> None:
    page = opened(analyst, own_crawl)
    switch = page.locator("#hosts .switch").first
    host = switch.get_attribute("value")
    switch.click()
    expect(page.locator("[data-said]")).to_contain_text("takes effect at its next start")
    expect(page.locator("[data-said]")).to_be_in_viewport()
    expect(switch).to_be_focused()
    expect(switch).to_have_attribute("aria-checked", "false")
    expect(page.locator("#hosts .switched").first).to_have_text("out")
    expect(page.locator("#events")).to_contain_text("Host excluded")
    page.mouse.move(0, 0)
    page.locator("#host-query").fill(host)
    expect(page.locator("[data-hosts-found] .switch")).to_have_attribute("aria-checked", "false")
    page.locator("[data-hosts-found] .switch").click()
    expect(page.locator("[data-hosts-found] .switch")).to_have_attribute("aria-checked", "true")
    page.get_by_role("link", name="Exclude…").click()
    page.locator("#pattern").fill("*/p/1*")
    expect(page.locator("[data-previewed]")).to_contain_text("waiting links match")
    page.locator("#pattern-panel button").click()
    expect(page.locator("#pattern-panel")).to_be_hidden()
    page.reload()
    page.get_by_role("button", name="Include again").click()
    expect(page.locator("[data-said]")).to_be_visible()
    page.get_by_role("link", name="Add seeds").click()
    page.locator("#seeds").fill(f"{MADE.url(3)}\nnonsense")
    page.locator("#seeds-panel button").click()
    expect(page.locator("[data-said]")).to_contain_text("Line 2: nonsense")


def test_a_refused_label_is_reported_where_one_is(analyst: Any, finished: int) -> None:
    page = opened(analyst, finished)
    row = page.locator("[data-feed] tr").last
    row.scroll_into_view_if_needed()
    row.evaluate("row => { row.dataset.seq = 999999 }")  # a page that the crawl does not have
    row.locator('[data-label="y"]').click()
    refusal = row.locator("[data-failure]")
    expect(refusal).to_contain_text("The crawl has no page 999999")
    expect(refusal).to_be_in_viewport()


def test_the_slider_stays_where_it_is_while_numbers_and_messages_come(
    analyst: Any, topic: int
) -> None:
    page, base_url = analyst
    start(page, base_url, topic, "adaptive_utility", 300)
    slider = page.locator("#delta")
    box = slider.bounding_box()
    expect(page.locator("#state-badge")).to_contain_text("budget reached", timeout=LONG)
    page.get_by_text("More", exact=True).click()
    page.get_by_role("link", name="Tags…").click()
    page.locator("#tags").fill("night")
    page.locator("#tags-panel button").click()
    expect(page.locator("#annotations")).to_contain_text("night")
    page.evaluate("scrollTo(0, 0)")
    assert slider.bounding_box()["x"] == box["x"]
    assert slider.bounding_box()["width"] == box["width"]


def test_failed_requests_are_listed_by_kind(analyst: Any, finished: int) -> None:
    page = opened(analyst, finished)
    page.locator("#errors").get_by_role("link", name="404").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Fetch errors")
    assert page.locator("tbody tr").count() > 0
    assert page.locator("tbody tr", has_text="404").count() == page.locator("tbody tr").count()


@pytest.mark.parametrize("width", [640, 768])
def test_pages_to_label_first_read_well_at_twice_the_size(
    analyst: Any, finished: int, width: int
) -> None:
    """640 px is what 1280 px are at 200 % zoom."""
    page = analyst.page
    page.set_viewport_size({"width": width, "height": 800})
    page = opened(analyst, finished)
    row = page.locator("#proposals tr[data-seq]").first
    expect(row).to_be_visible()
    assert row.bounding_box()["height"] < 120
    assert row.locator(".reason").bounding_box()["width"] > 300
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
