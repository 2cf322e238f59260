"""The hosts of a topic: counted over all its crawls, and decided on."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema
from pydantic import Field

from apps.accounts.requests import SignedInRequest
from apps.api.filters import check_search, with_search
from apps.api.paging import ListPage, Paging, PagingQuery, paged
from apps.api.refusals import Refusal
from apps.api.topics.topics import editable, visible
from apps.hosts import services
from apps.hosts.alike import alike_hosts
from apps.hosts.listing import HostListing, HostSearch
from apps.hosts.models import HostSummary
from apps.hosts.network import host_network
from apps.hosts.services import Decided
from apps.hosts.tasks import refresh
from apps.schemas.input import Input
from apps.schemas.one_of import OneOf
from apps.topics.hosts import STATES
from apps.topics.models import HostAct

router = Router(tags=["hosts of topics"])


class TopicHostOut(Schema):
    """A host, a domain or a platform's user over all crawls of a topic; `decision` is in, out or
    undecided, `harvest` the share of relevant pages among the `judged`, null without any,
    `linked_from` the number of other hosts that link to it, `waiting` the links in all frontiers.
    `make_up` says what stands out of how its pages look, as in its dossier."""

    name: str
    unit: str
    decision: str
    pages: int
    judged: int
    relevant: int
    harvest: float | None
    linked_from: int
    language: str
    first_seen: datetime | None
    waiting: int
    make_up: list[str]


class TopicHostPage(ListPage):
    """`counted_at` is when they were counted, `counting` whether a newer count is under way."""

    counted_at: datetime | None
    counting: bool
    items: list[TopicHostOut]


@with_search(HostSearch)
class TopicHostFilter(Paging):
    """Selects hosts of a topic."""


class HostsSent(Input):
    """Hosts as in `a.example`, `*.a.example` or `a.example/~name`, and what they are from now
    on."""

    hosts: Annotated[tuple[str, ...], Field(strict=False, min_length=1, max_length=10_000)]
    state: Annotated[str, OneOf(STATES)]


class HostActOut(Schema):
    """A decision on hosts: `act` is the key to undo it, `crawls` the number of running crawls that
    follow it, `waiting` the number of links in the frontier to these hosts."""

    act: int
    hosts: list[str]
    state: str
    waiting: int
    crawls: int


class HostLinkOut(Schema):
    """The number of links from one host to another; of a page that two crawls have fetched they
    count for each."""

    source: str
    target: str
    links: int


class AlikeHostsOut(Schema):
    """Two hosts, and the cosine of the means of their pages' vectors in percent."""

    host: str
    other: str
    similarity: int


class AlikeHostsPage(ListPage):
    items: list[AlikeHostsOut]


class HostLinkPage(ListPage):
    items: list[HostLinkOut]


@router.get(
    "/{int:topic_id}/hosts",
    response={200: TopicHostPage, 404: Refusal, 422: Refusal},
    summary="List the hosts of a topic",
)
def list_topic_hosts(
    request: SignedInRequest, topic_id: int, wanted: Query[TopicHostFilter]
) -> Any:
    """The hosts that the topic's crawls have met, by the most relevant pages unless `order` says
    otherwise."""
    topic = visible(request, topic_id)
    search = check_search(request, HostSearch.read(request.GET))
    job = refresh(topic)
    rows = paged(HostListing(topic, search).matches, wanted, _row)
    return {**rows, "counted_at": job.counted_at, "counting": job.is_under_way}


@router.post(
    "/{int:topic_id}/hosts",
    response={200: HostActOut, 404: Refusal, 422: Refusal},
    summary="Decide on hosts of a topic",
)
def decide_on_hosts(request: SignedInRequest, topic_id: int, sent: HostsSent) -> Any:
    """Takes the hosts in, out or as undecided; crawls under way obey at once, others at their next
    start."""
    topic = editable(request, topic_id)
    return _act(services.decide(topic, sent.hosts, sent.state, request.user))


@router.post(
    "/{int:topic_id}/hosts/acts/{int:act_id}/undo",
    response={200: HostActOut, 404: Refusal, 422: Refusal},
    summary="Undo a decision on hosts",
)
def undo_host_act(request: SignedInRequest, topic_id: int, act_id: int) -> Any:
    """Restores what was before, except for hosts decided on since."""
    act = get_object_or_404(HostAct, topic=editable(request, topic_id), pk=act_id)
    return _act(services.undo(act, request.user))


@router.get(
    "/{int:topic_id}/hosts/links",
    response={200: HostLinkPage, 404: Refusal},
    summary="List the links between hosts of a topic",
)
def list_host_links(request: SignedInRequest, topic_id: int, paging: PagingQuery) -> Any:
    """The 20,000 pairs of hosts with the most links, among the 1,500 most linked hosts."""
    topic = visible(request, topic_id)
    refresh(topic)
    network = host_network(topic)
    names = [host.name for host in network.nodes]
    return paged(
        network.edges,
        paging,
        lambda edge: {"source": names[edge[0]], "target": names[edge[1]], "links": edge[2]},
    )


@router.get(
    "/{int:topic_id}/hosts/alike",
    response={200: AlikeHostsPage, 404: Refusal},
    summary="List the hosts of a topic whose pages have words in common",
)
def list_alike_hosts(request: SignedInRequest, topic_id: int, paging: PagingQuery) -> Any:
    """The 1,500 most linked hosts, each with the five hosts whose pages are nearest to its own."""
    topic = visible(request, topic_id)
    refresh(topic)
    nodes = host_network(topic).nodes
    names = [host.name for host in nodes]
    return paged(
        alike_hosts(topic, nodes),
        paging,
        lambda pair: {"host": names[pair[0]], "other": names[pair[1]], "similarity": pair[2]},
    )


def _row(host: HostSummary) -> dict[str, Any]:
    names = TopicHostOut.model_fields.keys() - {"make_up", "harvest"}
    columns = {name: getattr(host, name) for name in names}
    return columns | {
        "harvest": host.harvest_rate,
        "decision": host.decision or "undecided",
        "make_up": list(host.flags),
    }


def _act(decided: Decided) -> dict[str, Any]:
    act = decided.act
    return {
        "act": act.pk,
        "hosts": act.names,
        "state": act.to or "undecided",
        "waiting": act.waiting,
        "crawls": decided.crawls,
    }
