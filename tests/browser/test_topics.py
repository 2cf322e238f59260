"""Describing a topic in a real browser, its examples fetched by the real workers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import FilePayload, Page, Request, expect

from apps.uploads.services import MOST_BYTES
from tests.made_web import MadeWeb
from tests.running_site import RunningSite

MADE = MadeWeb(pages=80, hosts=4)
NASTY = "<img src=x onerror=alert(1)>"


def urls(*numbers: int) -> str:
    return "\n".join(MADE.url(i) for i in numbers)


@pytest.fixture(scope="module")
def web(site: RunningSite) -> str:
    """A recorded web on the running site."""
    path = site.folder / "made.jsonl"
    lines = [json.dumps({"url": url, "html": MADE.get(url).body.decode()}) for url in MADE.urls()]
    path.write_text("\n".join(lines))
    done = site.manage("import_web", "made", str(path))
    assert done.returncode == 0, done.stderr
    return "made"


def fill(page: Page, **fields: str) -> None:
    for name, value in fields.items():
        page.locator(f"#id_{name}").fill(value)


@pytest.mark.stored
def test_a_topic_is_described_mended_and_trained(analyst: Any, web: str) -> None:
    page, base_url = analyst
    page.goto(base_url + "/topics/new/all/")
    fill(
        page,
        name="Bread",
        keywords="dough, flour",
        seeds=f"{urls(0)}\n{NASTY}\n{urls(0)}",
        positives=urls(*range(4, 44, 4)),
        negatives=urls(*range(1, 60, 4)),
        targets=urls(60, 0),
    )
    page.locator("#id_web").select_option(label=web)
    page.get_by_role("button", name="Save the topic").click()

    seeds = page.locator(".field", has=page.locator("#id_seeds"))
    expect(seeds).to_contain_text("2 lines that are not taken. The other one is kept.")
    expect(seeds).to_contain_text(f"Line 2: {NASTY} not a web address")
    expect(page.locator(".field", has=page.locator("#id_targets"))).to_contain_text(
        "Line 2: " + MADE.url(0) + " is a seed"
    )
    seeds.get_by_role("link", name="Line 2").click()
    chosen = "f => f.value.slice(f.selectionStart, f.selectionEnd)"
    assert page.locator("#id_seeds").evaluate(chosen) == NASTY

    fill(page, seeds=urls(0), targets="")
    page.locator("#id_targets_file").set_input_files(as_file("targets.csv", f"url\n{urls(60)}"))
    page.get_by_role("button", name="Save the topic").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Bread")
    # Nothing is clicked from here on: the page follows the background by itself.
    expect(page.get_by_text("Terms that decide")).to_be_visible()
    expect(page.locator("#topic-examples .state.is-ok")).to_have_count(10)
    expect(page.locator("[data-working]")).to_have_count(0)
    assert page.locator("#topic-examples").get_by_text("0.", exact=False).count() >= 10
    page.get_by_role("button", name="Check them").click()
    expect(page.locator("#topic-targets .state.is-ok")).to_have_text("reachable")
    build_and_choose_a_background(page, web)


def build_and_choose_a_background(page: Page, web: str) -> None:
    """On a topic's page: out to the backgrounds and back to choose the one that was built."""
    topic = page.url
    page.get_by_role("link", name="Build a background").click()
    page.get_by_role("link", name="Sample of a recorded web").click()
    page.get_by_label("Web", exact=True).select_option(label=web)
    page.get_by_label("Name", exact=True).fill("Common words")
    page.get_by_role("button", name="Build it").click()
    row = page.get_by_role("row", name="Common words")
    expect(row.locator(".state")).to_contain_text("ready")
    page.goto(topic)
    page.get_by_role("radio", name="Common words").check()
    page.get_by_role("button", name="Use the chosen one").click()
    expect(page.get_by_text("Classifier, with and without the background")).to_be_visible()
    expect(page.locator(".gain-words")).to_contain_text("Common words")
    expect(page.get_by_role("radio", name="Common words")).to_be_checked()


def as_file(name: str, text: str) -> FilePayload:
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def test_a_name_that_is_taken_is_refused_before_the_file_is_sent(analyst: Any, topic: int) -> None:
    page, base_url = analyst
    page.goto(base_url + "/webs/")
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request))
    page.locator("#id_file").set_input_files(as_file("long.jsonl", "x" * 100_000))
    page.get_by_role("button", name="Upload", exact=True).click()
    refused = page.locator(".field-name .error")
    expect(refused).to_have_text("There is a web long already: choose another name.")
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    expect(page.locator("[data-drop-words]")).to_contain_text("long.jsonl")
    assert sent and not any(request.is_navigation_request() for request in sent)
    page.get_by_label("Name", exact=True).fill("longer")
    page.get_by_role("button", name="Upload", exact=True).click()
    page.get_by_role("button", name="Dismiss: longer").click()
    expect(page.locator("#uploads")).not_to_contain_text("longer")


def test_a_file_that_is_too_large_is_refused_before_it_is_sent(
    analyst: Any, tmp_path: Path
) -> None:
    page, base_url = analyst
    page.goto(base_url + "/webs/")
    large = tmp_path / "large.jsonl"
    with large.open("wb") as file:
        file.truncate(MOST_BYTES + 1)  # it takes no room on the disk
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request))
    page.locator("#id_file").set_input_files(large)
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.locator(".field-file .error")).to_contain_text("larger than 4 GB")
    assert sent and not any(request.is_navigation_request() for request in sent)


def test_a_file_is_sent_where_its_name_cannot_be_checked(analyst: Any) -> None:
    page, base_url = analyst
    page.goto(base_url + "/webs/")
    page.route("**/uploads/web/check/", lambda route: route.fulfill(body="<p>Sign in"))
    page.locator("#id_file").set_input_files(as_file("later.jsonl", "x"))
    page.get_by_role("button", name="Upload", exact=True).click()
    page.get_by_role("button", name="Dismiss: later").click()
    expect(page.locator("#uploads")).not_to_contain_text("later")


def test_webs_and_directories_are_uploaded_and_appear(analyst: Any) -> None:
    page, base_url = analyst
    line = json.dumps({"url": "http://up.test/", "html": "<p>Rye", "topics": ["bread"]})
    for address, name, kind, good, bad in (
        ("/webs/", "loaded", "jsonl", line, f"{line}\n{{"),
        ("/topics/directories/", "glass", "csv", "http://up.test/,Arts/Glass", "http://up.test/\n"),
    ):
        page.goto(base_url + address)
        for text, called in ((good, name), (bad, "broken")):
            page.locator("#id_file").set_input_files(as_file(f"{called}.{kind}", text))
            with page.expect_navigation():
                page.get_by_role("button", name="Upload", exact=True).click()
        expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()
        refused = page.locator("#uploads .upload-words .is-bad")
        expect(refused).to_contain_text("Line 2" if name == "loaded" else "has no topics")
        assert Axe().run(page).response["violations"] == []
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        page.get_by_role("button", name="Dismiss: broken").click()
        expect(page.locator("#id_file")).to_be_visible()
        expect(refused).to_have_count(0)
        page.set_viewport_size({"width": 1280, "height": 720})


CONTACTS = """Contacts;2026;;
Nr;Office;Website;Remark
1;Lindau;https://lindau.example/rathaus;Rathaus, 2 copies
2;Neuwied;neuwied.example/bau;
3;Ostalb;www,ostalb.example;Komma?
4;Leeds;https://leeds.example/heat?utm_source=mail;
5;Ulm;siehe Anlage;
6;Leeds;https://LEEDS.example/heat;twice
"""


def test_a_file_is_shown_before_anything_of_it_is_taken(analyst: Any) -> None:
    page, base_url = analyst
    page.goto(base_url + "/topics/new/all/")
    page.locator("#id_seeds").fill("https://first.example/")
    file = as_file("contacts.csv", CONTACTS)
    page.locator("#id_seeds_file").set_input_files(file)
    dialog = page.get_by_role("dialog", name="contacts.csv")
    expect(dialog.get_by_role("button", name="Take 3")).to_be_focused()
    expect(dialog.get_by_label("Delimiter")).to_have_value("semicolon")
    expect(dialog.get_by_label("Addresses are in")).to_have_value("3")
    expect(dialog.locator("#list-refused")).to_contain_text("siehe Anlage")
    expect(dialog.locator("#list-duplicates")).to_contain_text("as line 6")
    dialog.get_by_role("button", name="Use a dot").click()
    expect(dialog.get_by_role("button", name="Take 4")).to_be_visible()
    dialog.get_by_label("Delimiter").select_option("comma")
    expect(dialog.get_by_label("Delimiter")).to_have_value("comma")
    dialog.get_by_label("Delimiter").select_option("semicolon")
    dialog.get_by_role("radio", name="positive examples").check()
    expect(dialog.get_by_role("radio", name="positive examples")).to_be_checked()
    expect(page.locator("#id_seeds")).to_have_value("https://first.example/")
    dialog.get_by_role("button", name="Take 4").click()
    expect(page.locator("#id_positives")).to_have_value(
        "https://lindau.example/rathaus\nhttps://neuwied.example/bau\n"
        "https://www.ostalb.example\nhttps://leeds.example/heat?utm_source=mail"
    )
    taken = page.locator("[data-list-taken=seeds]")
    expect(taken).to_contain_text("4 addresses of contacts.csv taken, 1 left out.")
    taken.get_by_role("button", name="Undo").click()
    expect(page.locator("#id_positives")).to_have_value("")

    page.locator("#id_seeds_file").set_input_files(
        as_file("clean.txt", "https://second.example/\n")
    )
    expect(page.locator("#id_seeds")).to_have_value(
        "https://first.example/\nhttps://second.example/"
    )
    page.locator("#id_seeds_file").set_input_files(as_file("photo.jpg", "\0\1"))
    expect(page.locator(".field-seeds [data-failure]")).to_contain_text("It is not text")
