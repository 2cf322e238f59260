"""Every form of every screen: what is typed stays in each way in which a form fails to arrive, and
a button pressed twice sends once. Nothing of it arrives: each POST is answered here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from lxml import html
from playwright.sync_api import BrowserContext, Page, Request, Route
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.screens_of_site import read_screens

TYPED = "https://kelp.example/north"
OTHER = "https://dunes.example/southern"
# What scripts ask while one types changes nothing.
ASKED_WHILE_TYPING = re.compile("/(check|understand|preview|estimate)[^/]*/$")
WAIT = 30_000
# Each of a page's forms has a number; hidden ones are filled as if their panel were open.
FORMS = """
const TEXT = ['text', 'url', 'number', 'email', 'tel'];
const isText = (field) => !field.readOnly && !field.disabled && !field.hidden
  && (field.matches('textarea') || (field.matches('input') && TEXT.includes(field.type)));
const isPost = (form) => form.getAttribute('method')?.toLowerCase() === 'post';
window.forms = [...document.querySelectorAll('form')].filter(isPost);
const named = (form) => [...form.elements].filter((field) => isText(field) && field.name);
// Fields whose text is in no form; what is typed into these three is kept by scripts.
window.loose = () => [...document.querySelectorAll('input, textarea')]
  .filter((field) => isText(field) && !(field.form && field.name)
    && !field.matches('.chip-field *, [data-write], [data-rather]'))
  .map((field) => field.outerHTML);
window.withText = () => forms.flatMap((form, at) =>
  named(form).length && !form.querySelector('[type=password]') ? [at] : []);
window.type = (at, words) => named(forms[at]).forEach((field) => {
  const isNumber = field.type === 'number' || field.inputMode === 'numeric';
  if (isNumber) field.value = String(Number(field.value || field.min || 0) + words.length);
  else field.value = field.matches('textarea') ? `${words}\\n${words}er` : words;
  for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, { bubbles: true }));
});
window.values = (at) => JSON.stringify(named(forms[at]).map((field) => field.value));
const NO_SAVING = '[type=button], [hidden], :disabled, .visually-hidden, [data-browse], '
  + '[data-stays]';
const buttons = (form) => [...form.elements].filter((each) =>
  each.matches('button') && !each.matches(NO_SAVING));
window.isPressable = (at) => buttons(forms[at]).length > 0;
window.press = (at) => {
  const all = buttons(forms[at]);
  forms[at].noValidate = true;
  forms[at].requestSubmit(all.find((each) => each.matches('.primary')) ?? all.at(-1));
};
window.tokens = () => forms.map((form) => form.elements.csrfmiddlewaretoken?.value);
window.takeUp = () => {
  for (let offer; (offer = document.querySelector('[data-draft] button'));) offer.click();
};
window.drafts = () =>
  Object.values(localStorage).filter((draft) => draft.includes('"fields"')).length;
window.clearFailures = () => {
  for (const note of document.querySelectorAll('[data-failure]')) note.remove();
};
"""


@dataclass
class Sent:
    """What the screens have sent, with a token of now or an old one."""

    posts: list[str] = field(default_factory=list)
    old: list[str] = field(default_factory=list)
    is_stopped: bool = False

    def answer(self, route: Route) -> None:
        """Answers a POST without leaving the page; as Django where its token is old."""
        request = route.request
        if (
            not self.is_stopped
            or request.method != "POST"
            or ASKED_WHILE_TYPING.search(request.url)
        ):
            route.fallback()
        elif self.has_old_token(request):
            route.fulfill(status=403)
        else:
            self.posts.append(request.url)
            route.fulfill(status=204)

    def has_old_token(self, request: Request) -> bool:
        if "x-csrftoken" in request.headers:
            return not request.headers["x-csrftoken"]
        return any(token in (request.post_data or "") for token in self.old)


def signatures(text: str) -> Iterator[str]:
    """What tells the forms of a screen with text from those of others; numbers do not."""
    for form in html.fromstring(text).iterfind(".//form[@method='post']"):
        fields = form.xpath(".//textarea/@name | .//input[not(@type='hidden')]/@name")
        action = (form.get("action") or "").split("/")[1:2]
        if fields:
            yield f"{action} {form.get('id')} {sorted(set(fields))} {form.xpath('.//@value')[:1]}"


def screens_with_forms(texts: Mapping[str, str]) -> list[str]:
    """The address of a screen for each form with text."""
    seen: set[str] = set()
    chosen = []
    for address, text in texts.items():
        new = set(signatures(re.sub(r"\d+", "", text))) - seen
        seen |= new
        if new:
            chosen.append(address)
    return chosen


class FormsOfScreen:
    """The forms of one screen in a browser, and what was lost of what was typed."""

    def __init__(self, context: BrowserContext, address: str, sent: Sent) -> None:
        self.context, self.address, self.sent = context, address, sent
        self.page = self.open()
        self.lost = [f"kept nowhere: {field[:200]}" for field in self.page.evaluate("loose()")]
        self.forms: list[int] = self.page.evaluate("withText()")
        self.pressable = [at for at in self.forms if self.page.evaluate(f"isPressable({at})")]
        self.typed: dict[int, str] = {}

    def open(self) -> Page:
        page = self.context.new_page()
        page.route("**", self.sent.answer)
        page.goto(self.address)
        self.prepare(page)
        return page

    def prepare(self, page: Page) -> None:
        page.evaluate(f"() => {{{FORMS}}}")

    def type_all(self, page: Page, words: str) -> dict[int, str]:
        """Types into every form, waits for the drafts, and returns what stands there then."""
        before = page.evaluate("drafts()")
        for at in self.forms:
            page.evaluate(f"type({at}, '{words}')")
        try:
            page.wait_for_function(f"() => drafts() - {before} === {len(self.forms)}", timeout=WAIT)
        except PlaywrightTimeout:
            self.lost.append(f"{len(self.forms)} forms, {page.evaluate('drafts()')} drafts")
        return {at: page.evaluate(f"values({at})") for at in self.forms}

    def expect_all(self, page: Page, when: str) -> None:
        for at, values in self.typed.items():
            self.wait(page, f"values({at}) === {values!r}", f"form {at} {when}")

    def wait(self, page: Page, state: str, what: str) -> None:
        try:
            page.wait_for_function(f"() => {state}", timeout=WAIT)
        except PlaywrightTimeout:
            self.lost.append(what)

    def press_each(self, kind: str) -> None:
        for at in self.pressable:
            self.page.evaluate(
                "document.querySelectorAll('[data-failure]').forEach((e) => e.remove())"
            )
            self.page.evaluate(f"press({at})")
            shown = f"document.querySelector('[data-failure={kind}]') !== null"
            self.wait(self.page, shown, f"form {at} says nothing: {kind}")
        self.expect_all(self.page, kind)

    def signed_out(self) -> None:
        cookies = self.context.cookies()
        self.context.clear_cookies(name="sessionid")
        self.press_each("signed-out")
        self.context.add_cookies(cookies)

    def offline(self) -> None:
        self.context.set_offline(True)
        self.press_each("unreachable")
        self.context.set_offline(False)

    def old_token(self) -> None:
        """A token that is gone is renewed; what is pressed twice is sent once."""
        self.sent.is_stopped = True
        self.sent.old = [token for token in self.page.evaluate("tokens()") if token]
        self.context.clear_cookies(name="csrftoken")
        for at in self.pressable:
            self.sent.posts.clear()
            self.page.evaluate(f"press({at}); press({at})")
            for _ in range(100):
                # What else was to be sent is sent by the time of this answer.
                self.page.evaluate("fetch('/session/').then((answer) => answer.text())")
                if self.sent.posts:
                    break
            if len(self.sent.posts) != 1:
                self.lost.append(f"form {at} pressed twice sent {self.sent.posts}")
        self.sent.is_stopped = False
        self.expect_all(self.page, "with an old token")

    def back(self) -> None:
        self.page.goto("about:blank")
        self.page.go_back()
        self.prepare(self.page)
        self.page.evaluate("takeUp()")
        self.expect_all(self.page, "on the way back")

    def crash(self) -> None:
        self.page.close(run_before_unload=False)
        self.page = self.open()
        self.page.evaluate("takeUp()")
        self.expect_all(self.page, "after a crash")

    def two_tabs(self) -> None:
        """What is typed in another tab does not take the place of a draft."""
        other = self.open()
        self.type_all(other, OTHER)
        other.close()
        self.expect_all(self.page, "beside another tab")

    def try_all(self) -> list[str]:
        if self.forms:
            self.typed = self.type_all(self.page, TYPED)
            for way in (self.signed_out, self.offline, self.old_token, self.back, self.crash):
                way()
            self.two_tabs()
        self.page.evaluate("localStorage.clear()")
        self.page.close()
        return self.lost


class Unheard(list[str]):
    """What a browser logs while it is offline, or refused as here, is no complaint."""

    def append(self, complaint: str) -> None:
        if "ERR_INTERNET_DISCONNECTED" not in complaint:
            super().append(complaint)


@pytest.mark.usefixtures("labelled")
def test_every_form_keeps_what_was_typed_and_is_sent_once(
    new_page: Callable[..., Page], signed_in: Any, watch: Any, numbers: Mapping[str, object]
) -> None:
    watch.expect(403)
    watch.complaints = Unheard()
    context = new_page(storage_state=signed_in).context
    chosen = screens_with_forms(read_screens(context.pages[0], numbers))
    assert len(chosen) > 15
    sent = Sent()
    lost = {at: FormsOfScreen(context, at, sent).try_all() for at in chosen}
    assert {at: what for at, what in lost.items() if what} == {}
