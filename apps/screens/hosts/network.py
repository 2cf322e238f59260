"""The network of a topic's hosts: what the browser draws, and where the hosts stay.

Hosts are connected by their links, or `by=words` by pages with words in common.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_POST
from pydantic import Field

from apps.accounts.requests import SignedInRequest
from apps.hosts.alike import alike_hosts
from apps.hosts.models import HostSummary
from apps.hosts.network import MOST_NODES, HostNetwork, host_network, keep_positions
from apps.schemas.input import Input
from apps.schemas.json_text import read_json
from apps.schemas.refused import Refused
from apps.topics.models import Topic
from apps.topics.selectors import editable_topics, visible_topics

Coordinate = Annotated[float, Field(ge=-1e9, le=1e9, allow_inf_nan=False)]

Position = Annotated[tuple[int, Coordinate, Coordinate], Field(strict=False)]


class PositionsSent(Input):
    """Key, x and y of each host."""

    positions: Annotated[tuple[Position, ...], Field(strict=False, max_length=MOST_NODES)]


def as_json(request: SignedInRequest, pk: int) -> JsonResponse:
    """The most linked hosts and what connects them."""
    topic = get_object_or_404(visible_topics(request.user), pk=pk)
    network = connected_hosts(topic, is_by_words(request))
    nodes = [_node(host) for host in network.nodes]
    return JsonResponse({"nodes": nodes, "edges": network.edges, "of": network.of})


def is_by_words(request: SignedInRequest) -> bool:
    return request.GET.get("by") == "words"


def connected_hosts(topic: Topic, by_words: bool) -> HostNetwork:
    """The most linked hosts, whatever connects them."""
    network = host_network(topic)
    return replace(network, edges=alike_hosts(topic, network.nodes)) if by_words else network


@require_POST
def positions(request: SignedInRequest, pk: int) -> HttpResponse:
    """Stores where hosts were laid out, unless they have a position already."""
    topic = get_object_or_404(editable_topics(request.user), pk=pk)
    try:
        sent = PositionsSent.read(read_json(request.body, "positions"))
    except Refused as refusal:
        return JsonResponse({"message": str(refusal)}, status=422)
    keep_positions(topic, {key: (x, y) for key, x, y in sent.positions})
    return JsonResponse({"ok": True})


def _node(host: HostSummary) -> dict[str, Any]:
    columns = ("name", "pages", "relevant", "decision", "waiting", "language", "x", "y")
    own = {name: getattr(host, name) for name in columns}
    return {"key": host.pk, "harvest": host.harvest_rate} | own
