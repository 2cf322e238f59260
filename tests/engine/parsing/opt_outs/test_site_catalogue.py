"""Each form of opt-out in a file of a site as it is served."""

from __future__ import annotations

import pytest

from apps.engine.answers import Answer
from apps.engine.events import SiteSign
from apps.engine.parsing.opt_outs.site_catalogue import MOST_SIGNS, SITE_FORMS, read_site_file

SITE = "http://site.test"
ROBOTS, TDM, AI = "/robots.txt", "/.well-known/tdmrep.json", "/ai.txt"


def signs(path: str, text: str, status: int = 200) -> tuple[SiteSign, ...]:
    url = SITE + path
    record = read_site_file(SITE, path, Answer(url, url, status, body=text.encode()))
    assert (record.origin, record.path, record.status) == (SITE, path, status)
    return record.signs


@pytest.mark.parametrize(
    ("path", "text", "sign"),
    [
        pytest.param(
            ROBOTS,
            "User-agent: *\nDisallow: /x\n\nUser-Agent: GPTBot\nUser-agent: CCBot\nDisallow: /",
            ("ai_agents", "User-agent: GPTBot, CCBot; Disallow: /", True, "Disallow: /"),
            id="agents",
        ),
        pytest.param(
            ROBOTS,
            "User-agent: ClaudeBot\nDisallow:",
            ("ai_agents", "User-agent: ClaudeBot; Disallow:", False, "Disallow: "),
            id="agents_that_may",
        ),
        pytest.param(
            ROBOTS,
            "User-Agent: *\nContent-Signal: search=yes,ai-train=no\nAllow: /",
            ("content_signal", "Content-Signal: search=yes,ai-train=no", True, "Disallow: /"),
            id="signal",
        ),
        pytest.param(
            ROBOTS,
            "User-agent: otherbot\nContent-Signal: ai-train=no",
            ("content_signal", "Content-Signal: ai-train=no (for otherbot)", False, "Disallow: /"),
            id="signal_for_another",
        ),
        pytest.param(
            ROBOTS,
            "User-agent: *\nContent-Usage: /art train-ai=n",
            ("content_usage", "Content-Usage: /art train-ai=n", True, "Disallow: /art"),
            id="usage_of_a_path",
        ),
        pytest.param(
            ROBOTS,
            "License: https://site.test/license.xml\nUser-agent: *\nAllow: /",
            ("rsl", "License: https://site.test/license.xml", True, "Disallow: /"),
            id="licence",
        ),
        pytest.param(
            TDM,
            '[{"location": "/*", "tdm-reservation": 1, "tdm-policy": "https://site.test/p"}]',
            (
                "tdmrep",
                "/*: tdm-reservation: 1, tdm-policy: https://site.test/p",
                True,
                "Disallow: /*",
            ),
            id="tdmrep",
        ),
        pytest.param(
            AI,
            "# Spawning\nUser-Agent: *\nDisallow: *.jpg\nAllow: *.html\n",
            (
                "ai_txt",
                "Disallow: *.jpg; Allow: *.html",
                True,
                "Disallow: *.jpg\nAllow: *.html",
            ),
            id="ai_txt",
        ),
    ],
)
def test_each_form_is_read_as_written(path, text, sign) -> None:
    form, says, reserves, rules = sign
    assert signs(path, text) == (SiteSign(form, path, says, reserves, rules),)


@pytest.mark.parametrize(
    ("path", "text", "status"),
    [
        pytest.param(ROBOTS, "User-agent: *\nDisallow: /private", 200, id="ordinary_rules"),
        pytest.param(ROBOTS, "User-agent: GPTBot\nDisallow: /", 404, id="not_there"),
        pytest.param(TDM, "<html>not found</html>", 200, id="a_page_for_tdmrep"),
        pytest.param(TDM, "[" * 100_000, 200, id="deep_json"),
        pytest.param(TDM, '[1, {"location": "/"}]', 200, id="other_json"),
        pytest.param(AI, "<html>\nDisallow: /\n", 200, id="a_page_for_ai_txt"),
        pytest.param(AI, "", 200, id="empty"),
    ],
)
def test_other_answers_have_no_signs(path, text, status) -> None:
    assert signs(path, text, status) == ()


def test_a_file_full_of_signs_has_fifty() -> None:
    assert len(signs(ROBOTS, "\n".join(f"License: /{i}" for i in range(99)))) == MOST_SIGNS


def test_every_form_is_distinguished() -> None:
    assert len({(form.id, form.path) for form in SITE_FORMS}) == len(SITE_FORMS)
