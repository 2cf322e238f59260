"""In and out of the real site, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.running_site import RunningSite

NARROW = {"width": 390, "height": 844}


def test_the_printed_link_signs_in(analyst: Any) -> None:
    page, base_url = analyst
    page.goto(base_url + "/password/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Choose a password")
    expect(page.locator("summary", has_text="owner")).to_be_visible()


def test_a_used_link_is_refused_in_words(
    new_page: Callable[..., Page], site: RunningSite, watch: Any
) -> None:
    link = site.manage("sign_in_link").stdout.strip()
    page = new_page()
    page.goto(link)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(re.compile("^(?!.*sign-in/link)"))
    watch.expect(410)
    again = new_page()
    again.goto(link)
    expect(again.get_by_role("alert")).to_contain_text("has been used already")


def test_signing_out_closes_the_site(new_page: Callable[..., Page], site: RunningSite) -> None:
    page = new_page()
    page.goto(site.manage("sign_in_link").stdout.strip())
    page.get_by_role("button", name="Sign in").click()
    page.goto("/password/")
    page.locator("summary", has_text="owner").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("You are signed out.")).to_be_visible()
    page.goto("/password/")
    expect(page).to_have_url(re.compile(r"/sign-in/\?next=/password/$"))


def test_a_wrong_password_is_reported_at_the_form(new_page: Callable[..., Page]) -> None:
    page = new_page(viewport=NARROW)
    page.goto("/sign-in/")
    page.get_by_label("Username").fill("owner")
    page.get_by_label("Password").fill("guess")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("No account has this name and password")
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


def test_styles_scripts_and_fonts_come_from_this_host(new_page: Callable[..., Page]) -> None:
    page = new_page()
    came: dict[str, int] = {}
    page.on("response", lambda answer: came.update({answer.url.rpartition("/")[2]: answer.status}))
    page.goto("/sign-in/", wait_until="networkidle")
    assert came["tokens.css"] == came["theme.js"] == 200
    assert any(name.endswith(".woff2") and status == 200 for name, status in came.items())


def test_an_unknown_address_has_a_page_of_ours(analyst: Any, watch: Any) -> None:
    watch.expect(404)
    page, base_url = analyst
    page.goto(base_url + "/no-such-page/")
    expect(page.get_by_role("heading", level=1)).to_have_text("There is nothing here")
    page.get_by_role("link", name="To the topics").click()
    expect(page).not_to_have_url(re.compile("no-such-page"))


def test_the_administration_works_under_the_policy(analyst: Any) -> None:
    page, base_url = analyst
    page.goto(base_url + "/admin/")
    expect(page.get_by_text("Site administration").first).to_be_visible()
