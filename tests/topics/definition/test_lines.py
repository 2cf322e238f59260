"""Lists pasted one entry a line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.urls import canonical
from apps.topics.definition.lines import LineFault, host_name, read_counts, read_keywords, read_urls
from apps.topics.definition.reading import read_lists


def test_it_keeps_good_lines_and_explains_why_others_are_not_taken() -> None:
    text = "https://a.test/\r\n\r\n not an address\nHTTPS://A.test\nhttp://b.test/x#part\nmailto:x"
    addresses = read_urls(text)
    assert addresses.urls == ("https://a.test/", "http://b.test/x")
    assert [(e.number, e.text, e.reason, e.line) for e in addresses.errors] == [
        (3, "not an address", LineFault.NOT_A_URL, None),
        (4, "HTTPS://A.test", LineFault.DUPLICATE, 1),
        (6, "mailto:x", LineFault.NOT_A_URL, None),
    ]


def test_it_refuses_an_endless_address() -> None:
    assert read_urls("http://a.test/" + "x" * 3000).errors[0].reason == LineFault.TOO_LONG


@given(
    st.lists(
        st.sampled_from(
            [
                "http://a.test/1",
                "http://a.test/2",
                "",
                "  ",
                "nothing",
                "http://A.test:80/1",
                "//x",
                "ü",
            ]
        )
    )
)
def test_every_line_that_holds_something_is_taken_or_explained(lines: list[str]) -> None:
    addresses = read_urls("\n".join(lines))
    held = [line for line in lines if line.strip()]
    assert len(addresses.urls) + len(addresses.errors) == len(held)
    assert all(canonical(url) == url for url in addresses.urls)
    assert [lines[e.number - 1].strip() for e in addresses.errors] == [
        e.text for e in addresses.errors
    ]


def test_it_reads_counts_with_or_without_a_heading() -> None:
    counts = read_counts("url,inlinks\nhttp://a.test/x,12\nhttp://b.test,3\nhttp://c.test/,many")
    assert counts.counts == {"http://a.test/x": 12, "http://b.test/": 3}
    assert [(e.number, e.reason) for e in counts.errors] == [(4, LineFault.NO_COUNT)]


def test_a_first_line_with_an_address_is_no_heading() -> None:
    assert read_counts("http://a.test/,none").errors[0].reason == LineFault.NO_COUNT


def test_a_count_that_no_database_holds_is_none() -> None:
    assert read_counts(f"http://a.test/,{2**31}").errors[0].reason == LineFault.NO_COUNT


def test_it_reads_keywords_with_commas_or_line_ends() -> None:
    assert read_keywords("rye  bread, oven\noven,, crust ") == ("rye bread", "oven", "crust")


def test_lists_exclude_one_another() -> None:
    lists = read_lists(
        {
            "seeds": "http://a.test/seed\nhttp://a.test/positive",
            "positives": "http://a.test/positive",
            "negatives": "http://a.test/negative\nhttp://a.test/positive",
            "evaluation_positives": "http://a.test/judge\nhttp://a.test/negative",
            "evaluation_negatives": "http://a.test/judge",
            "targets": "http://a.test/seed\nhttp://a.test/judge\nhttp://a.test/negative\n"
            "http://a.test/moved",
        },
        reached={"http://a.test/moved": "http://a.test/positive"},
    )
    assert lists.seeds.urls == ("http://a.test/seed", "http://a.test/positive")
    assert lists.targets.urls == ("http://a.test/judge",)
    assert {name: [str(e.reason) for e in errors] for name, errors in lists.errors().items()} == {
        "negatives": ["positive"],
        "evaluation_positives": ["negative"],
        "evaluation_negatives": ["evaluation"],
        "targets": ["seed", "negative", "positive"],
    }


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://127.0.0.1/", LineFault.PRIVATE_ADDRESS),
        ("http://2130706433/", LineFault.PRIVATE_ADDRESS),
        ("http://[::1]/", LineFault.PRIVATE_ADDRESS),
        ("http://wiki.internal/", LineFault.PRIVATE_NAME),
        ("http://intranet/", LineFault.PRIVATE_NAME),
        ("http://a.test:0/", LineFault.PORT_ZERO),
        (f"http://{'x' * 64}.org/", LineFault.LONG_NAME),
    ],
)
def test_an_address_where_no_crawl_may_go_is_refused_at_its_line(url, reason):
    addresses = read_urls(f"http://a.test/\n{url}")
    assert addresses.urls == ("http://a.test/",)
    assert [(error.number, error.reason) for error in addresses.errors] == [(2, reason)]


def test_a_private_address_is_taken_where_an_administrator_allows_it(settings):
    settings.ALLOWED_ADDRESSES = ["127.0.0.0/8"]
    assert read_urls("http://127.0.0.1/x").urls == ("http://127.0.0.1/x",)


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("Example.ORG", "example.org"),
        ("http://a.test:8080/x", "a.test"),
        ("a.test.", "a.test"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("", None),
        ("a b", None),
        ("a/b", None),
        ("javascript:alert(1)", None),
        ("-a.test", None),
        ("x" * 300, None),
        ("ftp://a.test/", None),
    ],
)
def test_host_names_are_read_from_names_and_urls(text: str, host: str | None) -> None:
    assert host_name(text) == host


def test_a_bare_domain_gets_https_and_other_words_do_not() -> None:
    lines = read_urls("heatpumps-public.eu\nreef.example/page?x=1\ntbd\nnotes.txt\n3.14")
    assert lines.urls == ("https://heatpumps-public.eu/", "https://reef.example/page?x=1")
    assert [error.number for error in lines.errors] == [3, 4, 5]
