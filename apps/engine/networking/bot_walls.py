"""Bot walls: pages that test whether a browser asks, sent instead of the page that was requested.

A wall is recognised by how it is built, whichever product sends it: a small page with few words and
links that either is marked by a header of a firewall, or makes the browser pass a test (a challenge
address, a puzzle, a captcha, a cookie set by script before the same address is loaded again) and
shows a second sign that nothing else is there. An honest page with a captcha has more words, links
or fields than a wall.
"""

from __future__ import annotations

import html
import re

from apps.engine.answers import Answer

LARGEST = 64 * 1024
MOST_LINKS = 8
MOST_WORDS = 120
_HEAD = 4096

_HEADERS = frozenset(
    {
        "cf-mitigated",
        "sg-captcha",
        "x-amzn-waf-action",
        "x-datadome-cid",
        "x-dd-b",
        "x-vercel-mitigated",
    }
)
_REFUSING = frozenset({401, 403, 405, 409, 429, 503})
_TITLE = re.compile(rb"<title[^>]*>\s*([^<]{0,120})", re.I)
_UNSEEN = re.compile(rb"<(script|style|svg|template)\b.*?(?:</\1\s*>|\Z)|<!--.*?-->|<[^>]*>", re.S)
_WORD = re.compile(rb"[^\s]*[A-Za-z\x80-\xff]{2}[^\s]*")
# Titles of walls, in the languages in which the large products send them.
_TITLES = re.compile(
    r"(?:just a moment|(?:one|a) moment,? please|please wait|nur einen moment|un instant|"
    r"un momento|um momento|attention required|are you (?:a )?(?:robot|human)|"
    r"pardon our interruption|access to this page has been denied|"
    r"(?:human|bot|robot|browser|security|user) (?:verification|check|challenge|validation)|"
    r"robot challenge|client challenge|challenge validation|checking your browser|"
    r"ddos-guard|making sure you're not a bot|oh noes|captcha|recaptcha|verify(?:ing)? |"
    r"vercel security checkpoint|you have been blocked|validating)",
    re.I,
)
# What a page is about may be a captcha, so the words count only beside a test or a title.
_WORDS = re.compile(
    rb"captcha|challenge|unusual traffic|not a (?:ro)?bot|verif(?:y|ied|ying|ication)|"
    rb"checking (?:your|the)|enable javascript|human|proof.of.work|ddos",
    re.I,
)
# Without any of these in it, a page holds no test: looking for them is all that most pages cost.
_HINTS = (
    b"captcha",
    b"challenge",
    b"lsrecap",
    b"/verify",
    b"turnstile",
    b"anubis",
    b"within.website",
    b"ddos",
    b"_fs-ch-",
    b"cdn-cgi/",
    b"cf-chl-",
    b"cf_chl_opt",
    b"_incapsula_resource",
    b"sorry/index",
    b"/aes.",
    b"awswaf",
    b"ak_bmsc",
    b"sucuri_cloudproxy",
    b"wsidchk",
    b"kpsdk",
    b"hashcash",
    b"proof of work",
    b"proof-of-work",
    b"altcha",
    b"document.cookie",
)
# Addresses at which a firewall answers, not the site: below a dot, an underscore or its own name.
_CHALLENGE_ADDRESS = re.compile(
    rb"/(?:[._][^\s\"'<>?]*(?:captcha|challenge|recap|waf|verify|anubis|ddos|bot)|_fs-ch-"
    rb"|cdn-cgi/(?:challenge(?!-platform/(?:h/\w+/)?scripts/jsd)|l/chk)|_incapsula_resource|\.within\.website/|sorry/index"
    rb"|aes(?:\.min)?\.js)"
)
_TESTS = (
    b"captcha-delivery.com",
    b"awswaf",
    b"cf-chl-",
    b"cf_chl_opt",
    b"px-captcha",
    b"ak_bmsc",
    b"sucuri_cloudproxy",
    b"wsidchk",
    b"kpsdk",
    b"sgchallenge",
    b"lsrecaptcha",
    b"anubis_",
    b"proof of work",
    b"proof-of-work",
    b"hashcash",
)
_CAPTCHAS = (
    b"g-recaptcha",
    b"recaptcha/api",
    b"h-captcha",
    b"hcaptcha.com",
    b"cf-turnstile",
    b"challenges.cloudflare.com",
    b"frc-captcha",
    b"altcha-widget",
    b"mtcaptcha",
    b"smart-captcha",
)
_SAME_AGAIN = re.compile(
    rb"location\.reload\s*\(|history\.go\s*\(\s*0|location(?:\.href)?\s*=\s*(?:window\.)?location"
)
_NOINDEX = re.compile(rb"<meta[^>]*\bnoindex\b")
_AT_ONCE = re.compile(rb"<meta[^>]*http-equiv\s*=\s*[\"']?refresh")
_FIELD = re.compile(
    rb"<(?:input(?![^>]*\btype\s*=\s*[\"']?(?:hidden|submit|checkbox|button))|textarea|select)\b"
)


def is_wall(answer: Answer) -> bool:
    """Whether the answer is a bot wall. A plain 403 or 429 is none, and neither is a page about
    captchas or a form with one."""
    status, body = answer.status, answer.body
    if status is None or not (200 <= status < 300 or status in _REFUSING):
        return False
    has_header = any(name.lower() in _HEADERS for name, _ in answer.headers)
    if has_header and answer.failure is not None:
        return True
    if not 200 <= status < 300:
        return _has_test(body[:LARGEST].lower()) or _has_title(body)
    if not body or len(body) > LARGEST or _has_many_links(body):
        return False
    text = body.lower()
    if not (has_header or any(hint in text for hint in _HINTS) or _has_title(body)):
        return False
    return _is_only_a_test(text, has_header)


def _has_many_links(body: bytes) -> bool:
    """Whether a page has more links than a wall; counting them all would read all of the page."""
    at = -1
    for _ in range(MOST_LINKS + 1):
        at = body.find(b"<a ", at + 1)
        if at < 0:
            return False
    return True


def _is_only_a_test(text: bytes, has_header: bool) -> bool:
    """Whether a small page, in lower case, holds a test and little else."""
    shown = _UNSEEN.sub(b" ", text)
    words = len(_WORD.findall(shown))
    if words > MOST_WORDS or _FIELD.search(text):
        return False
    has_test = has_header or _has_test(text, shown) or _reloads_with_a_cookie(text)
    has_captcha, has_title = any(mark in text for mark in _CAPTCHAS), _has_title(text)
    if not (has_test or has_captcha or has_title):
        return False
    signs = (
        has_test,
        has_captcha,
        has_title,
        _NOINDEX.search(text) is not None,
        _AT_ONCE.search(text) is not None,
        _WORDS.search(shown) is not None,
        words == 0,
    )
    return sum(signs) >= 2


def _has_test(text: bytes, shown: bytes = b"") -> bool:
    """Whether the markup has a test; what is shown may be about one."""
    if shown and _has_test(shown):
        return False
    return any(mark in text for mark in _TESTS) or _CHALLENGE_ADDRESS.search(text) is not None


def _reloads_with_a_cookie(text: bytes) -> bool:
    if b"document.cookie" not in text:
        return False
    # A puzzle that decrypts its cookie leads to the same address with a mark.
    return _SAME_AGAIN.search(text) is not None or b"tonumbers(" in text


def _has_title(body: bytes) -> bool:
    title = _TITLE.search(body, 0, _HEAD)
    if title is None:
        return False
    return _TITLES.match(html.unescape(title[1].decode("utf-8", "replace")).strip()) is not None
