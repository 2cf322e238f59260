"""The codes of the engine: states, reasons, needs, failures and exclusions."""

from __future__ import annotations

from enum import StrEnum


class State(StrEnum):
    """States of a crawl."""

    DRAFT = "draft"
    QUEUED = "queued"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPING = "stopping"
    FINISHED = "finished"
    FAILED = "failed"


class StopReason(StrEnum):
    """Why a crawl is in its state. Every crawl except a draft has one."""

    WAITING_FOR_A_WORKER = "waiting_for_a_worker"
    LEARNING = "learning"
    BUDGET_REACHED = "budget_reached"
    REQUEST_LIMIT = "request_limit"
    HOURS_REACHED = "hours_reached"
    RECALL_ESTIMATE_REACHED = "recall_estimate_reached"
    LITTLE_LEFT = "little_left"
    FRONTIER_EMPTY = "frontier_empty"
    PAUSED_BY_USER = "paused_by_user"
    STOPPED_BY_USER = "stopped_by_user"
    DISK_FULL = "disk_full"
    STORE_DOWN = "store_down"
    NO_NETWORK = "no_network"
    ALL_HOSTS_BLOCKED = "all_hosts_blocked"
    NO_SEEDS = "no_seeds"
    WEB_NOT_SERVED = "web_not_served"
    NEEDS_MISSING = "needs_missing"
    NO_COUNTED_TARGETS = "no_counted_targets"
    PAGES_UNREADABLE = "pages_unreadable"
    ENGINE_ERROR = "engine_error"


class Need(StrEnum):
    """The parts of a topic that a strategy may need."""

    SUBJECT = "subject"
    KEYWORDS = "keywords"
    EXAMPLES = "examples"
    INLINKS = "inlinks"
    BACKLINKS = "backlinks"
    CORPUS = "corpus"
    BACKGROUND = "background"
    TAXONOMY = "taxonomy"
    CRAWL = "crawl"


class Failure(StrEnum):
    """Why a request gave no page. An HTTP status of 4xx or 5xx is `http_<status>`."""

    BAD_URL = "bad_url"
    DNS = "dns"
    CONNECT = "connect"
    INTERRUPTED = "interrupted"
    TLS = "tls"
    CERTIFICATE = "certificate"
    TIMEOUT = "timeout"
    PROTOCOL = "protocol"
    ADDRESS_REFUSED = "address_refused"
    TOO_MANY_REDIRECTS = "too_many_redirects"
    REDIRECT_TO_KNOWN = "redirect_to_known"
    REDIRECT_OUT_OF_SCOPE = "redirect_out_of_scope"
    ROBOTS = "robots"
    ROBOTS_UNREACHABLE = "robots_unreachable"
    NOT_TEXT = "not_text"
    ENCRYPTED = "encrypted"
    BROKEN_DOCUMENT = "broken_document"
    TOO_LARGE = "too_large"
    NOINDEX = "noindex"
    RESERVED = "reserved"
    OTHER_LANGUAGE = "other_language"
    DUPLICATE = "duplicate"
    BLOCK_PAGE = "block_page"
    TOO_COMPLEX = "too_complex"
    EMPTY = "empty"
    SITE_LIST = "site_list"
    NO_SITE_LIST = "no_site_list"
    NOT_MODIFIED = "not_modified"


REFUSED_BY_RULE = frozenset(
    {
        Failure.ROBOTS,
        Failure.NOINDEX,
        Failure.RESERVED,
        Failure.OTHER_LANGUAGE,
        Failure.NOT_TEXT,
        Failure.TOO_LARGE,
        Failure.ADDRESS_REFUSED,
        Failure.REDIRECT_TO_KNOWN,
        Failure.DUPLICATE,
        Failure.REDIRECT_OUT_OF_SCOPE,
        Failure.SITE_LIST,
        Failure.NO_SITE_LIST,
        Failure.NOT_MODIFIED,
    }
)
"""Failures by a rule rather than by a fault: they do not count as fetch errors."""

SITE_LIST_ANSWERS = frozenset({Failure.SITE_LIST, Failure.NO_SITE_LIST})
"""How requests for sitemaps and feeds end: no page was expected, so none is missing."""


class SentFor(StrEnum):
    """The purpose of a request that is logged neither as a page nor as a failed request."""

    PAGE = "page"
    ROBOTS = "robots"
    SITE_FILE = "site_file"
    PROBE = "probe"


class Bottleneck(StrEnum):
    """The resource that limits a crawl's speed."""

    COORDINATOR = "coordinator"
    COMMITS = "commits"
    AGENTS = "agents"
    POLITENESS = "politeness"
    ROBOTS = "robots"
    ANSWERS = "answers"
    AT_ONCE = "at_once"
    PACE = "pace"
    BUDGET = "budget"
    FRONTIER = "frontier"
    UNKNOWN = "unknown"


class Exclusion(StrEnum):
    """Why a discovered URL is excluded (the first rule that applies)."""

    SCHEME = "scheme"
    HOST_DENIED = "host_denied"
    HOST_NOT_ALLOWED = "host_not_allowed"
    PATTERN = "pattern"
    EXTENSION = "extension"
    DEPTH = "depth"
    HOST_LIMIT = "host_limit"
    TRAP = "trap"
    REJECTED_BY_STRATEGY = "rejected_by_strategy"
    FRONTIER_CAP = "frontier_cap"
    ALIAS = "alias"
    PATTERN_NOT_ALLOWED = "pattern_not_allowed"
    HOST_OUT = "host_out"
    HOST_NOT_IN = "host_not_in"
    NOT_DUE = "not_due"
