"""Canonical URLs: one spelling per address, so that a page is counted once.

`canonical` goes through ada (the WHATWG URL standard: scheme and host in lower case, IDNA, default
ports and dot segments gone), then spells the escapes of the path as w3lib does (in upper case, and
only where needed), then drops fragment, user info, tracking parameters and session ids. Differences
that servers may distinguish are kept: the case and the trailing slash of the path, blank values,
the order of the query, so that `?a=1&b=2` and `?b=2&a=1` are two URLs, and `+` and `%20` in it.
(w3lib would sort the query and write `+`, but some servers answer such a query differently.)

The canonical spelling is the key under which a page is counted. What is requested is the address as
the page wrote it (`joiner`, `spelled`).

URLs that are canonical already and links that only need concatenation are handled by one regular
expression; the tests compare it with the full algorithm, and that with w3lib.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

import ada_url
import webencodings

from apps.engine.errors import BadURL
from apps.engine.url_spelling import PARTS, spell_canonically

if TYPE_CHECKING:
    from tldextract import TLDExtract

_ESCAPE = r"%(?:[89A-F][0-9A-F]|2[0235F]|3[BCEF]|5[CE]|60|7[BD])"
_ESCAPE_IN_QUERY = r"%(?:[89A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|40|5[B-E]|60|7[B-D])"
_SEGMENT = (
    rf"(?:[A-Za-z0-9_~!$&()*+,=:@-]|{_ESCAPE})"
    rf"[A-Za-z0-9_~!$&()*+,=:@.-]*+(?:{_ESCAPE}[A-Za-z0-9_~!$&()*+,=:@.-]*+)*+"
)
_PATH = rf"(?:/(?:{_SEGMENT})?+)++"
_RELATIVE = (
    rf"(?:(?:[A-Za-z0-9_~-]|{_ESCAPE})"
    rf"[A-Za-z0-9_~.-]*+(?:{_ESCAPE}[A-Za-z0-9_~.-]*+)*+(?:{_PATH})?+)"
)
_QUERY = rf"(?:\?(?:[A-Za-z0-9_~!$()*+,=:@/.;?&-]++|{_ESCAPE_IN_QUERY})++)"
_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_HOST = rf"(?:(?:[a-z0-9-]++\.)++[a-z]{{2,62}}|(?:{_OCTET}\.){{3}}{_OCTET}|localhost)"
_PORT = (
    r":(?:[1-9][0-9]{3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"
    r"(?![0-9])"
)
# Not possessive: before 3.11.5 such a group that fails halfway leaves what it had matched.
_ORIGIN = rf"https?://(?![^/]*xn--){_HOST}(?:{_PORT})?"

_PLAIN = re.compile(rf"({_ORIGIN}){_PATH}{_QUERY}?+")
_PLAIN_LINK = re.compile(
    rf"(?:({_ORIGIN}{_PATH})|((?!//){_PATH})|(?=[^?#])((?:\./)?+(?:\.\./)*+)({_RELATIVE})?+)"
    rf"({_QUERY})?+(?:#.*)?+",
    re.DOTALL,
)
_UNUSUAL_QUERY = re.compile(
    r"[?&](?:[?&]|$|utm_|[a-z_]*cl(?:id|kid|src)=|igshid|[gw]braid|mc_[ce]|_g[al]=|_hs|mkt_|vero_"
    r"|oly_|li_|mtm_|pk_|piwik_|[a-z]*sess)",
    re.IGNORECASE,
)


MOST_MET, LONGEST_MET = 50_000, 500
# The canonical URLs that pages had links to, the later half of them and the earlier one. Each is
# one object, however many pages link to it.
_met: dict[str, str] = {}
_met_earlier: dict[str, str] = {}


def canonical(url: str) -> str | None:
    """The canonical spelling of an absolute http(s) URL, or None for anything else.

    The function is idempotent.
    """
    if _PLAIN.fullmatch(url) and not ("?" in url and _UNUSUAL_QUERY.search(url)):
        return url
    return _canonical_in_full(url)


def join(base: str, href: str) -> str | None:
    """The canonical target of a link on the page `base`, or None if it is not an http(s) URL."""
    return joiner(base)(href)


def spelled(base: str, href: str) -> str | None:
    """The target of a link as a browser requests it, by the WHATWG URL standard alone: escapes and
    parameters stay as they were written. None if it is not an http(s) URL."""
    address = _joined(base, href)
    url = spell_canonically(address) if address else None
    return _as_sent(address, url) if url is not None else None


def _as_sent(address: str, url: str) -> str:
    """The path and query of an address at the origin of its canonical URL, which was checked."""
    parts = PARTS.match(address)
    assert parts is not None
    _, _, path, query = parts.groups()
    origin = url[: url.index("/", url.index("://") + 3)]
    return f"{origin}{path}" + ("" if query is None else f"?{query}")


def joiner(
    base: str, spellings: dict[str, str] | None = None, encoding: str = "utf-8"
) -> Callable[[str], str | None]:
    """`join` for many links of one page; parses the base only once.

    `spellings` gets the address of each target that a browser would request in another spelling,
    the first if there are several; `encoding` is the page's, in which its queries are sent.
    """

    def in_full(href: str) -> str | None:
        address = _joined(base, _query_in(encoding, href))
        url = spell_canonically(address) if address else None
        if url is not None and url != address and spellings is not None:
            sent = _as_sent(address, url)
            if sent != url:
                spellings.setdefault(url, sent)
        return url

    plain = _PLAIN.fullmatch(base)
    if not plain:
        return in_full
    origin = plain[1]
    folder = base.partition("?")[0].rpartition("/")[0]

    def target(href: str) -> str | None:
        whole = origin + href if href[:1] == "/" != href[1:2] else href
        met = _met.get(whole)
        if met is not None:
            return met
        url = _met_earlier.get(whole) or joined(href)
        if url is not None and url == whole:
            _remember(url)
        return url

    def joined(href: str) -> str | None:
        link = _PLAIN_LINK.fullmatch(href)
        if not link or ("?" in href and _UNUSUAL_QUERY.search(href.partition("#")[0])):
            return in_full(href)
        absolute, rooted, climb, relative, query = link.groups("")
        if absolute:
            return absolute + query
        if rooted:
            return origin + rooted + query
        start = _climbed(origin, folder, len(climb) // 3) if climb else folder
        return f"{start}/{relative}{query}"

    return target


def _remember(url: str) -> None:
    """Remembers a canonical URL, unless it is long: most links are on many pages of a site."""
    global _met, _met_earlier
    if len(url) > LONGEST_MET:
        return
    if 2 * len(_met) >= MOST_MET:
        _met_earlier, _met = _met, {}
    _met[url] = url


def host(url: str) -> str:
    """The host in lower case, with its port unless it is the scheme's default.

    Raises BadURL if the text is not an absolute http(s) URL.
    """
    plain = _PLAIN.match(url)
    if plain:
        return plain[1].partition("://")[2]
    address = canonical(url)
    if address is None:
        raise BadURL(f"not an absolute http or https URL: {url[:200]!r}")
    return re.split("[/?#]", address.partition("://")[2], maxsplit=1)[0]


def host_of_canonical(url: str) -> str:
    """The host of a URL that is canonical, which `host` would check first."""
    return url.split("/", 3)[2]


def origin(url: str) -> str:
    """Scheme, host and port of a canonical URL."""
    return url[: url.index("/", url.index("://") + 3)]


def registered_domain(host: str) -> str:
    """The registered domain (`bbc.co.uk`), by the installed public suffix list.

    Returns the host itself if it has none (an IP address, `localhost`, a bare suffix).
    """
    if _is_short(host):
        return host
    return _suffix_list()(host).top_domain_under_public_suffix or host


@lru_cache(maxsize=65536)
def site_domain(host: str) -> str:
    """The domain that one owner registered: as `registered_domain`, but names given out below a
    shared one (`user.github.io`) are domains of their own."""
    if _is_short(host):
        return host
    extracted = _suffix_list()(host, include_psl_private_domains=True)
    return extracted.top_domain_under_public_suffix or host


def _is_short(host: str) -> bool:
    """Whether a host has at most two labels, so that nothing is registered above it: reading the
    list of suffixes takes a tenth of a second of every crawl."""
    return host.count(".") < 2 and ":" not in host


def path_depth(url: str) -> int:
    """The number of sub-directories between the host and the file name (SL §4.2, location).

    The last segment is the file unless the path ends in a slash.
    """
    path = re.split("[?#]", url.partition("://")[2], maxsplit=1)[0].partition("/")[2]
    return sum(1 for directory in path.split("/")[:-1] if directory)


def _canonical_in_full(url: str) -> str | None:
    address = _by_the_standard(url)
    return spell_canonically(address) if address else None


def _joined(base: str, href: str) -> str:
    """A link as ada resolves it; empty if it leads nowhere."""
    # The fragment's sign stays: without it a space before it would be at the end and go.
    href = "".join(href.partition("#")[:2])
    try:
        address: str = ada_url.join_url(base, href)
    except ValueError:  # the base is invalid, but the link may be an absolute URL
        return _by_the_standard(href) or ""
    return address


def _query_in(encoding: str, href: str) -> str:
    """The link with the query in the page's encoding (WHATWG URL §4.1), by its WHATWG name."""
    if href.isascii() or "?" not in href or encoding == "utf-8" or encoding.startswith("utf-16"):
        return href
    path, _, rest = href.partition("?")
    query, fragment, name = rest.partition("#")
    declared = webencodings.lookup(encoding)
    if "#" in path or query.isascii() or declared is None:
        return href
    codec = _LARGER_CODECS.get(declared.name, declared.codec_info.name)
    sent = query.encode(codec, "escaped-references")
    escaped = "".join(map(_QUERY_BYTES.__getitem__, sent))
    return f"{path}?{escaped}{fragment}{name}"


def _by_the_standard(url: str) -> str | None:
    try:
        address: str = ada_url.normalize_url(url)
    except ValueError:
        return None
    return address


# Of a query that another encoding than UTF-8 has made bytes: those that a browser escapes.
_QUERY_BYTES = [
    chr(byte) if 32 < byte < 127 and byte not in b"\"#<>'" else f"%{byte:02X}"
    for byte in range(256)
]
_LARGER_CODECS = {"gbk": "gb18030", "shift_jis": "cp932", "euc-kr": "cp949"}


def _escape_reference(error: UnicodeError) -> tuple[str, int]:
    """The form in which a browser sends a character that an encoding lacks: `%26%231078%3B`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(f"%26%23{ord(character)}%3B" for character in lacking), error.end


codecs.register_error("escaped-references", _escape_reference)


def _climbed(origin: str, folder: str, levels: int) -> str:
    for _ in range(levels):
        if len(folder) > len(origin):
            folder = folder.rpartition("/")[0]
    return folder


@lru_cache(maxsize=1)
def _suffix_list() -> TLDExtract:
    # It imports an HTTP client: a third of the start of a process that parses, which asks for no
    # registered domain.
    from tldextract import TLDExtract

    return TLDExtract(suffix_list_urls=(), cache_dir=None)
