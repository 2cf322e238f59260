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
    details = page.locator("details.menu:visible")
    assert details.count() > 1
    return page, details


def press(menu: Locator) -> None:
    menu.locator("> summary").click()


def test_escape_closes_a_menu_and_gives_the_focus_back(menus) -> None:
    page, details = menus
    for menu in details.all():
        press(menu)
        expect(menu).to_have_attribute("open", "")
        page.keyboard.press("Escape")
        expect(menu).not_to_have_attribute("open", "")
        expect(menu.locator("> summary")).to_be_focused()


def test_a_press_elsewhere_closes_it(menus) -> None:
    page, details = menus
    for menu in details.all():
        press(menu)
        expect(menu).to_have_attribute("open", "")
        page.locator("h1").click()
        expect(menu).not_to_have_attribute("open", "")


def test_of_two_menus_the_last_one_opened_is_open(menus) -> None:
    page, details = menus
    first, second = details.nth(0), details.nth(1)
    for menu, other in ((first, second), (second, first)):
        menu.locator("> summary").focus()
        page.keyboard.press("Enter")
        expect(menu).to_have_attribute("open", "")
        expect(other).not_to_have_attribute("open", "")


def test_leaving_it_by_tab_closes_it(menus) -> None:
    page, details = menus
    menu = details.nth(0)
    menu.locator("> summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+Tab")
    expect(menu).not_to_have_attribute("open", "")
