"""The screen of a watch by keyboard and mouse, on a desk and on a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.watched_topic import watched_topic
from tests.running_site import RunningSite

MARKED = "All is marked as seen."


def test_a_change_is_read_and_marked_as_seen(
    site: RunningSite, topic: int, finished: int, new_page: Callable[..., Page], signed_in: Any
) -> None:
    watched_topic(site, topic)
    page = new_page(storage_state=signed_in)
    page.set_viewport_size({"width": 1280, "height": 844})
    page.goto(f"/topics/{topic}/")
    page.get_by_role("link", name="Watch", exact=True).click()
    expect(page.locator(".since")).to_contain_text("1 changed")
    page.get_by_role("link", name="Changed", exact=True).click()
    row = page.locator("[data-news] [data-row]").first
    row.focus()
    page.keyboard.press("d")
    expect(page.locator(".difference ins")).to_have_text("16 January 2027.")
    expect(page.locator(".difference del")).to_have_text("28 November 2026.")
    page.get_by_role("link", name="Side by side").click()
    sides = page.locator(".difference .pair p")
    expect(sides).to_have_count(2)
    left, right = (sides.nth(number).bounding_box() for number in (0, 1))
    assert left["y"] == right["y"] and left["x"] < right["x"]
    page.set_viewport_size({"width": 390, "height": 844})
    left, right = (sides.nth(number).bounding_box() for number in (0, 1))
    assert left["x"] == right["x"] and left["y"] < right["y"]
    page.get_by_role("button", name="Mark all as seen").click()
    expect(page.get_by_text(MARKED)).to_be_visible()
    expect(page.get_by_text("No visit has ended since")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".since")).to_contain_text("1 changed")
    address = page.get_by_label("Address of the feed").input_value()
    assert page.request.get(address).status == 200
    page.get_by_role("button", name="New address").click()
    expect(page.get_by_label("Address of the feed")).not_to_have_value(address)
    assert page.request.get(address).status == 404
