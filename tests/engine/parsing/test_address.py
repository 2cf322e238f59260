from __future__ import annotations

import pytest

from apps.engine.parsing.address import address_words


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://h.test/", []),
        ("http://h.test/wiki/Salt_marsh-erosion.html", ["wiki", "salt", "marsh", "erosion"]),
        ("http://h.test/docs/saltMarsh.PHP", ["docs", "salt", "marsh"]),
        (
            "http://h.test/a%20b/%C3%89douard.htm?q=sea+grass&id=12",
            ["a", "b", "édouard", "q", "sea", "grass", "id", "12"],
        ),
        ("http://h.test/index.html.bak", ["index", "html", "bak"]),
        ("http://h.test/show.php?file=dunes.html", ["show", "file", "dunes", "html"]),
        ("http://h.test/salt%0Amarsh%2Ehtml", ["salt", "marsh"]),
        ("http://sea.test/cgi-bin/show.cgi/", ["cgi", "bin", "show"]),
    ],
)
def test_the_words_of_path_and_query_count_and_neither_host_nor_type(url, expected):
    assert address_words([url]) == [expected]


def test_addresses_are_read_together_and_each_has_its_own_words():
    urls = [
        "http://h.test/Salt_marsh.html",
        "http://h.test/",
        "http://h.test/a.b?x=1",
        "http://h.test/c",
    ]
    assert address_words(urls) == [["salt", "marsh"], [], ["a", "b", "x", "1"], ["c"]]
    assert address_words([]) == []
