"""cfpb/crawl-cfgov#15, frab/frab#118, scrapy/scrapy#2074: web pages whose address ends like a
file."""

from __future__ import annotations

import json

import pytest

from apps.engine.frontier.file_endings import FileEndings

H = "http://a.test"


@pytest.mark.parametrize(
    "address",
    ["/wiki/File:Sparrow%d.jpg", "/questions/tagged/node%d.js", "/package/chart%d.js"],
)
def test_three_addresses_that_look_like_pages_are_tried(address):
    endings = FileEndings()
    assert [endings.tries(H + address % i, "a.test") for i in range(5)] == [True] * 3 + [False] * 2


def test_all_are_requested_once_one_was_a_page():
    endings = FileEndings()
    assert endings.tries(f"{H}/wiki/File:A.jpg", "a.test")
    assert endings.learn(f"{H}/wiki/File:A.jpg", "a.test")
    assert not endings.learn(f"{H}/wiki/File:B.jpg", "a.test")
    assert all(endings.tries(f"{H}/wiki/File:{i}.jpg", "a.test") for i in range(9))
    assert not endings.are_pages(f"{H}/images/a.jpg", "a.test")
    assert not endings.are_pages(f"{H}/wiki/File:A.jpg", "b.test")


def test_a_gallery_costs_two_requests_whatever_its_folders():
    endings = FileEndings()
    album = [f"{H}/album{i}/{i}.{ending}" for i in range(50) for ending in ("jpg", "pdf")]
    assert sum(endings.tries(url, "a.test") for url in album) == 2
    assert endings.tries("http://b.test/1.jpg", "b.test")


def test_what_was_learned_is_in_the_state():
    endings, again = FileEndings(), FileEndings()
    for url in (f"{H}/wiki/File:A.jpg", f"{H}/wiki/B.js", f"{H}/1.pdf"):
        endings.tries(url, "a.test")
    endings.learn(f"{H}/wiki/B.js", "a.test")
    again.restore(json.loads(json.dumps(endings.state())))
    assert again.state() == endings.state()
    assert again.are_pages(f"{H}/wiki/C.js", "a.test")
