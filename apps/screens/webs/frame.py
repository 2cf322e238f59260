"""The header of a web's screens: its name, its contents, and the tabs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse

from apps.crawls.web_rows import WebRow, web_row
from apps.topics.selectors import visible_topics
from apps.uploads.models import Upload
from apps.webs.models import Web
from apps.webs.selectors import owned_webs, recorded_webs


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab, with a count if there is one."""

    words: str
    count: int | None
    address: str
    here: bool


def visible_web(request: HttpRequest, pk: int) -> Web:
    """A recorded web that the person may see. Raises Http404."""
    return get_object_or_404(recorded_webs(request.user), pk=pk)


def frame(request: HttpRequest, web: Web, here: str) -> dict[str, Any]:
    """The context of `webs/frame.html`; `here` is the current tab."""
    row, upload = web_row(web, request.user), upload_of(web)
    return {
        "web": web, "row": row, "upload": upload, "tabs": _tabs(request, row, upload, here),
        "mine": owned_webs(request.user).filter(pk=web.pk).exists(),
    }  # fmt: skip


def _tabs(request: HttpRequest, row: WebRow, upload: Upload | None, here: str) -> list[Tab]:
    uses = visible_topics(request.user).filter(web=row.web).count() + len(row.crawls)
    parts = [
        ("web", "Pages", row.web.pages),
        ("labels", "Labels", len(row.labels)),
        ("uses", "Topics and crawls", uses),
    ]
    if upload is not None:
        parts.append(("file", "File", None))
    return [
        Tab(words, count, reverse(f"webs:{name}", args=[row.web.pk]), name == here)
        for name, words, count in parts
    ]


def upload_of(web: Web) -> Upload | None:
    """The upload that the web was made from, if any."""
    return Upload.objects.filter(
        owner=web.owner, kind=Upload.Kind.WEB, name=web.name, job_state=Upload.State.DONE
    ).first()
