"""Opt-outs that a topic's sites declare in robots.txt, tdmrep.json and ai.txt."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

from ninja import Router, Schema

from apps.accounts.requests import SignedInRequest
from apps.api.refusals import Refusal
from apps.api.topics.topics import visible
from apps.crawls.opt_outs.selectors import host_opt_outs

router = Router(tags=["hosts"])


class HostOptOutOut(Schema):
    """A sign in a file of a host: `text` as written, whether it `reserves` something, the `rules`
    for which addresses, as in robots.txt, since when it was read there, when it was read last, and
    when it was gone (null while it stands)."""

    title: str
    path: str
    text: str
    reserves: bool
    rules: str
    since: datetime
    read_at: datetime
    ended_at: datetime | None


class HostFileOut(Schema):
    """A file that was asked for: when it was read last, and the answer's status code, 0 without an
    answer."""

    path: str
    read_at: datetime
    status: int


class HostOptOutsOut(Schema):
    signs: list[HostOptOutOut]
    files: list[HostFileOut]


@router.get(
    "/{int:topic_id}/opt-outs",
    response={200: HostOptOutsOut, 404: Refusal},
    summary="Show what a host reserves",
)
def show_opt_outs(request: SignedInRequest, topic_id: int, host: str) -> Any:
    """The opt-outs in a host's robots.txt, tdmrep.json and ai.txt, as read by crawls of the topic;
    both lists are empty for a host that no crawl has requested."""
    return asdict(host_opt_outs(visible(request, topic_id), host))
