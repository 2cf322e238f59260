"""A recorded web looked through and made a topic of in a real browser, by keyboard."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.made_web import MadeWeb
from tests.running_site import RunningSite

MADE = MadeWeb(pages=80, hosts=4)
# Timers end only when they are released, however long the machine takes.
HOLD_TIMERS = """() => {
  const held = new Map();
  let number = 0;
  window.setTimeout = (does, pause, ...given) => (held.set(++number, () => does(...given)), number);
  window.clearTimeout = (timer) => held.delete(timer);
  window.release = () => held.forEach((does) => does());
}"""


@pytest.fixture(scope="module")
def web(site: RunningSite) -> str:
    """The path of a web of 20 pages about bread and 60 about stars."""
    file = site.folder / "browsed.jsonl"
    file.write_text(
        "\n".join(
            json.dumps(
                {"url": url, "html": MADE.get(url).body.decode(), "topics": MADE.labels(url)}
            )
            for url in MADE.urls()
        )
    )
    done = site.manage("import_web", "browsed", str(file))
    assert done.returncode == 0, done.stderr
    return "browsed"


def test_pages_are_chosen_by_keyboard_and_stay_chosen_over_searches(analyst: Any, web: str) -> None:
    page, base_url = analyst
    page.goto(f"{base_url}/webs/")
    page.get_by_role("link", name=web, exact=True).click()
    rows = page.locator(".hit")
    expect(rows).to_have_count(20, timeout=60_000)
    page.go_back()
    note = page.get_by_role("row", name=web).locator("[data-note-edit]")
    for key in ("Enter", "Escape"):
        note.press("Enter")
        page.keyboard.type(f"before {key}")
        page.keyboard.press(key)
        expect(note).to_contain_text("before Enter")
        expect(note).to_be_focused()
    page.get_by_role("button", name="Undo").click()
    expect(note).to_contain_text("add note")
    page.go_forward()
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.get_by_role("button", name="Select 3 more pages")).to_be_disabled()
    for _ in range(3):
        page.keyboard.press("j")
    page.keyboard.press("Shift+X")
    expect(page.get_by_text("4 pages selected")).to_be_visible()
    expect(rows.first.get_by_role("checkbox")).to_be_visible()
    page.keyboard.press("t")
    expect(page.locator(".hit:focus [data-use] select")).to_have_value("target")
    expect(page.get_by_text("1 split by hand")).to_be_visible()
    page.locator(".hit:focus [data-use] select").select_option("seed")
    expect(page.locator("[name=seeds]")).to_have_value("2")
    page.reload()
    expect(page.locator(".chosen [data-use] select").last).to_have_value("seed")
    page.keyboard.press("j")
    page.keyboard.press("o")
    copy = page.locator("[data-copy]")
    expect(copy).to_be_visible()
    page.keyboard.press("Escape")
    expect(copy).to_be_hidden()
    page.keyboard.press("/")
    page.keyboard.type("stars")
    page.goto(f"{page.url.split('?')[0]}?label=stars")
    expect(page.get_by_text("4 pages selected")).to_be_visible()
    page.get_by_role("button", name="Select all 60 found").click()
    expect(page.get_by_text("61 pages selected")).to_be_visible()
    expect(page.locator("[data-shown-box]")).to_be_checked()
    page.locator("[data-shown-box]").uncheck()
    expect(page.get_by_text("41 of the 41 selected not on this page")).to_be_visible()
    page.locator("[data-shown-box]").check()
    page.keyboard.press("Escape")
    expect(page.get_by_text("61 pages selected")).to_have_count(0)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_a_label_is_a_topic_in_three_clicks_on_every_screen(
    new_page: Any, signed_in: Any, site: RunningSite, web: str, width: int, scheme: str
) -> None:
    page = new_page(
        storage_state=signed_in, color_scheme=scheme, viewport={"width": width, "height": 844}
    )
    page.goto(f"{site.address}/webs/")
    page.get_by_role("link", name=web, exact=True).click()
    expect(page.locator(".hit")).to_have_count(20, timeout=60_000)
    page.locator(".hit .tag", has_text="bread").first.click()
    page.get_by_role("button", name="Select them").click()
    expect(page.get_by_text("20 pages selected")).to_be_visible()
    page.locator("[name=seeds]").fill("6")
    page.locator("[name=seeds]").press("Tab")
    expect(page.locator(".parts output")).to_have_text("8")
    violations = Axe().run(page, options={"iframes": False, "resultTypes": ["violations"]})
    assert violations.violations_count == 0, violations.generate_report()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width
    page.get_by_role("button", name="Clear", exact=True).click()
    page.get_by_role("link", name="Make a topic of these 20 pages").click()
    expect(page.locator("[name=name]")).to_have_value("bread")
    expect(page.locator("[name=random_seed]")).to_have_value(re.compile("[0-9]+"))


@pytest.fixture(scope="module")
def shelves(site: RunningSite) -> int:
    """The number of a web of 15 pages, each with a label of its own below one of three."""
    file = site.folder / "shelves.jsonl"
    file.write_text(
        "\n".join(
            json.dumps(
                {
                    "url": f"http://shelf.test/{n}",
                    "topics": [f"Shelf_{n % 3}/Book_{n}"],
                    "html": f"<title>Page {n}</title><p>{'leaf ' * 10 * n}",
                }
            )
            for n in range(15)
        )
    )
    done = site.manage("import_web", "shelves", str(file))
    assert done.returncode == 0, done.stderr
    return int(
        site.python("from apps.webs.models import Web\nprint(Web.objects.get(name='shelves').pk)")
    )


def test_labels_are_found_in_their_tree_and_words_are_narrowed_by_keyboard(
    analyst: Any, shelves: int
) -> None:
    page, base_url = analyst
    page.goto(f"{base_url}/webs/{shelves}/")
    expect(page.locator(".hit")).to_have_count(15)
    label = page.locator("input[value='Shelf_2/Book_5']")
    expect(label).to_be_hidden()
    find = page.locator("[data-find-label]")
    expect(find).to_be_visible()  # the page that said "being indexed" has loaded this one
    find.focus()
    page.keyboard.type("book 5")
    expect(label).to_be_visible()
    expect(page.locator("[data-node]:visible")).to_have_count(2)
    page.keyboard.press("Enter")  # searches nothing else
    page.keyboard.type("0")
    expect(page.get_by_text("No label has these words.")).to_be_visible()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    branch = page.locator("input[value='Shelf_2/']")
    branch.focus()
    page.keyboard.press("Space")
    page.wait_for_url("**label=Shelf_2**")
    expect(page.locator(".hit")).to_have_count(5)
    expect(branch).to_be_focused()
    slider = page.get_by_role("slider", name="Words from")
    for least in (1, 10, 20, 50):
        slider.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_url(f"**words_from={least}&**")
        expect(slider).to_be_focused()
    expect(page.locator(".hit")).to_have_count(4)
    expect(page.get_by_text("words ≥ 50")).to_be_visible()


def test_a_slider_moved_by_keys_searches_once_where_it_ends(analyst: Any, shelves: int) -> None:
    page, base_url = analyst
    page.goto(f"{base_url}/webs/{shelves}/")
    slider = page.get_by_role("slider", name="Words from")
    expect(slider).to_be_visible()
    loaded: list[str] = []
    page.on("request", lambda asked: asked.is_navigation_request() and loaded.append(asked.url))
    page.evaluate(HOLD_TIMERS)
    slider.focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_label("Least words")).to_have_value("50")
    assert not loaded
    page.evaluate("release()")
    page.wait_for_url("**words_from=50**")
    expect(slider).to_be_focused()
    assert len(loaded) == 1
