"""Somebody whose session has ended is told so where they act, and loses nothing."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import end_session, sign_in_again
from tests.running_site import RunningSite


def expect_way_back(note: Locator, path: str) -> None:
    """The note names the reason, and its link leads back to this page."""
    expect(note).to_contain_text("You are signed out.")
    address = re.compile(rf"^/sign-in/\?next={re.escape(path)}")
    expect(note.get_by_role("link", name="Sign in")).to_have_attribute("href", address)


def test_a_label_key_reports_it_and_the_labels_are_as_they_were(
    person: Page, site: RunningSite, finished: int
) -> None:
    person.goto(f"/crawls/{finished}/")
    row = person.locator("[data-feed] tr").nth(1)
    pressed = row.locator('[data-label][aria-pressed="true"]')
    row.focus()
    person.keyboard.press("y")
    expect(pressed).to_have_text("y")
    end_session(person)
    person.keyboard.press("n")
    note = row.locator("[data-failure=signed-out]")
    expect_way_back(note, f"%2Fcrawls%2F{finished}%2F")
    expect(note).to_contain_text("Nothing was changed.")
    expect(pressed).to_have_text("y")
    sign_in_again(person, site)
    person.goto(f"/crawls/{finished}/")
    expect(pressed).to_have_text("y")
    row.focus()
    with person.expect_response("**/label/"):
        person.keyboard.press("y")
    expect(pressed).to_have_count(0)


def test_the_list_of_crawls_reports_it_and_keeps_its_rows(
    person: Page, site: RunningSite, finished: int
) -> None:
    person.goto("/crawls/?order=pages")
    row = person.get_by_role("checkbox", name=f"Select crawl {finished}", exact=True)
    expect(row).to_be_visible()
    end_session(person)
    line = person.locator("[data-stale]")
    expect_way_back(line, "%2Fcrawls%2F%3Forder%3Dpages")
    expect(line).not_to_contain_text("No answer from the site")
    expect(row).to_be_visible()
    sign_in_again(person, site)
    person.goto("/crawls/?order=pages")
    expect(row).to_be_visible()
    expect(line).to_be_hidden()


def test_the_check_of_lines_reports_it_and_what_was_typed_stays(
    person: Page, site: RunningSite
) -> None:
    person.goto("/topics/new/all/")
    person.locator("#id_seeds").fill("https://a.example/")
    expect(person.locator("[data-ready=seeds] .what")).to_have_text("1")
    end_session(person)
    typed = "https://a.example/\nwww,b.example"
    person.locator("#id_seeds").fill(typed)
    note = person.locator("#id_seeds_lines [data-failure=signed-out]")
    expect_way_back(note, "%2Ftopics%2Fnew%2Fall%2F")
    expect(note).to_contain_text("The lines are not checked")
    expect(person.locator("#id_seeds")).to_have_value(typed)
    sign_in_again(person, site)
    person.goto("/topics/new/all/")
    person.get_by_role("button", name="Go on with it").click()
    expect(person.locator("#id_seeds")).to_have_value(typed)
    expect(person.locator("#id_seeds_lines li")).to_have_count(1)
