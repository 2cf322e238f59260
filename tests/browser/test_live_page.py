"""A crawl started in a real browser, watched while the real workers run it."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.long_web import start
from tests.running_site import RunningSite

CURVES = """() => {
  const charts = document.querySelector("[data-live]").liveCharts;
  return { seq: charts.seq, curves: charts.plots.map((plot) => [plot.curves, plot.axes]) };
}"""
LONG = 60_000


def test_streaming_draws_what_a_reload_draws(analyst: Any, topic: int) -> None:
    page, base_url = analyst
    start(page, base_url, topic, "full_page", 1500)
    expect(page.locator("#standing")).to_contain_text("budget reached", timeout=LONG)
    expect(page.locator("[data-feed] tr").first).to_have_attribute("data-seq", "1500")
    page.wait_for_function("document.querySelector('[data-live]').liveCharts.seq === 150")
    streamed = page.evaluate(CURVES)
    page.reload()
    page.wait_for_function("document.querySelector('[data-live]').liveCharts?.seq === 150")
    assert page.evaluate(CURVES) == streamed
    drawn = page.evaluate("document.querySelector('#plot-harvest').data?.[0].x.length")
    assert drawn == 150


def test_it_is_paused_continued_and_stopped_in_place(analyst: Any, topic: int) -> None:
    page, base_url = analyst
    start(page, base_url, topic, "breadth_first", 4000)
    page.get_by_role("button", name="Pause").first.click()
    expect(page.locator("#standing .pill")).to_have_text("Paused", timeout=LONG)
    page.locator("#form-resume button").click()
    expect(page.locator("#standing .pill")).not_to_have_text("Paused", timeout=LONG)
    page.get_by_role("button", name="Pause").first.click()
    expect(page.locator("#standing .pill")).to_have_text("Paused", timeout=LONG)
    page.get_by_role("link", name="Stop…").click()
    expect(page.locator("#stop-panel")).to_contain_text("are kept")
    page.get_by_role("button", name="Stop the crawl").click()
    expect(page.locator("#standing .pill")).to_have_text("Finished", timeout=LONG)
    expect(page.locator("#stop-panel")).to_be_hidden()


def test_a_refused_budget_is_said_on_the_page(analyst: Any, topic: int) -> None:
    page, base_url = analyst
    start(page, base_url, topic, "breadth_first", 50)
    expect(page.locator("#standing")).to_contain_text("budget reached", timeout=LONG)
    page.get_by_role("link", name="Raise budget").click()
    page.locator("#budget").fill("20")
    page.locator("#budget-panel button").click()
    expect(page.locator("[data-refusal]")).to_contain_text("already has 50 pages")
    page.locator("#budget").fill("80")
    page.locator("#budget-panel button").click()
    expect(page.locator("#figure-pages")).to_contain_text("80 of 80", timeout=LONG)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_readable_by_all_and_on_a_phone(
    new_page: Any, signed_in: Any, site: RunningSite, topic: int, scheme: str
) -> None:
    page = new_page(
        storage_state=signed_in, viewport={"width": 390, "height": 800}, color_scheme=scheme
    )
    start(page, site.address, topic, "full_page", 60)
    expect(page.locator("#standing")).to_contain_text("budget reached", timeout=LONG)
    form = f"{site.address}/topics/{topic}/new-crawl/"
    for address in (page.url, f"{site.address}/crawls/", form):
        page.goto(address)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert Axe().run(page).response["violations"] == []
