"""Agents and workers: pieces change in their places, but not under the hands of the person."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Analyst

OLD = """id => {
  const piece = document.getElementById(id);
  piece.dataset.stamp = "old";
  piece.innerHTML = '<button>old</button>';
}"""


def test_a_piece_in_use_is_replaced_once_it_is_left(analyst: Analyst) -> None:
    page = analyst.page
    page.goto("/administration/machines/")
    page.locator("#workers").wait_for()
    page.evaluate(OLD, "workers")
    page.locator("#workers button").focus()
    page.evaluate(OLD, "strip")
    expect(page.locator("#strip")).to_contain_text("Crawls running")
    expect(page.locator("#workers")).to_have_text("old")
    page.get_by_role("link", name="Add a machine").first.focus()
    expect(page.locator("#workers")).not_to_have_text("old")
