"""Each form of opt-out on a page as it is served."""

from __future__ import annotations

import pytest

from apps.engine.parsing.opt_outs.catalogue import FORMS
from apps.engine.parsing.opt_outs.form import OptOutSign
from apps.engine.parsing.opt_outs.reading import MOST_SIGNS, read_signs

HTML = ("Content-Type", "text/html")


def signs(page: str = "", *headers: tuple[str, str]) -> tuple[OptOutSign, ...]:
    return read_signs((HTML, *headers), f"<html><head>{page}</head><body>words")


@pytest.mark.parametrize(
    ("page", "headers", "sign"),
    [
        (
            "<meta name=Robots content='index, NoAI'>",
            (),
            ("noai", "page", "robots: index, NoAI", True),
        ),
        ("", (("X-Robots-Tag", "noimageai"),), ("noai", "header", "noimageai", True)),
        (
            "<meta name=tdm-reservation content=1><meta name=tdm-policy content=/policy>",
            (),
            ("tdmrep", "page", "tdm-reservation: 1, tdm-policy: /policy", True),
        ),
        ("", (("tdm-reservation", "0"),), ("tdmrep", "header", "tdm-reservation: 0", False)),
        (
            "",
            (("Content-Signal", "search=yes, ai-train=no"),),
            ("content_signal", "header", "Content-Signal: search=yes, ai-train=no", True),
        ),
        (
            "",
            (("Content-Signal", "ai-train=yes"),),
            ("content_signal", "header", "Content-Signal: ai-train=yes", False),
        ),
        (
            "",
            (("Content-Usage", "train-ai=n"),),
            ("content_usage", "header", "Content-Usage: train-ai=n", True),
        ),
        (
            "<link rel='license' type='application/rsl+xml' href='/l.xml'>",
            (),
            ("rsl", "page", "license: /l.xml", True),
        ),
        (
            "",
            (("Link", '</a>; rel=next, </l.xml>; rel="license"; type="application/rsl+xml"'),),
            ("rsl", "header", "license: /l.xml", True),
        ),
    ],
)
def test_each_form_is_read_as_written(page, headers, sign) -> None:
    assert signs(page, *headers) == (OptOutSign(*sign),)


def test_other_rules_and_licences_are_no_signs() -> None:
    page = "<meta name=robots content='noindex, noairplay'><meta name=description content=noai>"
    page += "<link rel=license href=/cc-by>"
    assert signs(page, ("Link", "</cc-by>; rel=license"), ("X-Robots-Tag", "noarchive")) == ()


def test_a_page_full_of_signs_has_twenty() -> None:
    page = "".join(f"<meta name=tdm-reservation content={i}>" for i in range(99))
    assert len(signs(page)) == MOST_SIGNS


def test_every_form_is_distinguished() -> None:
    assert list(FORMS) == ["noai", "tdmrep", "content_signal", "content_usage", "rsl"]
