"""The header of a web's screens: its name, its contents, and the tabs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import reverse

from apps.accounts.requests import SignedInRequest
from apps.crawls.web_rows import WebRow, web_row
from apps.figures.quantities import count, number_of
from apps.topics.selectors import editable_topics, visible_topics
from apps.uploads.models import Upload
from apps.uploads.rows import LeftOut, left_out_rows
from apps.uploads.services import web_files
from apps.webs.models import Web
from apps.webs.pages.indexing import is_indexed
from apps.webs.pages.tasks import ask_for_index
from apps.webs.selectors import noted_webs, owned_webs, recorded_webs

OFFERED = 8


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab, with a few words on what it has."""

    words: str
    contents: str
    address: str
    here: bool


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file that was imported, and its entries that were skipped."""

    upload: Upload
    left_out: tuple[LeftOut, ...]


def visible_web(request: SignedInRequest, pk: int) -> Web:
    """A recorded web that the person may see. Raises Http404."""
    return get_object_or_404(recorded_webs(request.user), pk=pk)


def being_indexed(web: Web) -> str:
    """Why the web's pages cannot be searched yet, as a sentence; empty if they can. It queues their
    indexing."""
    if is_indexed(web):
        return ""
    job = ask_for_index(web)
    done = f"{count(job.done)} of {count(web.pages)}"
    return job.job_problem or f"The pages are being indexed ({done}): try again in a moment."


def frame(request: SignedInRequest, web: Web, here: str) -> dict[str, Any]:
    """The context of `webs/frame.html`; `here` is the current tab."""
    row, files = web_row(web, request.user), files_of(web)
    made_from = next((each for each in files if each.upload.kind == Upload.Kind.WEB), None)
    return {
        "web": web,
        "row": row,
        "upload": made_from and made_from.upload,
        "files": files,
        "tabs": _tabs(request, row, files, here),
        "mine": owned_webs(request.user).filter(pk=web.pk).exists(),
        "may_note": noted_webs(request.user).filter(pk=web.pk).exists(),
        "crawlable": editable_topics(request.user).filter(web=web).order_by("name")[:OFFERED],
    }


def _tabs(
    request: SignedInRequest, row: WebRow, files: Sequence[UploadedFile], here: str
) -> list[Tab]:
    topics = visible_topics(request.user).filter(web=row.web).count()
    left_out = sum(file.upload.left_out for file in files)
    parts = [
        ("web", "Pages", count(row.web.pages)),
        ("labels", "Labels", count(len(row.labels))),
        ("uses", "Topics", count(topics)),
        ("crawls", "Crawls", count(len(row.crawls))),
    ]
    if row.links is not None:
        parts.append(("links", "Links", count(row.links)))
    if files:
        words = f"{number_of(left_out, 'line')} left out" if left_out else ""
        parts.append(("file", "Files" if len(files) > 1 else "File", words))
    return [
        Tab(words, contents, reverse(f"webs:{name}", args=[row.web.pk]), name == here)
        for name, words, contents in parts
    ]


def files_of(web: Web) -> list[UploadedFile]:
    """The file that the web was made from, if it was uploaded, then its lists of labels."""
    lists = Upload.objects.filter(
        kind=Upload.Kind.LABELS, web=web, job_state=Upload.State.DONE
    ).order_by("pk")
    uploads = (*web_files([web]).values(), *lists)
    return [UploadedFile(each, tuple(left_out_rows(each))) for each in uploads]
