"""The hosts of a topic by keyboard and mouse: the list, the network, and a selection in both."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from math import cos, pi, sin
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hosts_web import topic_of_hosts
from tests.running_site import RunningSite

HOSTS, LINKS = 60, 300
MANY_HOSTS, MANY_LINKS = 3_000, 60_000
STEPS = 30
SECONDS = 2.0
FRAMES_A_SECOND = 30
COUNT_FRAMES = """() => {
  window.frames = [];
  const tick = (at) => { window.frames.push(at); window.next = requestAnimationFrame(tick); };
  window.next = requestAnimationFrame(tick);
}"""
HAS_INK = """() => {
  const canvas = document.querySelector(".stage .over");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return data.some((value) => value > 0);
}"""
RATE = """() => {
  cancelAnimationFrame(window.next);
  return 1000 * (window.frames.length - 1) / (window.frames.at(-1) - window.frames[0]);
}"""


@pytest.fixture(scope="module")
def hosts_topic(site: RunningSite) -> int:
    return topic_of_hosts(site, HOSTS, LINKS)


def opened(make: Callable[..., Page], signed_in: Any, topic: int, width: int = 1280) -> Page:
    """The hosts, drawn."""
    page = make(storage_state=signed_in, viewport={"width": width, "height": 900})
    page.goto(f"/topics/{topic}/hosts/")
    expect(page.locator("[data-drawn]")).to_be_attached()
    return page


def draw_circle(page: Page, share: float = 0.45) -> None:
    """Draws an area of that share of the network's picture around its middle."""
    page.locator("[data-stage]").scroll_into_view_if_needed()
    box = page.locator("[data-stage]").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    turns = [2 * pi * step / STEPS for step in range(STEPS)]
    points = [
        (x + share * box["width"] * cos(t), y + share * box["height"] * sin(t)) for t in turns
    ]
    page.mouse.move(*points[0])
    page.mouse.down()
    for point in points[1:]:
        page.mouse.move(*point)
    page.mouse.up()


def address_of(topic: int) -> str:
    return f"/topics/{topic}/hosts/network.json"


def host_positions(page: Page, topic: int) -> list[tuple[str, float | None]]:
    nodes = page.request.get(address_of(topic)).json()["nodes"]
    return [(node["name"], node["x"]) for node in nodes]


def wait_until_kept(page: Page, topic: int) -> None:
    """Waits until every host has the position in which it was laid out."""
    page.wait_for_function(
        "async (url) => (await (await fetch(url)).json()).nodes.every(({ x }) => x !== null)",
        arg=address_of(topic),
    )


def counted(page: Page, state: str) -> int:
    return int(page.locator(f".about [data-count={state}]").inner_text().replace(",", ""))


def test_keys_decide_and_undo(
    new_page: Callable[..., Page], signed_in: Any, hosts_topic: int
) -> None:
    page = opened(new_page, signed_in, hosts_topic)
    row = page.locator("[data-row]").first
    row.focus()
    for key, state in (("y", "in"), ("n", "out"), ("0", "undecided"), ("n", "out")):
        page.keyboard.press(key)
        expect(row.locator(f"[data-decide={state}]")).to_have_attribute("aria-pressed", "true")
    assert (counted(page, "out"), counted(page, "undecided")) == (1, HOSTS - 1)
    page.get_by_role("button", name="Undo").first.click()
    expect(row.locator("[data-decide=undecided]")).to_have_attribute("aria-pressed", "true")
    assert counted(page, "out") == 0
    page.keyboard.press("j")
    page.locator("[data-row]").nth(1).focus()
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.locator("[data-selected]")).to_have_text("2 hosts selected")
    address = page.locator("[data-crawl-selected]").get_attribute("href")
    assert len(parse_qs(urlsplit(address or "").query)["hosts"][0].split()) == 2
    page.keyboard.press("y")
    expect(page.locator("tr [data-decide=in][aria-pressed=true]")).to_have_count(2)
    page.reload()
    assert counted(page, "in") == 2
    page.get_by_role("button", name="Undo").first.click()
    expect(page.locator(".about [data-count=in]")).to_have_text("0")


def test_an_area_of_the_network_is_selected_in_the_list_and_crawled(
    new_page: Callable[..., Page], signed_in: Any, hosts_topic: int
) -> None:
    page = opened(new_page, signed_in, hosts_topic)
    expect(page.locator("[data-laid]")).to_be_attached()
    draw_circle(page)
    panel = page.locator("[data-area]")
    expect(panel).to_be_visible()
    chosen = int(page.locator("[data-hosts-in-area]").inner_text().split()[0])
    assert 3 <= chosen <= HOSTS
    expect(page.locator("[data-selected]")).to_contain_text(f"{chosen} hosts selected")
    assert page.locator("[data-select]:checked").count() <= chosen
    address = panel.get_by_role("link", name="Crawl these").get_attribute("href")
    assert len(parse_qs(urlsplit(address or "").query)["hosts"][0].split()) == chosen
    panel.get_by_role("button", name="✕ Out").click()
    expect(page.locator("[data-area-words]")).to_contain_text(f"{chosen} out")
    expect(page.locator("[data-area-words]")).not_to_contain_text("mostly")
    expect(page.locator(".about [data-count=out]")).to_have_text(str(chosen))
    page.locator("[data-stage]").focus()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("x")
    expect(page.locator("[data-hosts-in-area]")).to_have_text("1 host selected")
    name = page.locator("[data-focused]").inner_text().split(":")[0]
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text(f"Dossier of {name}")
    page.go_back()
    page.get_by_role("button", name="Undo").first.click()
    expect(page.locator(".about [data-count=out]")).to_have_text("0")


def test_hosts_stay_where_they_were_laid_out(
    new_page: Callable[..., Page], signed_in: Any, hosts_topic: int
) -> None:
    page = opened(new_page, signed_in, hosts_topic)
    wait_until_kept(page, hosts_topic)
    before = host_positions(page, hosts_topic)
    out = page.locator("[data-row] [data-decide=out]").first
    out.click()
    expect(out).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(page.locator("[data-drawn][data-laid=before]")).to_be_attached()
    assert host_positions(page, hosts_topic) == before
    # Its cross is there before anything moves.
    assert page.evaluate(HAS_INK)
    page.get_by_role("button", name="Undo").first.click()
    expect(page.locator(".about [data-count=out]")).to_have_text("0")


def test_hosts_are_connected_by_words_in_common_where_pages_can_be_compared(
    new_page: Callable[..., Page], signed_in: Any, hosts_topic: int
) -> None:
    page = opened(new_page, signed_in, hosts_topic)
    by = page.get_by_label("What connects two hosts")
    table = page.get_by_role("link", name="As table")
    by.select_option("pages in common words")
    expect(page.locator("[data-none-alike]")).to_be_visible()
    expect(table).to_have_attribute("href", re.compile(r"/hosts/links/\?by=words$"))
    by.select_option("links between hosts")
    expect(page.locator("[data-none-alike]")).to_be_hidden()
    expect(table).to_have_attribute("href", re.compile("/hosts/links/$"))


def test_on_a_phone_the_list_comes_first_and_a_dossier_is_printed(
    new_page: Callable[..., Page], signed_in: Any, hosts_topic: int
) -> None:
    page = opened(new_page, signed_in, hosts_topic, width=390)
    list_box = page.locator(".hosts-table").bounding_box()
    network = page.locator("section.network").bounding_box()
    assert list_box and network and list_box["y"] + list_box["height"] <= network["y"]
    button = page.locator("[data-decide=in]").first.bounding_box()
    assert button and button["width"] >= 44 and button["height"] >= 44
    page.locator("[data-row] .name a").first.click()
    expect(page.locator(".host-mark")).to_contain_text("Undecided")
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name="Take the host down")).to_be_hidden()
    expect(page.locator("h1")).to_be_visible()


def test_hosts_are_added_once_the_list_was_shown(
    new_page: Callable[..., Page], signed_in: Any, hosts_topic: int
) -> None:
    page = opened(new_page, signed_in, hosts_topic)
    menu, dialog = page.locator(".add-hosts"), page.locator("[data-list-dialog]")
    menu.locator("summary").click()
    table = "Nr;Site\n1;https://one.example/x\n2;*.two.example\n3;none\n"
    menu.get_by_label("Hosts, one a line").fill(table)
    menu.get_by_role("button", name="✓ In").click()
    expect(dialog.get_by_role("button", name="Take 2")).to_be_visible()
    expect(dialog).to_contain_text("*.two.example")
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.locator(".about [data-count=in]")).to_have_text("0")
    menu.get_by_role("button", name="✓ In").click()
    dialog.get_by_role("button", name="Take 2").click()
    expect(page.locator("[data-last]")).to_contain_text("2 hosts in")
    page.locator("[data-last]").get_by_role("button", name="Undo").click()
    expect(page.get_by_text("2 hosts are as before.")).to_be_visible()
    # Plain lines without a mistake need no look.
    menu.locator("summary").click()
    menu.get_by_label("Hosts, one a line").fill("three.example")
    menu.get_by_role("button", name="✕ Out").click()
    expect(page.locator("[data-last]")).to_contain_text("three.example out")
    page.locator("[data-last]").get_by_role("button", name="Undo").click()
    # A file is read at once, and decided on by its button.
    menu.locator("summary").click()
    menu.locator("[type=file]").set_input_files(
        {"name": "hosts.csv", "mimeType": "text/csv", "buffer": table.encode()}
    )
    dialog.get_by_role("button", name="Take 2").click()
    expect(menu.locator(".list-taken")).to_contain_text("2 hosts of hosts.csv taken, 1 left out.")
    menu.get_by_role("button", name="✕ Out").click()
    expect(page.locator("[data-last]")).to_contain_text("2 hosts out")
    page.locator("[data-last]").get_by_role("button", name="Undo").click()
    expect(page.get_by_text("2 hosts are as before.")).to_be_visible()


@pytest.mark.soak
@pytest.mark.skipif(not os.environ.get("CRAWLSITE_SOAK"), reason="measures time: make soak")
def test_a_network_of_1500_hosts_and_20000_links_is_drawn_at_once_and_moves(
    site: RunningSite, new_page: Callable[..., Page], signed_in: Any
) -> None:
    topic = topic_of_hosts(site, MANY_HOSTS, MANY_LINKS)
    page = opened(new_page, signed_in, topic)
    network = page.request.get(address_of(topic)).json()
    assert (len(network["nodes"]), len(network["edges"])) == (1_500, 20_000)
    wait_until_kept(page, topic)
    page.reload()
    expect(page.locator("[data-drawn]")).to_be_attached()
    drawn = page.locator("[data-network]").evaluate("(network) => Number(network.dataset.drawn)")
    rates = {}
    page.locator("[data-stage]").hover()
    page.evaluate(COUNT_FRAMES)
    for step in range(STEPS):
        page.mouse.wheel(0, 120 if step % 10 < 5 else -120)
        page.wait_for_timeout(30)
    rates["zoom"] = page.evaluate(RATE)
    # The links have moved with the hosts as a picture, and are drawn anew once these stand still.
    expect(page.locator("[data-stage] .sigma-links[style*='transform: matrix']")).to_be_attached()
    expect(page.locator("[data-stage] .sigma-links[style*='transform: matrix']")).to_have_count(0)
    page.evaluate(COUNT_FRAMES)
    draw_circle(page)
    rates["area"] = page.evaluate(RATE)
    print(f"drawn after {drawn / 1000:.2f} s; frames a second: {rates}")
    assert drawn <= 1000 * SECONDS
    assert min(rates.values()) >= FRAMES_A_SECOND
