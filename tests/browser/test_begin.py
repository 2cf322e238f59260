"""Beginning with a sentence: pages of served sites, answered with keys, up to the live page."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import MILLISECONDS, sign_in
from tests.made_web import BREAD, PLAIN, STARS
from tests.running_site import RunningSite, running_site

PAGES = 12
SENTENCE = "Bread: dough, rye flour and a starter, baked in an oven. Not planets."


class ServedSites:
    """Sites on several addresses of loopback; every second page is about bread."""

    def __init__(self) -> None:
        sites = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = sites.page(self.path)
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("", 0), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def address(self, host: int, path: str = "/0") -> str:
        return f"http://127.0.0.{host}:{self.port}{path}"

    def page(self, path: str) -> str:
        number = path.removeprefix("/")
        if not number.isdigit() or int(number) >= PAGES:
            return ""
        draw = random.Random(number)
        words = STARS if int(number) % 2 else BREAD

        def prose(n: int) -> str:
            return " ".join(draw.choice(words if draw.random() < 0.4 else PLAIN) for _ in range(n))

        links = "".join(
            f"<p>{prose(20)} <a href='{self.address(2 + i % 3, f'/{i}')}'>"
            f"{' '.join((STARS if i % 2 else BREAD)[:2])}</a></p>"
            for i in range(PAGES)
        )
        return f"<title>{prose(4)}</title>{links}"


@pytest.fixture(scope="module")
def sites() -> Iterator[ServedSites]:
    served = ServedSites()
    yield served
    served.server.shutdown()
    served.server.server_close()


@pytest.fixture(scope="module")
def open_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    """A site that may fetch from loopback."""
    environment = {"CRAWLSITE_ALLOWED_ADDRESSES": "127.0.0.0/8"}
    folder = tmp_path_factory.mktemp("open")
    with running_site(folder, "--no-demo", environment=environment) as site:
        yield site


@pytest.fixture(scope="module")
def state(open_site: RunningSite, chromium: Browser) -> Any:
    page = chromium.new_context(base_url=open_site.address).new_page()
    sign_in(page, open_site.link)
    return page.context.storage_state()


@pytest.fixture
def make_page(open_site: RunningSite, chromium: Browser, state: Any) -> Iterator[Any]:
    contexts = []

    def make(**options: Any) -> Page:
        context = chromium.new_context(base_url=open_site.address, storage_state=state, **options)
        context.set_default_timeout(MILLISECONDS)
        contexts.append(context)
        return context.new_page()

    yield make
    for context in contexts:
        context.close()


def typed(page: Page, sites: ServedSites) -> Page:
    page.goto("/topics/new/")
    expect(page.locator("#id_description")).to_be_focused()
    expect(page.locator(".buttons [name=start]")).to_be_disabled()
    page.keyboard.type(SENTENCE)
    expect(page.locator("#id_name")).to_have_attribute("placeholder", "Bread")
    page.locator("#id_seeds").fill(f"{sites.address(2)}\n{sites.address(3, '/2')}\nwww,b.example")
    page.locator("#id_seeds").blur()
    expect(page.locator("[data-row]").first).to_be_visible()
    return page


def test_a_sentence_and_addresses_become_a_crawl_by_keys(
    make_page: Any, sites: ServedSites
) -> None:
    page = typed(make_page(viewport={"width": 1280, "height": 1400}), sites)
    expect(page.locator("#id_seeds_lines li")).to_have_count(1)
    expect(page.locator(".kin-chip", has_text="planets")).to_be_visible()
    rows = page.locator("[data-row]")
    expect(rows).to_have_count(5)
    expect(rows.first.locator("mark").first).to_be_visible()
    assert Axe().run(page).response["violations"] == []
    page.locator("[data-take]").first.click()
    expect(page.locator(".chip-field .chip")).to_have_count(1)
    file = {"name": "more.txt", "mimeType": "text/plain", "buffer": b"one.example\ntwo.example\n"}
    page.locator("#id_seeds_file").set_input_files(file)
    expect(page.locator("[data-list-taken]")).to_contain_text("2 addresses of more.txt taken.")
    page.locator("[data-list-taken] button", has_text="Undo").click()
    expect(page.locator("#id_seeds")).not_to_have_value(re.compile("one.example"))
    first = rows.first.get_attribute("id")
    rows.first.focus()
    page.keyboard.press("y")
    expect(page.locator(f"#{first}")).to_have_count(0)
    expect(page.locator(".bar-line")).to_contain_text("1 answered: 1 yes, 0 no, 0 skipped")
    page.keyboard.press("n")
    expect(page.locator(".bar-line")).to_contain_text("1 yes, 1 no")
    page.keyboard.press("u")
    expect(page.locator(".bar-line")).to_contain_text("1 yes, 0 no")
    survives_being_cut_off(page)
    page.locator(".buttons [name=start]", has_text="Start").click()
    page.wait_for_url(re.compile(r"/crawls/\d+/$"))
    expect(page.locator("h1")).to_be_visible()


def survives_being_cut_off(page: Page) -> None:
    """Offline, signed out and in two tabs nothing that was typed is lost."""
    sentence, failure = page.locator("#id_description"), page.locator("[data-failure]")
    page.context.set_offline(True)
    sentence.fill(f"{SENTENCE} Offline.")
    expect(failure).to_contain_text("What you typed is kept in this browser.")
    page.context.set_offline(False)
    expect(failure).to_have_count(0)
    cookies = page.context.cookies()
    page.context.clear_cookies()
    sentence.fill(f"{SENTENCE} Signed out.")
    expect(failure).to_contain_text("You are signed out.")
    expect(page.locator("[data-draft-kept]")).to_contain_text("Draft kept in this browser")
    page.context.add_cookies(cookies)
    other = page.context.new_page()
    other.goto("/topics/new/")
    other.get_by_role("button", name="Go on with it").click()
    expect(other.locator("#id_description")).to_have_value(f"{SENTENCE} Signed out.")
    expect(other.locator(".bar-line")).to_contain_text("1 yes, 0 no")
    other.locator("#id_description").fill("Bread in the other tab")
    expect(other.locator("#id_name")).to_have_attribute("placeholder", re.compile("other tab"))
    sentence.fill(SENTENCE)
    expect(page.locator("#id_name")).to_have_attribute("placeholder", "Bread")
    expect(other.locator("#id_description")).to_have_value("Bread in the other tab")
    other.close()


def test_on_a_phone_understood_is_folded_and_the_dock_starts(
    make_page: Any, sites: ServedSites
) -> None:
    page = typed(make_page(viewport={"width": 390, "height": 844}, color_scheme="dark"), sites)
    expect(page.locator("[data-understood]")).not_to_have_attribute("open", "")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert Axe().run(page).response["violations"] == []
    dock_top = page.locator(".dock").bounding_box()["y"]
    for row in page.locator("[data-row]").all():
        row.locator("[data-answer=no]").focus()
        box = row.locator("[data-answer=no]").bounding_box()
        assert box["y"] + box["height"] <= dock_top
    page.locator("[data-answer=yes]").first.click()
    expect(page.locator(".dock")).to_contain_text("1 yes, 0 no")
    page.locator(".dock [name=start]").click()
    page.wait_for_url(re.compile(r"/crawls/\d+/$"))


def test_a_pasted_table_begins_a_topic(make_page: Any) -> None:
    page = make_page(viewport={"width": 390, "height": 844})
    page.goto("/topics/new/list/")
    page.locator("#id_pasted").fill("Office;Site\nLindau;lindau.example/a\nGera;www,gera.example")
    page.get_by_role("button", name="Read the pasted text").click()
    page.locator("[data-correct]").first.click()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert Axe().run(page).response["violations"] == []
    page.get_by_role("button", name="Take 2").click()
    expect(page.locator("#id_seeds")).to_have_value(
        "https://lindau.example/a\nhttps://www.gera.example"
    )
