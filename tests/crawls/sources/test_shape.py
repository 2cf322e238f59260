"""How the requests of a crawl look."""

from __future__ import annotations

import pytest
from django.conf import settings

from apps.crawls.schemas import PolitenessRules
from apps.crawls.sources.shape import accept_language, asking_of, user_agent
from apps.engine.networking.politeness import Politeness
from apps.schemas.refused import Refused


@pytest.mark.parametrize(
    ("languages", "header"),
    [("en", "en, *;q=0.5"), ("pt-BR", "pt-BR, *;q=0.5"), ("en de", "en, de;q=0.9, *;q=0.5")],
)
def test_pages_are_asked_for_in_the_languages_of_the_topic(languages, header):
    assert accept_language(languages) == header
    asking = asking_of(Politeness(), languages)
    assert asking.headers == (("Accept-Language", header),)
    assert asking_of(Politeness(), "").headers == ()


def test_a_crawl_names_its_own_contact_headers_and_redirects():
    headers = ("X-Project: Owls", "accept-language: fr")
    politeness = Politeness(contact="owls@example.org", headers=headers, redirects=20)
    asking = asking_of(politeness, "en")
    assert asking.user_agent.startswith("crawlsite/")
    assert asking.user_agent.endswith(" (+owls@example.org)")
    assert asking.headers == (("X-Project", "Owls"), ("accept-language", "fr"))
    assert asking.max_redirects == 20
    assert user_agent("") == settings.USER_AGENT


@pytest.mark.parametrize(
    "rules",
    [
        {"headers": ["Cookie: a=b"]},
        {"headers": ["authorization: Basic x"]},
        {"headers": ["X-A: one\r\nX-B: two"]},
        {"headers": ["no colon"]},
        {"headers": [f"X-{i}: a" for i in range(11)]},
        {"headers": ["X-A: " + 600 * "a"]},
        {"contact": "a\nb"},
        {"contact": "me) Mozilla ("},
        {"redirects": 21},
        {"hosts_per_domain": 0},
    ],
)
def test_what_no_host_should_get_is_refused(rules):
    with pytest.raises(Refused):
        PolitenessRules.read(rules)
    assert PolitenessRules.read({"headers": ["X-A: one"], "contact": "https://a.test/bot"})
