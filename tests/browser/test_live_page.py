"""A crawl started in a real browser, watched while the real workers run it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.long_web import finished_crawl, start
from tests.running_site import RunningSite

CURVES = """() => {
  const charts = document.querySelector("[data-live]").liveCharts;
  const drawn = ({ curves, axes, target }) => [curves, axes, target.layout.yaxis.range];
  return { seq: charts.seq, curves: charts.plots.map(drawn) };
}"""
# A function: the policy forbids a string to be evaluated again where it is not true at once.
DRAWN = "() => document.querySelector('#plot-harvest').data?.[0].x.length === 150"
SCALE = "id => document.querySelector(`#plot-${id}`).layout?.yaxis.range"
LONG = 300_000


@pytest.mark.stored
def test_streaming_draws_what_a_reload_draws(analyst: Any, topic: int) -> None:
    page, base_url = analyst
    start(page, base_url, topic, "full_page", 1500)
    page.get_by_role("button", name="Fit axis of Average status").click()
    expect(page.locator("#state-badge")).to_contain_text("budget reached", timeout=LONG)
    expect(page.locator("[data-feed] tr").first).to_have_attribute("data-seq", "1500")
    page.wait_for_function(DRAWN)
    streamed = page.evaluate(CURVES)
    page.reload()
    page.wait_for_function(DRAWN)
    assert page.evaluate(CURVES) == streamed
    # The fitted axis follows what is drawn: ln(1 + in-links) is neither 0 nor 4 there.
    low, high = page.evaluate(SCALE, "status")
    assert 0 < low < high < 4
    assert page.evaluate(SCALE, "harvest") == [0, 1]


def test_an_axis_is_fitted_by_key_and_stays_so_for_the_session(
    new_page: Any, signed_in: Any, finished: int
) -> None:
    page = new_page(storage_state=signed_in)
    page.goto(f"/crawls/{finished}/measures/")
    fit = page.get_by_role("button", name="Fit axis of Relevance distribution")
    expect(fit).to_have_attribute("aria-pressed", "false")
    expect(fit).to_have_attribute("title", "Fit the axis to the values drawn")
    full = page.evaluate(SCALE, "relevance_distribution")
    fit.focus()
    page.keyboard.press("Enter")
    expect(fit).to_have_attribute("aria-pressed", "true")
    expect(fit).to_have_attribute("title", "Show the full scale again")
    fitted = page.evaluate(SCALE, "relevance_distribution")
    assert fitted[0] == full[0] == 0 and fitted[1] < full[1]
    page.goto("/crawls/")
    page.go_back()
    expect(fit).to_have_attribute("aria-pressed", "true")
    page.wait_for_function(f"() => ({SCALE})('relevance_distribution')")
    assert page.evaluate(SCALE, "relevance_distribution") == fitted
    fit.press("Space")
    expect(fit).to_have_attribute("aria-pressed", "false")
    assert page.evaluate(SCALE, "relevance_distribution") == full
    expect(page.get_by_role("button", name="Fit axis of Precision over recall")).to_be_hidden()


def test_curves_have_their_labels_at_their_ends_where_there_is_room(
    analyst: Any, finished: int
) -> None:
    page, base_url = analyst
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{base_url}/crawls/{finished}/measures/")
    labels = page.locator("#plot-courses .annotation-text")
    expect(labels.filter(has_text="loss rate by the critic")).to_be_visible()
    boxes = [label.bounding_box() for label in labels.all()]
    spans = sorted((box["y"], box["height"]) for box in boxes)
    assert len(spans) >= 3
    assert all(y + 0.9 * height <= below for (y, height), (below, _) in pairwise(spans))
    page.set_viewport_size({"width": 390, "height": 844})
    expect(labels).to_have_count(0)


def test_the_first_value_of_a_chart_is_a_point(analyst: Any, site: RunningSite, topic: int) -> None:
    page, base_url = analyst
    page.goto(f"{base_url}/crawls/{finished_crawl(site, topic, pages=12)}/")
    harvest = page.locator("#plot-harvest .scatterlayer .point")
    expect(harvest.first).to_be_visible()
    page.goto(f"{base_url}/crawls/{finished_crawl(site, topic, pages=20)}/")
    expect(page.locator("#plot-harvest .scatterlayer .js-line").first).to_be_attached()
    expect(harvest).to_have_count(0)


@pytest.mark.stored
def test_it_is_paused_continued_and_stopped_in_place(analyst: Any, topic: int) -> None:
    page, base_url = analyst
    start(page, base_url, topic, "breadth_first", 4000)
    page.get_by_role("button", name="Pause").first.click()
    expect(page.locator("#state-badge .pill")).to_have_text("Paused", timeout=LONG)
    page.locator("#form-resume button").click()
    expect(page.locator("#state-badge .pill")).not_to_have_text("Paused", timeout=LONG)
    page.get_by_role("button", name="Pause").first.click()
    expect(page.locator("#state-badge .pill")).to_have_text("Paused", timeout=LONG)
    page.get_by_role("link", name="Stop…").click()
    expect(page.locator("#stop-panel")).to_contain_text("are kept")
    page.get_by_role("button", name="Stop the crawl").click()
    expect(page.locator("#state-badge .pill")).to_have_text("Finished", timeout=LONG)
    expect(page.locator("#stop-panel")).to_be_hidden()


def test_a_refused_budget_is_reported_on_the_page(analyst: Any, topic: int) -> None:
    page, base_url = analyst
    start(page, base_url, topic, "breadth_first", 50)
    expect(page.locator("#state-badge")).to_contain_text("budget reached", timeout=LONG)
    page.get_by_role("link", name="Raise budget").click()
    page.locator("#budget").fill("20")
    page.locator("#budget-panel button").click()
    expect(page.locator("#budget-panel [data-failure]")).to_contain_text("already has 50 pages")
    page.locator("#budget").fill("80")
    page.locator("#budget-panel button").click()
    expect(page.locator("#figure-pages")).to_contain_text("80 of 80", timeout=LONG)
