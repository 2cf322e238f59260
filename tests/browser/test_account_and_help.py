"""Help, tokens, people and sharing in a real browser."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import sign_in


def test_help_is_searched_and_read(analyst: Any) -> None:
    page, base_url = analyst
    page.goto(base_url + "/topics/")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Help").click()
    page.get_by_role("searchbox").fill("adaptive utility")
    page.get_by_role("searchbox").press("Enter")
    page.get_by_role("link", name="Adaptive utility", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Adaptive utility")
    expect(page.get_by_role("region", name="Parameters")).to_contain_text("memory")


def test_a_token_is_made_used_and_revoked(analyst: Any) -> None:
    page, base_url = analyst

    def ask(token: str) -> int:
        request = urllib.request.Request(
            base_url + "/api/v1/account", headers={"Authorization": f"Bearer {token}"}
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    page.goto(base_url + "/account/")
    page.get_by_label("What is the new token for?").fill("browser test")
    page.get_by_role("button", name="Make a token").click()
    token = page.locator("#token").input_value()
    assert ask(token) == 200
    page.get_by_role("button", name="Revoke browser test").click()
    expect(page.get_by_text("The token is revoked")).to_be_visible()
    assert ask(token) == 401


@pytest.mark.parametrize("without_clipboard", [False, True])
def test_a_token_is_copied_by_keyboard_and_that_is_reported(
    analyst: Any, without_clipboard: bool
) -> None:
    page, base_url = analyst
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    if without_clipboard:
        page.add_init_script(
            "Object.defineProperty(Navigator.prototype, 'clipboard', {value: undefined})"
        )
    page.goto(base_url + "/account/")
    page.get_by_label("What is the new token for?").fill("to be copied")
    page.get_by_role("button", name="Make a token").click()
    page.get_by_role("button", name="Copy the token").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-copy-said]")).to_have_text("Copied.")
    token = page.locator("#token").input_value()
    page.get_by_label("What is the new token for?").focus()
    page.keyboard.press("Control+V")
    expect(page.get_by_label("What is the new token for?")).to_have_value(token)


def test_a_new_person_sees_what_is_shared_and_nothing_else(
    analyst: Any, new_page: Callable[..., Page]
) -> None:
    page, base_url = analyst
    page.goto(base_url + "/topics/new/all/")
    page.locator("#id_name").fill("Shared one")
    page.get_by_role("button", name="Save the topic").click()  # names what is missing
    expect(page.get_by_text("Give at least one seed")).to_be_visible()
    page.get_by_role("button", name="Save the topic").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Shared one")
    mine = page.url
    page.goto(base_url + "/administration/")
    page.get_by_label("Name of a new account").fill("grace")
    page.get_by_role("button", name="Make the account").click()
    link = page.locator("#link").input_value()
    grace = new_page()
    sign_in(grace, link)
    grace.goto(base_url + "/topics/")
    expect(grace.get_by_text("Shared one")).to_have_count(0)

    page.goto(mine)
    page.get_by_role("button", name="Share with everybody, read-only").click()
    expect(page.get_by_role("cell", name="everybody who can sign in")).to_be_visible()
    grace.reload()
    row = grace.get_by_role("row", name="Shared one")
    expect(row).to_contain_text("of owner")
    row.get_by_role("link", name="Shared one").click()
    expect(grace.get_by_role("heading", level=1)).to_contain_text("Shared one")
    expect(grace.get_by_role("link", name="Edit")).to_have_count(0)
    expect(grace.get_by_role("link", name="Administration")).to_have_count(0)

    page.goto(base_url + "/administration/")
    page.get_by_role("button", name="Switch off grace").click()
    expect(page.get_by_role("button", name="Switch on grace")).to_be_visible()
    grace.goto(base_url + "/topics/")
    expect(grace.get_by_role("heading", name="Sign in")).to_be_visible()
