"""From the printed link to a downloaded collection with nothing but the keyboard."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.long_web import MADE
from tests.running_site import RunningSite

MOST_TABS = 120
LONG = 300_000
# Markup of the focused element where it shows no ring, and whether it is the one that is wanted.
FOCUS = """wanted => {
  const element = document.activeElement;
  const framed = element.closest(".numbered:focus-within") ?? element;  // ring round the numbers
  const { outlineStyle, outlineWidth } = getComputedStyle(framed);
  const ring = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  const seen = ring || element === document.body;
  return [seen ? "" : element.outerHTML, element === wanted];
}"""


def tab_to(page: Page, wanted: Locator) -> None:
    """Presses Tab until `wanted` has the focus; whatever has it on the way shows that it has."""
    wanted.wait_for()
    page.wait_for_load_state()  # before that no script hears a key
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        unseen, found = wanted.evaluate(FOCUS)
        assert not unseen, unseen
        if found:
            return
    raise AssertionError(f"{MOST_TABS} tabs do not lead to {wanted}")


def press(page: Page, wanted: Locator) -> None:
    tab_to(page, wanted)
    page.keyboard.press("Enter")


def fill(page: Page, wanted: Locator, text: str) -> None:
    tab_to(page, wanted)
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def test_a_topic_becomes_a_collection_by_keyboard_alone(
    new_page: Callable[..., Page], site: RunningSite, topic: int
) -> None:
    page = new_page(viewport={"width": 1440, "height": 900})
    page.goto(site.manage("sign_in_link").stdout.strip())
    press(page, page.get_by_role("button", name="Sign in"))
    press(page, page.get_by_role("link", name="New topic"))
    _describe(page)
    press(page, page.get_by_role("link", name="New crawl"))
    tab_to(page, page.locator("input[name=strategy]:checked"))
    while not page.locator("input[name=strategy][value=breadth_first]").is_checked():
        page.keyboard.press("ArrowDown")
    fill(page, page.locator("#id_budget"), "40")
    press(page, page.get_by_role("button", name="Start crawl"))
    expect(page.locator("#state-badge")).to_contain_text("budget reached", timeout=LONG)
    _read_the_feed(page)
    _raise_the_budget(page)
    press(page, page.get_by_role("link", name="Open all in the collection"))
    _download(page)


def _describe(page: Page) -> None:
    fill(page, page.locator("#id_name"), "Typed")
    fill(page, page.locator("#id_keywords"), "dough, flour")
    tab_to(page, page.locator("#id_web"))
    page.keyboard.type("long")
    fill(page, page.locator("#id_seeds"), MADE.url(0))
    press(page, page.get_by_role("button", name="Save the topic"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Typed")


def _read_the_feed(page: Page) -> None:
    rows = page.locator("[data-feed] tr")
    expect(rows.first).to_have_attribute("data-seq", "40", timeout=LONG)
    page.wait_for_load_state()
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(rows.nth(1)).to_be_focused()
    page.keyboard.press("y")
    expect(rows.nth(1).locator("[data-label=y]")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("w")
    expect(page.locator(".why-row")).to_contain_text("Path from the seed", timeout=LONG)
    page.keyboard.press("w")


def _raise_the_budget(page: Page) -> None:
    page.reload()
    press(page, page.get_by_role("link", name="Raise budget"))
    fill(page, page.locator("#budget"), "60")
    page.keyboard.press("Enter")
    expect(page.locator("#figure-pages")).to_contain_text("60 of 60", timeout=LONG)


def _download(page: Page) -> None:
    expect(page.get_by_role("heading", level=1)).to_contain_text("Collection")
    page.wait_for_load_state()
    page.keyboard.press("/")
    page.keyboard.type("dough")
    page.keyboard.press("Enter")
    expect(page.locator(".hit mark").first).to_be_visible()
    press(page, page.locator("summary", has_text="Download"))
    tab_to(page, page.get_by_role("button", name="Download CSV"))
    with page.expect_download() as started:
        page.keyboard.press("Enter")
    assert started.value.suggested_filename.endswith(".csv")
