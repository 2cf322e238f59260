"""New topic in a real browser: parts, lines checked as they are typed, what is missing, drafts."""

from __future__ import annotations

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.long_web import MADE

LINES = "https://a.example/\nwww,b.example\ntbd"


def opened(analyst: Any) -> Page:
    page, base_url = analyst
    page.goto(base_url + "/topics/new/all/")
    return page


def test_a_bad_line_is_marked_and_mended_with_one_click(analyst: Any) -> None:
    page = opened(analyst)
    page.locator("#id_seeds").fill(LINES)
    report = page.locator("#id_seeds_lines")
    expect(report.locator("li")).to_have_count(2)
    expect(page.locator(".field-seeds .gutter .is-bad")).to_have_text(["2", "3"])
    report.get_by_role("button", name="Use a dot: line 2").click()
    expect(report.locator("li")).to_have_count(1)
    report.get_by_role("button", name="Remove the line: line 3").click()
    expect(report.locator("li")).to_have_count(0)
    expect(page.locator("#id_seeds")).to_have_value("https://a.example/\nhttps://www.b.example")
    expect(page.locator("[data-ready=seeds] .what")).to_have_text("2")


def test_save_moves_to_the_first_missing_part_and_names_it(analyst: Any) -> None:
    page = opened(analyst)
    save = page.get_by_role("button", name="Save the topic")
    save.click()
    expect(page.locator("#id_name")).to_be_focused()
    expect(page.locator("#part-words [data-missing]")).to_have_text("Give the topic a name.")
    page.locator("#id_name").fill("Seagrass")
    save.click()
    expect(page.locator("#id_seeds")).to_be_focused()
    missing = page.locator("#part-examples [data-missing]")
    expect(missing).to_contain_text("at least one seed")
    page.locator("#id_seeds").fill("https://a.example/")
    expect(missing).to_be_hidden()
    page.locator("#id_positives").fill("https://b.example/")
    ready = page.locator("[data-ready=positives] .what")
    expect(ready).to_have_text("1: a classifier needs 2")
    save.click()
    expect(missing).to_contain_text("Give at least 2 positive examples")
    page.locator("#id_positives").fill("https://b.example/\nhttps://c.example/")
    expect(missing).to_be_hidden()
    expect(ready).to_have_text("2 of about 20")


def test_it_is_shown_whether_there_are_topics_to_draw_negatives_from(
    analyst: Any, topic: int
) -> None:
    page = opened(analyst)
    ready = page.locator("[data-ready=negatives] .what")
    expect(ready).to_have_text("none to draw from on this web")
    page.get_by_label("Pages come from").select_option("long")
    expect(ready).to_have_text("drawn from your other topics")
    page.get_by_label("Sample them").check()
    expect(ready).to_have_text("sampled when saved")
    page.locator("#id_negatives").fill("https://a.example/")
    expect(ready).to_have_text("1")


def names_by_tab(page: Page, steps: int) -> list[str]:
    """What Tab reaches after the choice of a web, one after the other."""
    page.get_by_label("Pages come from").focus()
    reached = []
    for _ in range(steps):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.name"))
    return reached


def test_labels_and_pages_to_browse_are_offered_on_a_recorded_web_alone(
    analyst: Any, topic: int
) -> None:
    page = opened(analyst)
    offered = [page.locator("#id_web_label"), page.locator("button[name=browse]")]
    for each in offered:
        expect(each).to_be_hidden()
    assert not {"browse", "web_label"} & {*names_by_tab(page, 4)}
    page.get_by_label("Pages come from").select_option("long")
    for each in offered:
        expect(each).to_be_visible()
    assert {"browse", "web_label"} <= {*names_by_tab(page, 4)}


def test_a_draft_is_kept_and_offered_until_it_is_discarded(analyst: Any) -> None:
    page = opened(analyst)
    page.locator("#id_name").fill("Kelp")
    page.locator("#id_seeds").fill(LINES)
    kept = page.locator("[data-draft-kept]")
    expect(kept).to_have_text(re.compile(r"Draft kept in this browser at \d\d:\d\d\.$"))
    page.reload()
    expect(page.locator("[data-draft]")).to_contain_text("A draft of Kelp")
    page.get_by_role("button", name="Go on with it").click()
    expect(page.locator("#id_name")).to_have_value("Kelp")
    expect(page.locator("#id_seeds_lines li")).to_have_count(2)
    page.reload()
    page.get_by_role("button", name="Discard it").click()
    page.reload()
    expect(page.locator("[data-draft]")).to_be_hidden()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 390)])
def test_it_is_usable_without_eyes_on_any_screen(analyst: Any, scheme: Any, width: int) -> None:
    page, _ = analyst
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    page = opened(analyst)
    page.locator("#id_name").fill("Seagrass restoration")
    page.locator("#id_seeds").fill(LINES)
    expect(page.locator("#id_seeds_lines li")).to_have_count(2)
    assert Axe().run(page).response["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_keywords_are_chips_that_the_keyboard_adds_and_removes(analyst: Any) -> None:
    page = opened(analyst)
    field, sent = page.get_by_label("Keywords", exact=True), page.locator("[name=keywords]")
    chips = page.locator(".chip-field .chip")
    field.press_sequentially("kelp,sea weed")
    field.press("Enter")
    expect(chips).to_have_text(["kelp ✕", "sea weed ✕"])
    expect(sent).to_have_value("kelp, sea weed")
    field.press("ArrowLeft")
    expect(page.get_by_role("button", name="Remove the keyword sea weed")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Delete")
    expect(chips).to_have_text(["sea weed ✕"])
    field.focus()
    field.press("Backspace")
    expect(field).to_have_value("sea weed")
    field.press("End")
    field.press_sequentially("s")
    page.locator("#id_name").fill("Kelp")
    expect(sent).to_have_value("sea weeds")
    expect(page.locator("[data-draft-kept]")).to_contain_text("Draft kept")
    page.reload()
    page.get_by_role("button", name="Go on with it").click()
    expect(chips).to_have_text(["sea weeds ✕"])
    page.get_by_role("button", name="Remove the keyword sea weeds").click()
    expect(sent).to_have_value("")


def test_words_that_speak_for_the_topic_in_its_examples_are_offered_as_keywords(
    analyst: Any, topic: int
) -> None:
    page = opened(analyst)
    page.get_by_label("Pages come from").select_option("long")
    page.locator("#id_positives").fill("\n".join(MADE.url(4 * i) for i in range(1, 9)))
    page.locator("#id_negatives").fill("\n".join(MADE.url(4 * i + 1) for i in range(1, 9)))
    term = page.locator("[data-favours]").first
    word = term.inner_text()
    weight = page.locator("#topic-preview .terms .number").first
    assert weight.bounding_box()["height"] < 30, "a weight stands on one line"
    offer = page.get_by_role("button", name=f"Add the keyword {word}", exact=True)
    second = page.locator(".offered button").nth(1)
    expect(second).to_be_visible()
    following = second.inner_text()
    offer.press("Enter")
    expect(page.locator("[name=keywords]")).to_have_value(word)
    expect(page.locator(".chip-field .chip")).to_have_text([f"{word} ✕"])
    expect(offer).to_have_count(0)
    expect(page.locator(".offered button").first).to_have_text(following)
    expect(page.locator(".offered button").first).to_be_focused()
    assert Axe().run(page).response["violations"] == []
    page.get_by_role("button", name=f"Remove the keyword {word}").click()
    expect(offer).to_be_visible()
    page.locator(".chip-field input").fill("typed before")
    offer.click()
    expect(page.locator("[name=keywords]")).to_have_value(f"typed before, {word}")
    page.locator("#id_positives").fill("")
    expect(page.locator(".offered")).to_be_hidden()
