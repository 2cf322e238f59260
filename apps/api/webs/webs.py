"""Webs that crawls can run on: listed, uploaded, made of crawls' pages, shared, deleted."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from ninja import File, Form, Query, Router, Schema, Status, UploadedFile

from apps.accounts.requests import SignedInRequest
from apps.api.filters import check_search, with_search
from apps.api.paging import ListPage, Paging, paged
from apps.api.refusals import Refusal
from apps.api.uploads import UploadOut, upload_of
from apps.crawls.models import Recording
from apps.crawls.pages.recording import RecordingSent, ask_for_recording, withdraw
from apps.crawls.web_rows import web_row
from apps.topics.from_labels import LabelTopics, division_like, make_topics_of_labels
from apps.uploads.models import Upload
from apps.uploads.services import take_back, take_upload
from apps.webs.listing import WebListing, WebSearch
from apps.webs.models import Web
from apps.webs.selectors import live_web, noted_webs, owned_webs, recorded_webs, visible_webs
from apps.webs.services import delete_web, set_note

router = Router(tags=["webs"])


class WebOut(Schema):
    """A web; `source` is live, folder or demo, `served` whether it can be crawled over HTTP."""

    id: int
    name: str
    note: str
    source: str
    pages: int | None
    hosts: int | None
    served: bool
    mine: bool
    shared: bool


class WebNote(Schema):
    """One line of up to 200 characters, or nothing."""

    note: str


class WebDetail(WebOut):
    """`labels` counts pages by label, `labelled` those with any; `links` lead from page to page,
    null until they are counted; `size` is bytes on the disk; `crawls` are the numbers of the
    visible ones that use it, `others` counts the rest; `made_of_crawls` are those whose pages it
    has. `problem` is why it cannot be opened."""

    labels: dict[str, int]
    labelled: int
    links: int | None
    made_of_crawls: list[int]
    size: int
    crawls: list[int]
    others: int
    problem: str


class RecordingOut(Schema):
    """A web that is made of the pages of `crawls`. `state` is waiting, working, done or failed;
    then `problem` is the reason. `done` of `pages` are read."""

    id: int
    name: str
    crawls: list[int]
    label: str
    pages: int
    done: int
    state: str
    problem: str


class WebList(ListPage):
    items: list[WebOut]


@with_search(WebSearch)
class WebFilter(Paging):
    """A search of the list of webs; several values of one filter are alternatives."""


@router.get("", response={200: WebList, 422: Refusal}, summary="List webs")
def list_webs(request: SignedInRequest, wanted: Query[WebFilter]) -> Any:
    """The live Web, everybody's recorded webs, your own, and those shared with you, newest
    first."""
    live_web()
    search = check_search(request, WebSearch.read(request.GET, {"user": request.user}))
    webs = WebListing(visible_webs(request.user), search).matches
    return paged(webs, wanted, lambda web: _web(web, request))


@router.post("", response={202: UploadOut, 422: Refusal}, summary="Upload a web")
def upload_web(
    request: SignedInRequest,
    file: File[UploadedFile],
    name: Form[str],
    redirects: File[UploadedFile | None] = None,
    leave_out_bad: Form[bool] = False,
) -> Any:
    """JSON lines (`{"url", "html", "topics"}`, plain or gzipped), WARC or WACZ, up to 4 GB. It is
    imported in the background; the upload shows its progress. With `leave_out_bad` lines that are
    not pages are skipped and counted, otherwise the first one ends the import. `redirects` is one
    JSON object `{"from": "to"}`."""
    upload = take_upload(
        request.user, Upload.Kind.WEB, name, file, redirects, leave_out_bad=leave_out_bad
    )
    return Status(202, upload_of(upload))


@router.post(
    "/{int:web_id}/labels",
    response={202: UploadOut, 404: Refusal, 422: Refusal},
    summary="Add labels to a web",
)
def upload_labels(
    request: SignedInRequest,
    web_id: int,
    file: File[UploadedFile],
    leave_out_bad: Form[bool] = False,
) -> Any:
    """A list with an address and a label a line (CSV or TSV, plain or gzipped) for the pages of a
    web of your own, which keep the labels that they have. Addresses without a page are skipped and
    counted. With `leave_out_bad` lines that are not an address and a label are skipped as well,
    otherwise the first one ends the import. A topic's true label is given to no further page."""
    upload = take_upload(
        request.user,
        Upload.Kind.LABELS,
        "",
        file,
        web=_owned_web(request, web_id),
        leave_out_bad=leave_out_bad,
    )
    return Status(202, upload_of(upload))


@router.delete(
    "/{int:web_id}/labels/{int:upload_id}",
    response={204: None, 404: Refusal, 409: Refusal},
    summary="Take labels back",
)
def take_labels_back(request: SignedInRequest, web_id: int, upload_id: int) -> Any:
    """Takes the labels of a list, by the number of its upload, from the pages of a web of your own
    again. Refused if crawls are measured by one of them."""
    web = _owned_web(request, web_id)
    take_back(get_object_or_404(Upload, pk=upload_id, web=web, kind=Upload.Kind.LABELS))
    return Status(204, None)


@router.post(
    "/from-crawls",
    response={202: RecordingOut, 422: Refusal},
    summary="Make a web of crawls' pages",
)
def record(request: SignedInRequest, sent: RecordingSent) -> Any:
    """A web of the stored pages of crawls that you may see, made in the background. Each address is
    there once, as the newest of the crawls fetched it."""
    return Status(202, recording_of(ask_for_recording(request.user, sent)))


@router.get(
    "/from-crawls/{int:recording_id}",
    response={200: RecordingOut, 404: Refusal},
    summary="Show a web in the making",
)
def show_recording(request: SignedInRequest, recording_id: int) -> Any:
    """How far a web of crawls' pages is, or why it could not be made."""
    return recording_of(get_object_or_404(Recording, owner=request.user, pk=recording_id))


@router.delete(
    "/from-crawls/{int:recording_id}",
    response={204: None, 404: Refusal},
    summary="Cancel a web in the making",
)
def cancel_recording(request: SignedInRequest, recording_id: int) -> Any:
    """Stops the making, of which nothing is kept. A web that is made stays."""
    withdraw(get_object_or_404(Recording, owner=request.user, pk=recording_id))
    return Status(204, None)


@router.get("/{int:web_id}", response={200: WebDetail, 404: Refusal}, summary="Show a web")
def show_web(request: SignedInRequest, web_id: int) -> Any:
    """One web with its contents and the crawls that use it."""
    web = get_object_or_404(visible_webs(request.user), pk=web_id)
    row = web_row(web, request.user)
    return _web(web, request) | {
        "labels": dict(row.labels),
        "labelled": row.labelled,
        "links": row.links,
        "made_of_crawls": web.made_of_crawls,
        "size": row.size,
        "others": row.others,
        "crawls": list(row.crawls),
        "problem": row.problem,
    }


@router.patch(
    "/{int:web_id}",
    response={200: WebOut, 404: Refusal, 422: Refusal},
    summary="Change a web's note",
)
def change(request: SignedInRequest, web_id: int, sent: WebNote) -> Any:
    """Writes the note of a web of your own; administrators may also write those of everybody's."""
    web = get_object_or_404(noted_webs(request.user), pk=web_id)
    set_note(web, sent.note)
    return _web(web, request)


@router.delete(
    "/{int:web_id}", response={204: None, 404: Refusal, 409: Refusal}, summary="Delete a web"
)
def delete(request: SignedInRequest, web_id: int) -> Any:
    """Deletes it with its pages; this cannot be undone. Refused while crawls or topics use it."""
    delete_web(_owned_web(request, web_id))
    return Status(204, None)


def _owned_web(request: SignedInRequest, pk: int) -> Web:
    return get_object_or_404(owned_webs(request.user), pk=pk)


def recording_of(recording: Recording) -> dict[str, Any]:
    """One web in the making in the form of `RecordingOut`."""
    return {
        "id": recording.pk,
        "name": recording.name,
        "crawls": recording.crawls,
        "label": recording.label,
        "pages": recording.pages,
        "done": recording.done,
        "state": recording.job_state,
        "problem": recording.job_problem,
    }


def _web(web: Web, request: SignedInRequest) -> dict[str, Any]:
    return {
        "id": web.pk,
        "name": web.name,
        "note": web.note,
        "source": web.source,
        "pages": web.pages,
        "hosts": web.hosts,
        "served": web.served_port is not None,
        "mine": web.owner_id == request.user.pk,
        "shared": web.shared,
    }


class TopicOfLabel(Schema):
    """A topic by its number."""

    topic: int
    name: str


@router.post(
    "/{int:web_id}/topics",
    response={201: list[TopicOfLabel], 404: Refusal, 422: Refusal},
    summary="Make topics of all labels",
)
def make_topics(request: SignedInRequest, web_id: int, wanted: LabelTopics) -> Any:
    """A topic of each label of 20 pages or more, divided by the rule of a paper; those that you
    have already stay as they are. Their examples are fetched in the background."""
    web = get_object_or_404(recorded_webs(request.user), pk=web_id)
    topics = make_topics_of_labels(
        request.user,
        web,
        most=wanted.most,
        random_seed=wanted.random_seed,
        division=division_like(wanted.rule),
    )
    return Status(201, [{"topic": topic.pk, "name": topic.name} for topic in topics])
