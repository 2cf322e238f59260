"""Every screen, light on a desk and dark on a phone: no fault that axe finds, and it fits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.screens_of_site import screens

TOUCH = 44
# The last one is a phone.
LOOKS = [("light", 1440), ("dark", 390)]
# The API's operations look all alike: one of them stands for the rest.
ALIKE = {"exclude": [[".operation ~ .operation"]]}
RULES = {"iframes": False, "resultTypes": ["violations"]}


def faults(page: Page, width: int) -> list[str]:
    """What axe finds on the page as it is, and whether one must scroll sideways."""
    looked_at = ".panel:target" if page.url.endswith("-panel") else ALIKE
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE_SCRIPT)
    violations = page.evaluate(
        "([context, options]) => axe.run(context, options).then((result) => result.violations)",
        [looked_at, RULES],
    )
    message = [f"{fault['id']}: {fault['nodes'][0]['html'][:200]}" for fault in violations]
    return message if fits(page, width) else [*message, "one must scroll sideways"]


def fits(page: Page, width: int) -> bool:
    """Whether nothing is wider than the window; charts need a moment after it has changed."""
    try:
        page.wait_for_function(
            "(width) => document.scrollingElement.scrollWidth <= width", arg=width, timeout=60_000
        )
    except PlaywrightTimeout:
        return False
    return True


def look(page: Page, scheme: str, width: int) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 844})


def faults_in_each_look(page: Page) -> list[str]:
    """The faults of the page that is open, which is loaded again only if its script asks for the
    width when it starts."""
    message = []
    for scheme, width in LOOKS:
        look(page, scheme, width)
        if (scheme, width) != LOOKS[0] and page.locator("[data-facets]").count():
            page.reload()
        message += [f"{scheme}, {width} px: {fault}" for fault in faults(page, width)]
    return message


@pytest.mark.usefixtures("labelled")
def test_every_screen_is_usable_by_all_and_fits(
    new_page: Callable[..., Page],
    signed_in: Any,
    watch: Any,
    numbers: Mapping[str, object],
    finished: int,
) -> None:
    watch.expect(404)
    stranger, page = new_page(), new_page(storage_state=signed_in)
    look(stranger, *LOOKS[0])
    stranger.goto("/sign-in/")
    wrong = {"/sign-in/": faults_in_each_look(stranger)}
    for address in screens(page, numbers):
        look(page, *LOOKS[0])
        page.goto(address)
        wrong[address] = faults_in_each_look(page)
    assert len(wrong) > 40
    look(page, *LOOKS[0])
    page.goto(f"/crawls/{finished}/")
    fit = page.locator("[data-fit]:visible").first
    fit.click()
    page.locator("[data-feed] [data-why]").first.click()
    page.locator("#frontier [data-why]").first.click()
    expect(page.locator(".why-row h3", has_text="Path from the seed")).to_have_count(2)
    page.get_by_text("More", exact=True).click()
    wrong["why"] = faults_in_each_look(page)
    assert {address: message for address, message in wrong.items() if message} == {}
    for button in (fit, *page.locator("[data-feed] [data-label]").all()[:4]):
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= TOUCH, box
