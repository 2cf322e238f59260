"""Log-in pages and parked domains: one text under ever new values of one parameter."""

from __future__ import annotations

import json

from apps.engine.frontier.redirect_texts import RedirectTexts


def learned(
    pages: int, words: str = "please log in", path: str = "/login?next=/item/"
) -> RedirectTexts:
    texts = RedirectTexts()
    for i in range(pages):
        url = f"http://a.test/login?next=/item/{i}&lang=en"
        texts.learn(url, ["please", "log", "in", "item", str(i)])
    return texts


def test_five_redirects_to_one_text_are_enough():
    assert not learned(4).is_known("http://a.test/login?next=/item/9&lang=en")
    assert learned(5).is_known("http://a.test/login?next=/item/9&lang=en")


def test_another_page_another_language_and_other_hosts_are_not_known():
    texts = learned(9)
    for url in ("/login?next=/item/9&lang=de", "/help?next=/item/9&lang=en", "/login"):
        assert not texts.is_known(f"http://a.test{url}")
    assert not texts.is_known("http://b.test/login?next=/item/9&lang=en")


def test_one_other_text_shows_that_the_parameter_matters():
    texts = learned(5)
    texts.learn("http://a.test/login?next=/item/77&lang=en", ["a", "story"])
    for i in range(9):
        texts.learn(f"http://a.test/login?next=/item/{i}&lang=en", ["please", "log", "in"])
    assert not texts.is_known("http://a.test/login?next=/item/9&lang=en")


def test_its_state_goes_on():
    texts, again = learned(5), RedirectTexts()
    again.restore(json.loads(json.dumps(texts.state())))
    assert again.is_known("http://a.test/login?next=/item/9&lang=en")
