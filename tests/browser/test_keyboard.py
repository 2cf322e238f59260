"""The first hour with nothing but the keyboard: from the printed link to a shared topic."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.made_web import MadeWeb
from tests.running_site import RunningSite

MADE = MadeWeb(pages=120, hosts=4)
MOST_TABS = 160
LONG = 300_000
# Markup of the focused element where it shows no ring, and whether it is the one that is wanted.
FOCUS = """wanted => {
  const element = document.activeElement;
  const frames = ".numbered:focus-within, .chip-field:focus-within, .segmented > label";
  const framed = element.closest(frames) ?? element;
  const { outlineStyle, outlineWidth } = getComputedStyle(framed);
  const ring = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  const seen = ring || element === document.body;
  // A part of the screen may be replaced by one that is equal between two keys.
  return [seen ? "" : element.outerHTML, element.isEqualNode(wanted)];
}"""


def tab_to(page: Page, wanted: Locator, key: str = "Tab") -> None:
    """Presses Tab until `wanted` has the focus; whatever has it on the way shows that it has."""
    wanted.wait_for()
    page.wait_for_load_state()  # before that no script hears a key
    for _ in range(MOST_TABS):
        page.keyboard.press(key)
        unseen, focused = wanted.evaluate(FOCUS)
        assert not unseen, unseen
        if focused:
            return
    raise AssertionError(f"{MOST_TABS} tabs do not lead to {wanted}")


def press(page: Page, wanted: Locator, key: str = "Enter") -> None:
    tab_to(page, wanted)
    page.keyboard.press(key)


def press_before(page: Page, wanted: Locator) -> None:
    """Goes there backwards."""
    tab_to(page, wanted, "Shift+Tab")
    page.keyboard.press("Enter")


def fill(page: Page, wanted: Locator, text: str) -> None:
    tab_to(page, wanted)
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def button(page: Page, name: str | re.Pattern[str]) -> Locator:
    return page.get_by_role("button", name=name)


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """A file to upload: 30 pages about bread and 90 about stars, with labels."""
    file = tmp_path / "bakery.jsonl"
    file.write_text(MADE.json_lines())
    return file


def test_the_first_hour_by_keyboard_alone(
    new_page: Callable[..., Page], site: RunningSite, web: Path
) -> None:
    page = new_page(viewport={"width": 1440, "height": 900})
    page.on("filechooser", lambda _: None)  # from now on the browser tells of one
    page.goto(site.manage("sign_in_link").stdout.strip())
    press(page, button(page, "Sign in"))
    _upload(page, web)
    _search_the_web(page)
    _select_and_split(page)
    _save_the_topic(page)
    _start(page, "breadth_first", 40)
    _read_the_feed(page)
    _raise_the_budget(page)
    press_before(page, page.get_by_role("link", name="Bakery", exact=True).first)
    press(page, page.get_by_role("link", name="New crawl"))
    _start(page, "full_page", 30)
    _use_the_list_of_crawls(page)
    _choose_in_the_collection(page)
    _share(page)


def _upload(page: Page, file: Path) -> None:
    press(page, page.get_by_role("navigation").get_by_role("link", name="Webs"))
    press(page, page.get_by_role("link", name="Upload a web"))
    tab_to(page, page.locator("#id_file"))
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    chooser.value.set_files(file)
    press(page, button(page, "Upload"))
    link = page.get_by_role("link", name="bakery", exact=True)
    expect(link).to_be_visible(timeout=LONG)
    press(page, link)
    expect(page.locator(".hit")).to_have_count(20, timeout=LONG)


def _search_the_web(page: Page) -> None:
    page.wait_for_load_state()
    page.keyboard.press("/")
    expect(page.locator("[name=q]")).to_be_focused()
    page.keyboard.type("dough")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=dough")
    bread = page.locator(".facet input[name=label][value=bread]")
    press(page, bread, "Space")
    page.wait_for_url("**label=bread**")
    expect(bread).to_be_focused()  # the search has loaded the page again
    expect(bread).to_be_checked()


def _select_and_split(page: Page) -> None:
    page.wait_for_load_state()
    rows = page.locator(".hit")
    for key in ("j", "x", *"jjjjjjjjjjj", "Shift+X"):
        page.keyboard.press(key)
    expect(page.get_by_text("12 pages selected")).to_be_visible()
    again = button(page, "Draw again")
    press(page, again)
    expect(again).to_be_focused()
    by_hand = button(page, "Split by hand")
    press(page, by_hand)
    expect(by_hand).to_have_attribute("aria-pressed", "true")
    use = rows.nth(1).locator("[data-use] select")
    tab_to(page, use)
    other = "seed" if use.input_value() != "seed" else "target"  # the seed is drawn
    page.keyboard.press(other[0])
    expect(use).to_have_value(other)
    expect(page.get_by_text("1 split by hand")).to_be_visible()
    expect(use).to_be_focused()
    press_before(page, rows.nth(1).get_by_role("link", name="stored copy"))
    expect(page.locator("[data-copy]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("[data-copy]")).to_be_hidden()
    expect(page.get_by_text("12 pages selected")).to_be_visible()
    press_before(page, button(page, "Make a topic of 12 pages"))


def _save_the_topic(page: Page) -> None:
    fill(page, page.locator("#id_name"), "Bakery")
    fill(page, page.locator("#id_keywords"), "dough, flour")
    press(page, button(page, "Save and choose a strategy"))


def _start(page: Page, strategy: str, pages: int) -> None:
    wanted = page.locator(f"input[name=strategy][value={strategy}]")
    direction = "Tab"
    expect(page.locator("[data-fold=strategies]")).to_be_visible()
    page.wait_for_load_state()  # a fold that was left open is opened by then
    if not wanted.is_visible():
        press(page, page.locator("[data-fold=strategies] > summary"))
        expect(wanted).to_be_visible()
        direction = "Shift+Tab"
    tab_to(page, page.locator("input[name=strategy]:checked"), direction)
    while not wanted.is_checked():
        page.keyboard.press("ArrowDown")
    fill(page, page.locator("#id_budget"), str(pages))
    press(page, button(page, "Start crawl"))
    expect(page.locator("#state-badge")).to_contain_text("budget reached", timeout=LONG)


def _read_the_feed(page: Page) -> None:
    rows = page.locator("[data-feed] tr")
    expect(rows.first).to_have_attribute("data-seq", "40", timeout=LONG)
    page.wait_for_load_state()
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(rows.nth(1)).to_be_focused()
    at = 1
    while rows.nth(at).locator(".tag", has_text="target").count():  # drawn; none is an example
        page.keyboard.press("j")
        at += 1
        expect(rows.nth(at)).to_be_focused()
    page.keyboard.press("y")
    expect(rows.nth(at).locator("[data-label=y]")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("w")
    expect(page.locator(".why-row")).to_contain_text("Path from the seed", timeout=LONG)
    page.keyboard.press("w")


def _raise_the_budget(page: Page) -> None:
    page.reload()
    more = page.locator("summary", has_text="More")
    press(page, more)
    press(page, page.get_by_role("link", name="Name…"))
    expect(page.locator("#name")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#name-panel")).to_be_hidden()
    expect(more).to_be_focused()
    page.reload()
    press(page, page.get_by_role("link", name="Raise budget"))
    expect(page.locator("#budget")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("60")
    page.keyboard.press("Enter")
    expect(page.locator("#figure-pages")).to_contain_text("60 of 60", timeout=LONG)


def _use_the_list_of_crawls(page: Page) -> None:
    press(page, page.get_by_role("navigation").get_by_role("link", name="Crawls"))
    menu = page.locator("summary", has_text="Any topic")
    press(page, menu)
    page.keyboard.press("Escape")
    expect(menu).to_be_focused()
    page.keyboard.press("Enter")
    press(page, page.locator(".filters .menu[open] a", has_text="Bakery"))
    page.wait_for_url("**topic=**")
    press(page, page.locator(".order > summary"))
    press(page, page.locator(".order a", has_text="Oldest"))
    page.wait_for_url("**order=oldest**")
    rows = page.locator("[data-crawl]")
    expect(rows).to_have_count(2)
    press(page, rows.first.locator("[name=crawl]"), "Space")
    press(page, rows.last.locator("[name=crawl]"), "Space")
    press_before(page, button(page, "Tag 2…"))
    page.keyboard.type("night")
    page.keyboard.press("Enter")
    expect(page.locator("td .tag", has_text="night")).to_have_count(2)
    expect(button(page, "Tag 2…")).to_be_focused()
    press(page, button(page, "Undo"))
    expect(page.locator("td .tag", has_text="night")).to_have_count(0)
    expect(page.locator("[data-crawl]:focus")).to_have_count(1)
    press_before(page, button(page, "Delete 2…"))
    expect(page.locator("[data-sure]")).to_be_focused()
    page.keyboard.press("Escape")
    expect(button(page, "Delete 2…")).to_be_focused()
    press_before(page, button(page, "Compare 2"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Compare", timeout=LONG)


def _choose_in_the_collection(page: Page) -> None:
    press(page, page.get_by_role("navigation").get_by_role("link", name="Collection"))
    overlap = page.locator("h2", has_text="Who fetched what")
    several = page.locator(".collections")  # other tests of this site have collections
    expect(overlap.or_(several)).to_be_visible()
    if several.is_visible():
        press(page, several.locator(".name a", has_text="Bakery"))
    expect(overlap).to_be_visible()
    every = page.locator(".result b").first.inner_text()
    boxes = page.locator(".facet input[name=crawl]")
    all_of = page.locator(".facet [name=crawl_match][value=all]")
    expect(all_of).to_be_disabled()  # there is nothing to match yet
    press(page, boxes.first, "Space")
    page.wait_for_url("**crawl=**")
    expect(boxes.first).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.wait_for_url(re.compile("crawl=.*crawl="))
    tab_to(page, page.locator(".facet [name=crawl_match]:checked"), "Shift+Tab")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**crawl_match=all**")
    expect(all_of).to_be_focused()
    expect(page.locator(".sets .chosen")).to_contain_text("in both")
    both = page.locator(".sets .chosen .number").first.inner_text()
    assert page.locator(".result b").first.inner_text() == both != every
    page.keyboard.press("/")
    page.keyboard.type("dough")
    page.keyboard.press("Enter")
    expect(page.locator(".hit mark").first).to_be_visible()
    press(page, page.locator("summary", has_text="Download"))
    tab_to(page, button(page, "Download Excel"))
    with page.expect_download() as started:
        page.keyboard.press("Enter")
    assert started.value.suggested_filename.endswith(".xlsx")
    page.keyboard.press("Escape")
    expect(page.locator("summary", has_text="Download")).to_be_focused()


def _share(page: Page) -> None:
    press_before(page, page.get_by_role("link", name="Bakery", exact=True).first)
    press(page, page.get_by_role("link", name="Share…"))
    fill(page, page.locator("#share-name"), "nobody at all")
    page.keyboard.press("Enter")
    expect(page.locator("#share-name-error")).to_be_visible()
    press(page, button(page, "Share with everybody, read-only"))
    everybody = page.get_by_role("cell", name="everybody who can sign in")
    expect(everybody).to_be_visible()
    press(page, button(page, "Remove everybody"))
    expect(everybody).to_have_count(0)
