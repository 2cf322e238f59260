"""Webs made by chance."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from apps.engine.answers import Answer
from apps.engine.parsing.document import parse
from apps.research.effectiveness.made_web import MAKES, MadeWeb


def pages(make: str, seed: int = 1) -> list[dict]:
    small = replace(MAKES[make], pages=300)
    return [json.loads(line) for line in MadeWeb(small, seed).lines()]


def hosts(pages: list[dict]) -> set[str]:
    return {page["url"].split("/")[2] for page in pages}


@pytest.mark.parametrize("make", MAKES)
def test_pages_link_to_others_of_the_web_and_most_to_their_like(make: str):
    listed = pages(make)
    labels = {page["url"]: page["topics"] for page in listed}
    assert len(labels) == 300
    alike = every = 0
    for page in listed:
        body = page["html"].encode()
        kind = (("Content-Type", "text/html"),)
        document = parse(Answer(page["url"], page["url"], 200, kind, body))
        assert set(document.links.urls) <= set(labels)
        alike += sum(labels[url] == page["topics"] for url in document.links.urls)
        every += len(document.links.urls)
    subjects = len({label for page in listed for label in page["topics"]})
    assert subjects > 20 and alike / every > 2 / subjects


def test_a_seed_makes_the_same_web_and_another_one_another():
    assert pages("notices") == pages("notices")
    assert pages("notices")[0] != pages("notices", 2)[0]


def test_hosts_are_one_or_many_by_make():
    assert len(hosts(pages("encyclopaedia"))) == 1
    assert len(hosts(pages("many-hosts"))) > 25
