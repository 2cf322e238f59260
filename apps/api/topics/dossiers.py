"""The dossier of a host in a topic."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import Http404
from ninja import Router, Schema, Status

from apps.accounts.requests import SignedInRequest
from apps.api.refusals import Refusal
from apps.api.topics.topics import visible
from apps.crawls.selectors import visible_crawls
from apps.dossiers.dossier import host_named, make_dossier
from apps.dossiers.plain import as_plain
from apps.dossiers.taking_down import in_force, log_of, take_down, undo

router = Router(tags=["dossiers"])


class DossierTopic(Schema):
    id: int
    name: str


class DossierCrawl(Schema):
    """A crawl that has asked the host, as whom, and how often."""

    id: int
    name: str
    user_agent: str
    requests: int


class DossierPages(Schema):
    """The pages of the host; `size` are the bytes of their bodies as they were sent."""

    number: int
    relevant: int
    labelled: int
    size: int


class DossierRobots(Schema):
    """A version of a robots.txt; `applied` are pairs of a line's number and what it did, `changes`
    its lines against the version before."""

    origin: str
    first_at: datetime
    last_at: datetime
    reads: int
    status: int | None
    failure: str
    digest: str
    size: int
    text: str
    applied: list[tuple[int, str]]
    changes: list[str]


class DossierShortGap(Schema):
    at: datetime
    gap: float
    rule: float


class DossierSlowDown(Schema):
    """An answer that asked to slow down; `waited` are the seconds until the next request."""

    at: datetime
    status: int | None
    retry_after: float | None
    wanted: float
    waited: float | None
    is_kept: bool


class DossierDelays(Schema):
    """The seconds between two requests; `short` are the gaps below their rule."""

    number: int
    least: float | None
    median: float | None
    rules: list[float]
    short: list[DossierShortGap]
    slow_downs: list[DossierSlowDown]


class DossierSign(Schema):
    """A protocol: `number` answers of `looked` had it, 0 if it was looked for in vain."""

    id: str
    title: str
    looked: int
    number: int
    text: str
    since: datetime | None
    reserves: bool
    done: str


class DossierCertificate(Schema):
    """A permission for the host's pages in spite of its certificate: by whom, from when until
    when."""

    fault: str
    by: str
    at: datetime
    until: datetime | None


class DossierMakeUp(Schema):
    """Shares of the `pages` looked at when the hosts were counted: of near-duplicates, of words
    outside the main text (of the `read` ones), and of addresses of the `pattern` that more than
    half of them have, null where nothing shows them; `flags` are what stands out, in words."""

    pages: int
    near_duplicates: float | None
    read: int
    template: float | None
    pattern: str
    pattern_share: float | None
    flags: list[str]


class DossierRequest(Schema):
    """A request; `purpose` is page, robots, site_file or probe, `size` the bytes of the body as it
    was sent, `gap` the seconds since the crawl's last request, `seq` the number of the page."""

    crawl: int
    at: datetime
    url: str
    status: int | None
    size: int
    failure: str
    purpose: str
    retry_after: float | None
    seq: int | None
    gap: float | None


class DossierOut(Schema):
    """Everything that the topic's crawls asked of a host; `sha256` is that of the content without
    `made_at` and itself, as JSON with sorted keys and without spaces."""

    topic: DossierTopic
    host: str
    crawls: list[DossierCrawl]
    pages: DossierPages
    refused: int
    waiting: int
    robots: list[DossierRobots]
    delays: DossierDelays
    signs: list[DossierSign]
    certificates: list[DossierCertificate]
    make_up: DossierMakeUp | None
    requests: list[DossierRequest]
    made_at: datetime
    sha256: str


class TakeDownOut(Schema):
    """A taking down: `pages` and `versions` are hidden, `everywhere` or in the person's topics, and
    erased at `erase_at` unless it is undone before."""

    id: int
    host: str
    everywhere: bool
    pages: int
    versions: int
    at: datetime
    erase_at: datetime
    erased_at: datetime | None
    undone_at: datetime | None


@router.get(
    "/{int:topic_id}/hosts/{host}/take-downs",
    response={200: list[TakeDownOut], 404: Refusal},
    summary="List when a host was taken down",
)
def list_take_downs(request: SignedInRequest, topic_id: int, host: str) -> Any:
    """Every taking down of the host that concerned the topic, the latest first."""
    return log_of(_host(host), visible(request, topic_id))


@router.post(
    "/{int:topic_id}/hosts/{host}/take-down",
    response={202: TakeDownOut, 404: Refusal, 409: Refusal},
    summary="Take a host down",
)
def take_down_host(request: SignedInRequest, topic_id: int, host: str) -> Any:
    """Hides the host's pages at once, keeps it out of later crawls, and erases them in seven days:
    in all topics of their owner, or in all of the site for an administrator."""
    topic = visible(request, topic_id)
    return Status(202, take_down(request.user, topic, _host(host)))


@router.delete(
    "/{int:topic_id}/hosts/{host}/take-down",
    response={202: TakeDownOut, 404: Refusal, 409: Refusal},
    summary="Undo a taking down",
)
def undo_take_down(request: SignedInRequest, topic_id: int, host: str) -> Any:
    """Shows the host's pages again; administrators only, before they are erased."""
    row = in_force(visible(request, topic_id), _host(host))
    if row is None:
        raise Http404(host)
    undo(row, request.user)
    return Status(202, row)


def _host(name: str) -> str:
    host = host_named(name)
    if host is None:
        raise Http404(name)
    return host


@router.get(
    "/{int:topic_id}/hosts/{host}/dossier",
    response={200: DossierOut, 404: Refusal},
    summary="Read the dossier of a host",
)
def read_dossier(request: SignedInRequest, topic_id: int, host: str) -> Any:
    """Every request to the host, its robots.txt in each version, the delays kept, and the signs
    against use, over the topic's crawls that you may see."""
    topic = visible(request, topic_id)
    crawls = visible_crawls(request.user).filter(topic=topic)
    return as_plain(make_dossier(topic, _host(host), crawls))
