"""What was typed stays: signed out, with an old token, offline, after a crash, in two tabs, on the
way back."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import end_session, sign_in_again
from tests.running_site import RunningSite

TYPED = "Kelp of the north"


def type_a_topic(page: Page, name: str = TYPED) -> None:
    page.goto("/topics/new/all/")
    page.locator("#id_name").fill(name)
    page.locator("#id_keywords").fill("kelp")
    page.locator("#id_seeds").fill("https://a.example/")
    page.locator("#id_positives").fill("https://b.example/\nhttps://c.example/")


def save(page: Page) -> None:
    page.get_by_role("button", name="Save the topic").click()


def expect_draft_taken_up(page: Page) -> None:
    page.goto("/topics/new/all/")
    page.get_by_role("button", name="Go on with it").click()
    expect(page.locator("#id_name")).to_have_value(TYPED)
    expect(page.locator("#id_seeds")).to_have_value("https://a.example/")


def test_signed_out_is_shown_at_the_form_and_the_draft_waits(
    person: Page, site: RunningSite
) -> None:
    type_a_topic(person)
    end_session(person)
    save(person)
    note = person.locator("form [data-failure=signed-out]")
    expect(note).to_contain_text("You are signed out.")
    expect(note).to_contain_text("What you typed is kept in this browser.")
    expect(person.locator("#id_name")).to_have_value(TYPED)
    note.get_by_role("link", name="Sign in").click()
    expect(person).to_have_url(re.compile(r"/sign-in/\?next=%2Ftopics%2Fnew%2Fall%2F$"))
    sign_in_again(person, site)
    expect_draft_taken_up(person)
    person.get_by_role("button", name="Save the topic").click()
    expect(person.get_by_role("heading", level=1)).to_have_text(TYPED)
    person.goto("/topics/new/all/")
    expect(person.locator("#id_name")).to_have_value("")
    expect(person.locator("[data-draft]")).to_have_count(0)


def test_a_token_that_is_gone_is_renewed(person: Page) -> None:
    type_a_topic(person, "Kelp with a token")
    person.context.clear_cookies(name="csrftoken")
    save(person)
    expect(person.get_by_role("heading", level=1)).to_have_text("Kelp with a token")


def test_a_save_that_the_site_refuses_keeps_the_draft(person: Page, watch: Any) -> None:
    """As by a proxy, or by a site that is being restarted: the answer is no success."""
    watch.expect(403)
    type_a_topic(person)
    person.route(
        re.compile("/topics/new/all/$"),
        lambda route: (
            route.fulfill(status=403, body="no")
            if route.request.method == "POST"
            else route.fallback()
        ),
    )
    save(person)
    expect(person.locator("body")).to_have_text("no")
    person.unroute_all()
    expect_draft_taken_up(person)


def test_offline_the_form_stays_and_is_sent_later(person: Page, watch: Any) -> None:
    watch.complaints = Ignored("ERR_INTERNET_DISCONNECTED")
    type_a_topic(person, "Kelp offline")
    person.context.set_offline(True)
    save(person)
    note = person.locator("form [data-failure=unreachable]")
    expect(note).to_contain_text("This browser is offline.")
    expect(note).to_contain_text("Try again.")
    person.context.set_offline(False)
    save(person)
    expect(person.get_by_role("heading", level=1)).to_have_text("Kelp offline")


class Ignored(list[str]):
    """Complaints but those with these words."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words

    def append(self, complaint: str) -> None:
        if self.words not in complaint:
            super().append(complaint)


def test_a_crash_of_the_browser_loses_half_a_second(person: Page) -> None:
    type_a_topic(person)
    expect(person.locator("[data-draft-kept]")).to_contain_text("Draft kept")
    person.wait_for_function(f"Object.values(localStorage).some(d => d.includes('{TYPED}'))")
    other = person.context.new_page()
    person.close(run_before_unload=False)
    expect_draft_taken_up(other)


def test_back_from_another_page_shows_what_was_typed_or_its_draft(person: Page) -> None:
    type_a_topic(person)
    person.get_by_role("navigation").get_by_role("link", name="Help").click()
    person.wait_for_url("**/help/")
    person.go_back()
    name = person.locator("#id_name")
    offer = person.get_by_role("button", name="Go on with it")
    expect(offer.or_(person.locator(f"#id_name[value='{TYPED}']")).or_(name).first).to_be_visible()
    if name.input_value() != TYPED:
        offer.click()
    expect(name).to_have_value(TYPED)


@pytest.fixture
def own_topic(site: RunningSite) -> int:
    """A topic that no other test changes; its number."""
    script = (
        "import uuid\n"
        "from django.contrib.auth import get_user_model\n"
        "from apps.topics.definition.schemas import Definition\n"
        "from apps.topics.services import create_topic\n"
        "owner = get_user_model().objects.order_by('pk').first()\n"
        "made = create_topic(owner, Definition(name=f'Dunes {uuid.uuid4().hex[:6]}',"
        " lists={'seeds': 'https://a.example/', 'positives': 'https://b.example/\\nhttps://c.example/'}))\n"
        "print(made.topic.pk)"
    )
    return int(site.python(script))


def test_of_two_tabs_neither_loses_anything(person: Page, own_topic: int, watch: Any) -> None:
    watch.expect(409)
    other = person.context.new_page()
    for page in (person, other):
        page.goto(f"/topics/{own_topic}/edit/")
    person.locator("#id_seeds").fill("https://a.example/\nhttps://new.example/")
    save(person)
    expect(person).to_have_url(re.compile(r"/topics/\d+/$"))
    other.locator("#id_description").fill("Of the north")
    save(other)
    notice = other.locator("[data-edit-conflict]")
    expect(notice).to_contain_text("This topic was changed in another tab")
    expect(notice).to_contain_text("There 1 seed was added; here the description was changed.")
    expect(other.locator("#id_description")).to_have_value("Of the north")
    notice.get_by_role("button", name="Take both").click()
    expect(other).to_have_url(re.compile(r"/topics/\d+/$"))
    other.goto(f"/topics/{own_topic}/edit/")
    expect(other.locator("#id_description")).to_have_value("Of the north")
    expect(other.locator("#id_seeds")).to_have_value("https://a.example/\nhttps://new.example/")
