"""Canonical URLs: what is one address, what is two, and the fast path against the full one."""

from __future__ import annotations

import re
import string

import ada_url
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from w3lib.url import canonicalize_url

from apps.engine import url_spelling, urls
from apps.engine.errors import BadURL

SAME = [
    ("HTTP://Example.COM/a", "http://example.com/a"),
    ("http://example.com", "http://example.com/"),
    ("http://example.com:80/", "http://example.com/"),
    ("https://example.com:443/x", "https://example.com/x"),
    ("http://example.com./x", "http://example.com/x"),
    ("http://example.com/#top", "http://example.com/"),
    ("http://example.com/?", "http://example.com/"),
    ("http://example.com/a/../b/./c", "http://example.com/b/c"),
    ("http://example.com/%2e%2E/x", "http://example.com/x"),
    ("http://example.com/%7euser/", "http://example.com/~user/"),
    ("http://example.com/a%2fb", "http://example.com/a%2Fb"),
    ("http://example.com/é", "http://example.com/%C3%A9"),
    ("http://example.com/a b", "http://example.com/a%20b"),
    ("http://example.com/?q=a b", "http://example.com/?q=a%20b"),
    ("http://example.com/?q=%7Ex%c3%a9", "http://example.com/?q=~x%C3%A9"),
    ("http://example.com/?&a=1&&b=2&", "http://example.com/?a=1&b=2"),
    ("http://BÜCHER.de/", "http://xn--bcher-kva.de/"),
    ("http://user:secret@example.com/", "http://example.com/"),
    ("http:\\\\example.com\\a", "http://example.com/a"),
    ("  http://example.com/a\n", "http://example.com/a"),
    ("http://0x7f.1/", "http://127.0.0.1/"),
    ("http://[0:0::1]/", "http://[::1]/"),
    ("http://example.com/?utm_source=x&a=1&UTM_Medium=y", "http://example.com/?a=1"),
    ("http://example.com/?%75tm_source=x&a=1", "http://example.com/?a=1"),
    ("http://example.com/?gclid=1&fbclid=2&msclkid=3&igshid=4", "http://example.com/"),
    ("http://example.com/a;jsessionid=1A2B?x=1", "http://example.com/a?x=1"),
    ("http://example.com/a;JSESSIONID=1A2B/b", "http://example.com/a/b"),
    ("http://example.com/?PHPSESSID=abc&p=2", "http://example.com/?p=2"),
    ("http://example.com/?p=2&sessid=0123456789abcdef0123456789ABCDEF", "http://example.com/?p=2"),
]

DIFFERENT = [
    ("http://example.com/", "https://example.com/"),
    ("http://example.com/", "http://www.example.com/"),
    ("http://example.com/", "http://example.com:8080/"),
    ("http://example.com/a", "http://example.com/A"),
    ("http://example.com/a", "http://example.com/a/"),
    ("http://example.com/a/b", "http://example.com/a//b"),
    ("http://example.com/a/b", "http://example.com/a%2Fb"),
    ("http://example.com/a?b", "http://example.com/a%3Fb"),
    ("http://example.com/%2541", "http://example.com/A"),
    ("http://example.com/?a=1&a=2", "http://example.com/?a=2&a=1"),
    ("http://example.com/?a=1&b=2", "http://example.com/?b=2&a=1"),
    ("http://example.com/?a=1%26b=2", "http://example.com/?a=1&b=2"),
    ("http://example.com/?a=b%2Bc", "http://example.com/?a=b+c"),
    ("http://example.com/?a", "http://example.com/"),
    ("http://example.com/?a=", "http://example.com/"),
    ("http://example.com/?q=A", "http://example.com/?q=a"),
    ("http://example.com/?sid=lecture-1", "http://example.com/?sid=lecture-2"),
    ("http://example.com/?sid=lecture-1", "http://example.com/"),
    ("http://example.com/?sid=1234567890123456", "http://example.com/"),
    ("http://example.com/?sid=decade", "http://example.com/"),
    # jina-ai/MCP#29, WoltLab/WCF#4796: stories, not sessions
    ("http://example.com/?sid=5f2b6c7d8e9fa0b1c2d3e4f0", "http://example.com/"),
    ("http://example.com/?session=5f2b6c7d8e9fa0b1c2d3e4f0", "http://example.com/"),
    # yasserg/crawler4j#374
    ("http://example.com/?q=a+b", "http://example.com/?q=a%20b"),
    ("http://example.com/a;v=1", "http://example.com/a;v=2"),
    ("http://example.com/index.html", "http://example.com/"),
]

NO_PAGES = [
    "",
    " ",
    "example.com/a",
    "/a",
    "//example.com/a",
    "mailto:a@example.com",
    "javascript:void(0)",
    "ftp://example.com/",
    "data:text/html,x",
    "http://",
    "http:///?",
    "http://exa mple.com/",
    "http://example.com:99999/",
    "http://[::1/",
    "http://\ud800/",
    "about:blank",
    "file:///etc",
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_it_gives_one_spelling_to_one_address(one: str, other: str) -> None:
    assert urls.canonical(one) == other
    assert urls.canonical(other) == other


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_it_keeps_apart_what_a_server_may_distinguish(one: str, other: str) -> None:
    assert urls.canonical(one) is not None
    assert urls.canonical(one) != urls.canonical(other)


@pytest.mark.parametrize("text", NO_PAGES)
def test_it_refuses_what_is_no_absolute_web_address(text: str) -> None:
    assert urls.canonical(text) is None


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("d.html", "http://example.com/a/b/d.html"),
        (" d.html\n", "http://example.com/a/b/d.html"),
        ("d.html#part", "http://example.com/a/b/d.html"),
        ("../d", "http://example.com/a/d"),
        ("../../../../d", "http://example.com/d"),
        ("..", "http://example.com/a/"),
        ("./d", "http://example.com/a/b/d"),
        ("./", "http://example.com/a/b/"),
        ("../#top", "http://example.com/a/"),
        ("./../?p=2", "http://example.com/a/?p=2"),
        ("/d/e", "http://example.com/d/e"),
        ("//other.org/d", "http://other.org/d"),
        ("https://other.org", "https://other.org/"),
        ("?p=2", "http://example.com/a/b/c.html?p=2"),
        ("?p #", "http://example.com/a/b/c.html?p%20"),
        ("?p #x#y ", "http://example.com/a/b/c.html?p%20"),
        ("?p ", "http://example.com/a/b/c.html?p"),
        ("d #", "http://example.com/a/b/d%20"),
        ("", "http://example.com/a/b/c.html"),
        ("#top", "http://example.com/a/b/c.html"),
        ("d:e", None),
        ("javascript:go()", None),
        ("mailto:a@example.com", None),
        ("http://", None),
    ],
)
def test_it_joins_a_link_to_its_page(href: str, target: str | None) -> None:
    assert urls.join("http://example.com/a/b/c.html", href) == target


def test_it_joins_nothing_to_a_base_that_is_no_address() -> None:
    assert urls.join("nowhere", "d.html") is None
    assert urls.join("nowhere", "http://example.com/d") == "http://example.com/d"


PIECES = st.sampled_from(
    [
        "http://",
        "https://",
        "HTTP://",
        "example.com",
        "a.b.example.org",
        "xn--bcher-kva.de",
        "ü.de",
        "localhost",
        "127.0.0.1",
        "1.2",
        "a..b",
        "-a.com",
        "a-.com",
        "a_b.com",
        ":80",
        ":8080",
        "user@",
        "/",
        "//",
        ".",
        "..",
        "/./",
        "/../",
        "../",
        "index.html",
        "a",
        "B",
        "~",
        "%7e",
        "%2F",
        "%",
        "%zz",
        "?",
        "&",
        "=",
        "a=1",
        "b=",
        "?a=1&a=2",
        "utm_source=x",
        "gclid=1",
        "gclsrc=1",
        "msclkid=1",
        "igshid=1",
        "wbraid=1",
        "_ga=1",
        "_hsenc=1",
        "mkt_tok=1",
        "mc_eid=1",
        "vero_id=1",
        "oly_enc_id=1",
        "li_fat_id=1",
        "pk_campaign=1",
        "ysclid=1",
        "PHPSESSID=1",
        "sid=0123456789abcdef0",
        "sid=x",
        "session_id=0123456789abcdef0",
        ";jsessionid=1",
        ";",
        "#",
        "#f",
        "!$'()*,+",
        "|",
        "[",
        "]",
        "\\",
        " ",
        "\t",
        "\n",
        "é",
        "\u3000",
        "@",
        '"',
        "<",
        ">",
        "^",
        "`",
        "{",
        "\x00",
        "c" * 70,
        "8.8.8.8",
        "256.1.1.1",
        "1.2.3.4.5",
        "::1",
        ":443",
        ":65535",
        ":65536",
        ":08080",
        "%D0%B6",
        "%d0%b6",
        "%25",
        "%2525",
        "%2%35",
        "%5B",
        "%7C",
        "%3B",
        "%20",
        "%2e%2E",
        "%61",
        "%75tm_source=x",
        "%",
        "жук",
        "中",
        "'",
    ]
)
ADDRESSES = st.lists(PIECES, max_size=9).map("".join)
ODD_TEXT = st.text(alphabet=string.printable + "éß中\u200d\ud800", max_size=40)


@given(ADDRESSES | ODD_TEXT.map("http://example.com/".__add__) | ODD_TEXT)
@example("http://example.com/?a=1&gclsrc=1")
def test_the_fast_path_and_the_full_one_agree(text: str) -> None:
    assert urls.canonical(text) == urls._canonical_in_full(text)


HOSTS = st.sampled_from(
    [
        "http://example.com/",
        "http://example.com:8080/",
        "https://8.8.8.8/",
        "http://127.0.0.1:8000/",
        "http://localhost:3000/",
        "http://пример.рф/",
        "http://[::1]:80/",
        "http://a..b./",
    ]
)


def by_w3lib(url: str) -> str | None:
    """The same by w3lib's own spelling of the page, and escape by escape of the query."""
    try:
        address = ada_url.normalize_url(url)
    except ValueError:
        return None
    parts = url_spelling.PARTS.match(address)
    if not parts or not (authority := url_spelling._DOTS_AT_THE_END.sub("", parts[2])):
        return None
    path = url_spelling._SESSION_IN_PATH.sub("", parts[3])
    page = canonicalize_url(f"{parts[1]}://{authority}{path}")

    def spell(escape: re.Match[str]) -> str:
        character = chr(int(escape[1], 16))
        return character if re.match(r"[A-Za-z0-9._~-]", character) else escape[0].upper()

    query = "&".join(
        each
        for each in re.sub("%([0-9A-Fa-f]{2})", spell, parts[4] or "").split("&")
        if each
        and not url_spelling._TRACKING.fullmatch(each)
        and not url_spelling._SESSION_PARAMETER.fullmatch(each)
    )
    return f"{page}?{query}" if query else page


@given(ADDRESSES | st.builds(str.__add__, HOSTS, ADDRESSES | ODD_TEXT) | ODD_TEXT)
@example("http://example.com/a/..;b")
@example("http://example.com/a;%7e|")
@example("http://example.com/a.b;")
@example("http://example.com/%5ba%5d|%2%35/%2525%2f%3b%d0%b6?%d0%b6%20%41%2541")
def test_it_spells_an_address_as_w3lib_does(text: str) -> None:
    assert urls.canonical(text) == by_w3lib(text)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com:8080/a/b.html",
        "https://8.8.8.8/a?b=1",
        "http://127.0.0.1:8000/",
        "http://localhost:3000/a",
        "http://ru.example.org/wiki/%D0%96%D1%83%D0%BA",
        "http://example.com/a%20b/c?q=%D0%96+%26",
    ],
)
def test_ports_numbers_and_escapes_take_the_fast_path(url: str, monkeypatch) -> None:
    monkeypatch.setattr(urls, "_canonical_in_full", None)
    monkeypatch.setattr(urls, "_joined", None)
    assert urls.canonical(url) == urls.join(url, url) == url


@given(ADDRESSES | ODD_TEXT.map("http://example.com/".__add__))
def test_a_canonical_address_stays_as_it_is(text: str) -> None:
    once = urls.canonical(text)
    if once is not None:
        assert urls._canonical_in_full(once) == once


@given(
    st.sampled_from(
        [
            "http://example.com/",
            "http://example.com/a/b/c.html",
            "https://example.com/a/?p=/x/y",
            "http://example.com:8080/a/b",
            "http://127.0.0.1/a",
            "http://example.com/a//b/",
            "http://example.com/%D0%B6/%20?a=%26",
            "http://localhost/a",
            "http://1.2.3.4:80/b/c",
        ]
    ),
    ADDRESSES | ODD_TEXT,
)
def test_a_link_joined_fast_and_in_full_agree(base: str, href: str) -> None:
    assert urls.join(base, href) == url_spelling.spell_canonically(urls._joined(base, href))


@pytest.fixture
def none_met(monkeypatch) -> None:
    for half in ("_met", "_met_earlier"):
        monkeypatch.setattr(urls, half, {})


def test_a_link_met_before_is_joined_as_at_first(none_met) -> None:
    base, other = "http://example.com/", "http://b.test/x"
    for _ in range(2):
        assert urls.join(base, "http://example.com//b.test/x") == "http://example.com//b.test/x"
        assert urls.join(base, "//b.test/x") == other
        assert urls.join(other, "//b.test/x") == other
        assert urls.join(base, "/a") == urls.join(other, "http://example.com/a")
        assert urls.join(other, "/a") == "http://b.test/a"


def test_of_the_links_met_a_limited_number_is_remembered(none_met, monkeypatch) -> None:
    monkeypatch.setattr(urls, "MOST_MET", 6)
    join = urls.joiner("http://example.com/")
    joined = [join(f"/{n}") for n in range(10)]
    assert joined == [f"http://example.com/{n}" for n in range(10)]
    assert [*urls._met_earlier] == joined[6:9] and [*urls._met] == joined[9:]
    join("/" + urls.LONGEST_MET * "x")
    assert [*urls._met] == joined[9:]


def test_a_link_remembered_is_one_object_on_all_pages(none_met, monkeypatch) -> None:
    monkeypatch.setattr(urls, "MOST_MET", 6)
    join = urls.joiner("http://example.com/a/")
    first = join("/a/b")
    assert join("/a/b") is first
    for n in range(3):
        join(f"/{n}")
    assert first not in urls._met and join("http://example.com/a/b") is first


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://example.com/a", "example.com"),
        ("HTTP://Example.com:80", "example.com"),
        ("http://example.com:8080/a?x=/y", "example.com:8080"),
        ("https://example.com?x", "example.com"),
        ("http://[::1]:8000/", "[::1]:8000"),
    ],
)
def test_it_names_the_host(url: str, host: str) -> None:
    assert urls.host(url) == host


@given(ADDRESSES | st.builds(str.__add__, HOSTS, ADDRESSES | ODD_TEXT))
def test_the_host_of_a_canonical_address_is_what_stands_there(text: str) -> None:
    address = urls.canonical(text)
    if address is not None:
        assert urls.host_of_canonical(address) == urls.host(address)


def test_it_is_reported_where_there_is_no_host() -> None:
    with pytest.raises(BadURL, match="absolute http"):
        urls.host("mailto:a@example.com")


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("www.bbc.co.uk", "bbc.co.uk"),
        ("example.com", "example.com"),
        ("a.b.example.com:8080", "example.com"),
        ("127.0.0.1", "127.0.0.1"),
        ("localhost", "localhost"),
        ("co.uk", "co.uk"),
        ("bakery.demo.test", "bakery.demo.test"),
    ],
)
def test_it_finds_the_registered_domain(host: str, domain: str) -> None:
    assert urls.registered_domain(host) == domain


@pytest.mark.parametrize(
    ("url", "depth"),
    [
        ("http://h.com/", 0),
        ("http://h.com", 0),
        ("http://h.com/a", 0),
        ("http://h.com/a/", 1),
        ("http://h.com/a/b.html", 1),
        ("http://h.com/a/b/?q=/x/y/", 2),
    ],
)
def test_it_counts_the_directories_before_the_file(url: str, depth: int) -> None:
    assert urls.path_depth(url) == depth


@pytest.mark.parametrize(
    ("href", "encoding", "url", "sent"),
    [
        ("/get?file=My%20Report", "utf-8", "/get?file=My%20Report", None),
        ("/wiki/Hubble%27s_law", "utf-8", "/wiki/Hubble's_law", "/wiki/Hubble%27s_law"),
        ("/a?utm_source=x&b=%7e#c", "utf-8", "/a?b=~", "/a?utm_source=x&b=%7e"),
        ("/a;jsessionid=1?b", "utf-8", "/a?b", "/a;jsessionid=1?b"),
        # yasserg/crawler4j#123: the query in the page's encoding, the path in UTF-8
        ("/é?D=洪1", "gbk", "/%C3%A9?D=%BA%E91", None),
        ("/?q=é €'", "windows-1252", "/?q=%E9%20%80%27", None),
        ("/?q=ж", "windows-1252", "/?q=%26%231078%3B", None),
        ("/?q=é#é?", "utf-8", "/?q=%C3%A9", None),
        ("/?q=é", "utf-16le", "/?q=%C3%A9", None),
    ],
)
def test_a_link_is_requested_as_a_browser_would(href, encoding, url, sent):
    spellings: dict[str, str] = {}
    host = "http://example.com"
    assert urls.joiner(f"{host}/x", spellings, encoding)(href) == host + url
    assert spellings == ({} if sent is None else {host + url: host + sent})


def test_origins_are_distinguished_by_scheme_and_port():
    assert urls.origin("https://host.test:8443/a/b?c") == "https://host.test:8443"
