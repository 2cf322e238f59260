"""Menus close by Escape, by a press elsewhere and by leaving them; two are never open at once."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect


@pytest.fixture
def menus(analyst: Any, finished: int) -> tuple[Page, Locator]:
    """The page of a crawl, with several menus in its heads."""
    page, base_url = analyst
    page.goto(f"{base_url}/crawls/{finished}/collection/")
    found = page.locator("details.menu:visible")
    assert found.count() > 1
    return page, found


def press(menu: Locator) -> None:
    menu.locator("> summary").click()


def test_escape_closes_a_menu_and_gives_the_focus_back(menus) -> None:
    page, found = menus
    for menu in found.all():
        press(menu)
        expect(menu).to_have_attribute("open", "")
        page.keyboard.press("Escape")
        expect(menu).not_to_have_attribute("open", "")
        expect(menu.locator("> summary")).to_be_focused()


def test_a_press_elsewhere_closes_it(menus) -> None:
    page, found = menus
    for menu in found.all():
        press(menu)
        expect(menu).to_have_attribute("open", "")
        page.locator("h1").click()
        expect(menu).not_to_have_attribute("open", "")


def test_of_two_menus_the_last_one_opened_is_open(menus) -> None:
    page, found = menus
    first, second = found.nth(0), found.nth(1)
    for menu, other in ((first, second), (second, first)):
        menu.locator("> summary").focus()
        page.keyboard.press("Enter")
        expect(menu).to_have_attribute("open", "")
        expect(other).not_to_have_attribute("open", "")


def test_leaving_it_by_tab_closes_it(menus) -> None:
    page, found = menus
    menu = found.nth(0)
    menu.locator("> summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+Tab")
    expect(menu).not_to_have_attribute("open", "")
