"""Every screen, light on a desk and dark on a phone: no fault that axe finds, and it fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from apps.screens.help.screens import SCREENS

TOUCH = 44
LOOKS = [("light", 1440), ("dark", 390)]
PANELS = ("stop", "budget", "seeds", "pattern")
# The API's operations look all alike: one of them stands for the rest.
ALIKE = {"exclude": [[".operation ~ .operation"]]}
RULES = {"iframes": False, "resultTypes": ["violations"]}


def addresses(topic: int, crawl: int) -> Iterator[str]:
    """One of each kind of screen of somebody who is signed in; the live page comes last."""
    yield from ("/topics/", "/topics/new/", "/topics/directories/", "/webs/", "/crawls/",
                "/crawls/from-recipe/", "/account/", "/administration/", "/password/", "/nowhere/")
    yield from (f"/topics/{topic}/{name}" for name in ("", "edit/", "new-crawl/", "collection/"))
    of_crawl = ("failures/", "events/", "measures/", "again/", "pages/3/", "collection/?q=nothing")
    yield from (f"/crawls/{crawl}/{name}" for name in of_crawl)
    yield from ("/help/", "/help/?q=harvest", "/help/api/", "/help/glossary/", "/help/words/",
                "/help/strategies/hcla/", "/help/measures/target_recall/",
                f"/help/{SCREENS[0].slug}/")
    yield from (f"/crawls/{crawl}/#{panel}-panel" for panel in PANELS)


def faults(page: Page, width: int) -> list[str]:
    """What axe finds on the page as it is, and whether one must scroll sideways."""
    looked_at = ".panel:target" if page.url.endswith("-panel") else ALIKE
    found = Axe().run(page, context=looked_at, options=RULES).response["violations"]
    said = [f"{fault['id']}: {fault['nodes'][0]['html'][:200]}" for fault in found]
    wide = page.evaluate("document.scrollingElement.scrollWidth")
    return said + ([f"{wide} px wide"] if wide > width else [])


@pytest.mark.parametrize(("scheme", "width"), LOOKS, ids=["light", "dark-phone"])
def test_every_screen_is_usable_by_all_and_fits(
    new_page: Callable[..., Page], signed_in: Any, watch: Any, topic: int, finished: int,
    scheme: str, width: int,
) -> None:
    watch.expect(404)
    view = {"color_scheme": scheme, "viewport": {"width": width, "height": 844}}
    stranger, page = new_page(**view), new_page(storage_state=signed_in, **view)
    stranger.goto("/sign-in/")
    wrong = {"/sign-in/": faults(stranger, width)}
    for address in addresses(topic, finished):
        page.goto(address)
        wrong[address] = faults(page, width)
    page.goto(f"/crawls/{finished}/")
    fit = page.locator("[data-fit]:visible").first
    fit.click()
    page.locator("[data-feed] [data-why]").first.click()
    page.locator("#frontier [data-why]").first.click()
    expect(page.locator(".why-row h3", has_text="Path from the seed")).to_have_count(
        2)
    page.get_by_text("More", exact=True).click()
    wrong["why"] = faults(page, width)
    assert {address: said for address, said in wrong.items() if said} == {}
    if width < 600:
        for button in (fit, *page.locator("[data-feed] [data-label]").all()[:4]):
            box = button.bounding_box()
            assert min(box["width"], box["height"]) >= TOUCH, box
