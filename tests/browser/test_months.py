"""Months of a watch in the browser: one press, watched until the policies stand in a table."""

from __future__ import annotations

import os
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import MILLISECONDS, Analyst, Watch


def test_a_small_month_is_begun_by_one_press_and_its_table_is_read(
    analyst: Analyst, watch: Watch
) -> None:
    page = analyst.page
    watch.expect(422)
    page.goto("/experiments/")
    page.get_by_role("link", name="Simulate a month").click()
    for label, number in (
        ("Pages at the start", "60"),
        ("Hosts", "9"),
        ("Days", "3"),
        ("Requests a visit", "12"),
        ("Random seeds", "3"),
    ):
        page.get_by_label(label, exact=True).fill(number)
    for policy in ("without dates", "proportional", "full recrawl"):
        page.get_by_role("checkbox", name=policy).uncheck()
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.get_by_text("Give at most 6: a host for 10 pages.")).to_be_visible()
    page.get_by_label("Hosts", exact=True).fill("2")
    picture(analyst, "form")
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.get_by_role("heading", name="60 pages, 3 days")).to_be_visible()
    expect(page.get_by_text("of 2 months ended")).to_contain_text("seed 3")
    picture(analyst, "running")
    expect(page.get_by_text("2 of 2 months ended")).to_be_visible(timeout=5 * MILLISECONDS)
    table = page.get_by_role("region", name="The policies")
    expect(table.get_by_role("row")).to_have_count(3)
    expect(table.get_by_role("row").nth(1)).to_contain_text("adaptive")
    expect(page.get_by_role("img", name="adaptive: seen within a day")).to_be_visible()
    picture(analyst, "ended")
    page.goto("/topics/")
    expect(page.get_by_role("link", name="bread", exact=True)).to_have_count(0)
    page.goto("/experiments/months/")
    page.get_by_role("link", name="60 pages, 3 days").click()
    page.get_by_role("link", name="Delete").click()
    page.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_role("link", name="60 pages, 3 days")).to_have_count(0)


def picture(analyst: Analyst, name: str) -> None:
    if folder := os.environ.get("PICTURES"):
        page = analyst.page
        for scheme, width in (("light", 1280), ("dark", 1280), ("light", 390)):
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 900})
            page.screenshot(path=Path(folder) / f"{name}-{scheme}-{width}.png", full_page=True)
        page.set_viewport_size({"width": 1280, "height": 900})
