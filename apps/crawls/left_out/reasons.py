"""Why an address was not taken: the reasons, in their groups.

Each address stands under one reason: the exclusion or the last failure of its row, JavaScript that
its page needs, or the decision that its host is out. Sitemaps and feeds are no pages and stand
under none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from apps.engine.codes import Exclusion, Failure


class ReasonGroup(Enum):
    """The groups in the order of the screen."""

    WISH = "The site’s wish"
    UNREADABLE = "Not readable yet"
    CHOICE = "Your choice"
    FAILED = "Failed"

    @property
    def words(self) -> str:
        """The remedy, in words."""
        return _WORDS[self]


_WORDS = {
    ReasonGroup.WISH: "obeyed; no undo here",
    ReasonGroup.UNREADABLE: "answered, but not with a text that can be read",
    ReasonGroup.CHOICE: "what has a button can be put back into the frontier",
    ReasonGroup.FAILED: "temporary failures were tried again, with growing pauses",
}


@dataclass(frozen=True, slots=True)
class LeftOutReason:
    """One reason. `codes` are the exclusions and the kinds of failure that it covers; a reason
    without any is about rows that are not excluded."""

    id: str
    group: ReasonGroup
    title: str
    words: str
    codes: frozenset[str] = frozenset()


def _reason(
    id: str, group: ReasonGroup, title: str, words: str, *codes: Exclusion | Failure
) -> LeftOutReason:
    return LeftOutReason(id, group, title, words, frozenset(map(str, codes)))


_WISH, _UNREADABLE, _CHOICE, _FAILED = ReasonGroup
ROBOTS = _reason("robots", _WISH, "robots.txt", "disallowed for this crawler", Failure.ROBOTS)
NOINDEX = _reason("noindex", _WISH, "noindex, none", "read for links, not kept", Failure.NOINDEX)
RESERVED = _reason(
    "reserved",
    _WISH,
    "A use is reserved",
    "by the page, its headers or a file of its site; this crawl obeys it",
    Failure.RESERVED,
)
JAVASCRIPT = _reason(
    "javascript", _UNREADABLE, "Needs JavaScript", "few words and scripts: kept, not judged"
)
NOT_TEXT = _reason(
    "not_text", _UNREADABLE, "Type not read", "pictures, archives, sound, film", Failure.NOT_TEXT
)
ENDING = _reason(
    "extension",
    _UNREADABLE,
    "Ending of a file",
    "ends like a file that is not text: not requested",
    Exclusion.EXTENSION,
)
UNPARSABLE = _reason(
    "unparsable",
    _UNREADABLE,
    "Empty or too complex",
    "nothing in it, or too much to read",
    Failure.EMPTY,
    Failure.TOO_COMPLEX,
)
ENCRYPTED = _reason(
    "encrypted", _UNREADABLE, "Encrypted", "documents that need a password", Failure.ENCRYPTED
)
BROKEN = _reason(
    "broken_document",
    _UNREADABLE,
    "Broken document",
    "damaged, or no document at all",
    Failure.BROKEN_DOCUMENT,
)
TOO_LARGE = _reason(
    "too_large", _UNREADABLE, "Too large", "documents of more than 20 MiB", Failure.TOO_LARGE
)
HOST_OUT = _reason("host_out", _CHOICE, "Host is out", "excluded while the crawl ran; they wait")
HOST_DENIED = _reason(
    "host_denied", _CHOICE, "Host excluded", "by the scope of the crawl", Exclusion.HOST_DENIED
)
HOST_NOT_ALLOWED = _reason(
    "host_not_allowed",
    _CHOICE,
    "Host not allowed",
    "not among the hosts of the scope",
    Exclusion.HOST_NOT_ALLOWED,
)
HOST_OUT_OF_TOPIC = _reason(
    "host_out_of_topic",
    _CHOICE,
    "Host out in the topic",
    "decided among the hosts of the topic, where it can be let in again",
    Exclusion.HOST_OUT,
)
HOST_NOT_IN = _reason(
    "host_not_in",
    _CHOICE,
    "Too far from the hosts in",
    "not on a host that is in, nor as near to one as the scope asks",
    Exclusion.HOST_NOT_IN,
)
PATTERN = _reason("pattern", _CHOICE, "Pattern", "matches an excluded pattern", Exclusion.PATTERN)
PATTERN_NOT_ALLOWED = _reason(
    "pattern_not_allowed",
    _CHOICE,
    "Not like the patterns",
    "matches none of the patterns of the scope",
    Exclusion.PATTERN_NOT_ALLOWED,
)
OTHER_LANGUAGE = _reason(
    "other_language",
    _CHOICE,
    "Another language",
    "clearly in none of the languages of the scope; links were followed",
    Failure.OTHER_LANGUAGE,
)
DEPTH = _reason(
    "depth", _CHOICE, "Too far from the seeds", "deeper than the scope allows", Exclusion.DEPTH
)
HOST_LIMIT = _reason(
    "host_limit",
    _CHOICE,
    "Enough pages of the host",
    "over the limit of pages a host",
    Exclusion.HOST_LIMIT,
)
FRONTIER_CAP = _reason(
    "frontier_cap",
    _CHOICE,
    "Frontier full",
    "least promising when the frontier was full",
    Exclusion.FRONTIER_CAP,
)
REJECTED = _reason(
    "rejected",
    _CHOICE,
    "Rejected by the strategy",
    "it follows no such links",
    Exclusion.REJECTED_BY_STRATEGY,
)
SCOPE_REDIRECT = _reason(
    "scope_redirect",
    _CHOICE,
    "Redirects out of scope",
    "leads where the scope does not go",
    Failure.REDIRECT_OUT_OF_SCOPE,
)
SCHEME = _reason("scheme", _CHOICE, "Not http or https", "another kind of link", Exclusion.SCHEME)
NOT_DUE = _reason(
    "not_due",
    _CHOICE,
    "Left to other visits",
    "pages that the watch had before: unchanged, or not due at this visit",
    Exclusion.NOT_DUE,
    Failure.NOT_MODIFIED,
)
SAME_PAGE = _reason(
    "same_page",
    _CHOICE,
    "Same page",
    "another address of a page that was taken",
    Exclusion.ALIAS,
    Failure.DUPLICATE,
    Failure.REDIRECT_TO_KNOWN,
)
TRAP = _reason(
    "trap", _CHOICE, "Spider trap", "leads on without end, or to nothing new", Exclusion.TRAP
)
BOT_WALL = _reason(
    "bot_wall",
    _FAILED,
    "Bot wall",
    "a test for robots in place of the page: not solved, not evaded",
    Failure.BLOCK_PAGE,
)
CERTIFICATE = _reason(
    "certificate", _FAILED, "Certificate", "not valid for the host", Failure.CERTIFICATE
)
PRIVATE = _reason(
    "private_address",
    _FAILED,
    "Private address",
    "addresses of a local network are never asked",
    Failure.ADDRESS_REFUSED,
)
UNANSWERED = _reason(
    "no_answer",
    _FAILED,
    "No answer, 4xx, 5xx",
    "no page after all tries",
    Failure.BAD_URL,
    Failure.DNS,
    Failure.CONNECT,
    Failure.INTERRUPTED,
    Failure.TLS,
    Failure.TIMEOUT,
    Failure.PROTOCOL,
    Failure.TOO_MANY_REDIRECTS,
    Failure.ROBOTS_UNREACHABLE,
)
REASONS: Mapping[str, LeftOutReason] = {
    reason.id: reason
    for reason in (
        *(ROBOTS, NOINDEX, RESERVED),
        *(JAVASCRIPT, NOT_TEXT, ENDING, ENCRYPTED, BROKEN, TOO_LARGE, UNPARSABLE),
        *(HOST_OUT, HOST_OUT_OF_TOPIC, HOST_NOT_IN, HOST_DENIED, HOST_NOT_ALLOWED),
        *(PATTERN, PATTERN_NOT_ALLOWED, OTHER_LANGUAGE, DEPTH),
        *(HOST_LIMIT, FRONTIER_CAP, NOT_DUE),
        *(REJECTED, SCOPE_REDIRECT, SCHEME, SAME_PAGE, TRAP),
        *(BOT_WALL, CERTIFICATE, PRIVATE, UNANSWERED),
    )
}
"""The reasons by id, in the order of the screen."""

_BY_CODE = {code: reason for reason in REASONS.values() for code in reason.codes}


def reason_of(code: str) -> LeftOutReason:
    """The reason that covers an exclusion or a kind of failure; an HTTP status is no answer."""
    return _BY_CODE.get(code, UNANSWERED)
