"""A list of hosts in any form becomes names of decisions."""

from __future__ import annotations

import pytest

from apps.lists.reading import read_list
from apps.topics.definition.host_lists import as_hosts


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a.example\n*.b.example\nc.example/~ann", ["a.example", "*.b.example", "c.example/~ann"]),
        ("https://a.example/x/y?z=1", ["a.example"]),
        ("127.0.0.1:8000\nlocalhost:1/~ann", ["127.0.0.1:8000", "localhost:1/~ann"]),
        ("a.example, b.example", ["a.example", "b.example"]),
        ("see http://a.example/x and http://b.example/", ["a.example", "b.example"]),
        ("Name;Site\nLindau;https://a.example/a\nBonn;*.b.example\n", ["a.example", "*.b.example"]),
    ],
)
def test_each_line_gives_its_hosts(text: str, names: list[str]) -> None:
    assert [entry.url for entry in as_hosts(read_list(text)).entries] == names


def test_what_has_no_host_and_what_comes_twice_is_named_by_its_line() -> None:
    read = as_hosts(
        read_list("a.example\nnot a host\nhttps://a.example/b\n*.c.example\n*.c.example")
    )
    assert [entry.line for entry in read.entries] == [1, 4]
    assert [(each.line, each.text) for each in read.refused] == [(2, "not a host")]
    assert [(each.line, each.url, each.first_line) for each in read.duplicates] == [
        (3, "a.example", 1),
        (5, "*.c.example", 4),
    ]
