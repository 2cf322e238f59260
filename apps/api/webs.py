"""Webs that crawls can run on."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router, Schema

from apps.crawls.models import Web
from apps.crawls.webs import live_web, visible_webs

router = Router(tags=["webs"])


class WebOut(Schema):
    """A web; `source` is live, folder or demo, `served` whether it can be crawled over HTTP."""

    name: str
    source: str
    pages: int | None
    hosts: int | None
    served: bool
    mine: bool


@router.get("", response=list[WebOut], summary="List webs")
def list_webs(request: HttpRequest) -> Any:
    """The live Web, the recorded ones that are everybody's, and those made of your crawls."""
    live_web()
    return [_web(web, request) for web in visible_webs(request.user).order_by("name")]


def _web(web: Web, request: HttpRequest) -> dict[str, Any]:
    return {"name": web.name, "source": web.source, "pages": web.pages, "hosts": web.hosts,
            "served": web.served_port is not None,
            "mine": web.owner_id == request.user.pk}  # fmt: skip
