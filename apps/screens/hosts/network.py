"""The network of a topic's hosts: what the browser draws, and where the hosts stay."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_POST
from pydantic import Field

from apps.accounts.requests import SignedInRequest
from apps.hosts.models import HostSummary
from apps.hosts.network import MOST_NODES, host_network, keep_positions
from apps.schemas.input import Input, Refused
from apps.schemas.json_text import read_json
from apps.topics.selectors import editable_topics, visible_topics

Coordinate = Annotated[float, Field(ge=-1e9, le=1e9, allow_inf_nan=False)]

Position = Annotated[tuple[int, Coordinate, Coordinate], Field(strict=False)]


class PositionsSent(Input):
    """Key, x and y of each host."""

    positions: Annotated[tuple[Position, ...], Field(strict=False, max_length=MOST_NODES)]


def as_json(request: SignedInRequest, pk: int) -> JsonResponse:
    """The most linked hosts and the links between them."""
    topic = get_object_or_404(visible_topics(request.user), pk=pk)
    network = host_network(topic)
    nodes = [_node(host) for host in network.nodes]
    return JsonResponse({"nodes": nodes, "edges": network.edges, "of": network.of})


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
    columns = ("name", "pages", "relevant", "harvest", "decision", "waiting", "language", "x", "y")
    return {"key": host.pk} | {name: getattr(host, name) for name in columns}
