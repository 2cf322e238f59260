"""Recorded webs: the list with its uploads and notes, one web, deleting it."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.crawls.models import Crawl
from apps.crawls.pages.recording import recordings_of
from apps.crawls.selectors import visible_crawls
from apps.crawls.web_rows import web_row
from apps.directories.splits import RULES
from apps.figures.quantities import number_of
from apps.schemas.refused import Refused
from apps.screens.answers import wants_json
from apps.screens.crawls.rows import crawl_rows
from apps.screens.stale_text import ChangedMeanwhile, refuse_stale
from apps.screens.uploads.forms import WebUploadForm
from apps.screens.webs.frame import frame, visible_web
from apps.screens.webs.listing import with_topics
from apps.screens.webs.recordings import recording_rows
from apps.topics.definition.from_pages import LEAST
from apps.topics.from_labels import MOST_TOPICS
from apps.topics.models import Topic
from apps.topics.selectors import listed_topics
from apps.uploads import services
from apps.uploads.models import Upload
from apps.uploads.rows import upload_rows
from apps.uploads.services import uploads_of
from apps.webs.importing import WebRefused
from apps.webs.labels import labels_of
from apps.webs.links import is_counted
from apps.webs.listing import web_listing
from apps.webs.models import Web
from apps.webs.pages.filters.inlinks import INLINKS, WORDS
from apps.webs.pages.indexing import is_indexed
from apps.webs.pages.search import PageSearch, WebPageOrder, labelled
from apps.webs.pages.searching import PageIndex
from apps.webs.selectors import noted_webs, owned_webs
from apps.webs.services import delete_web, set_note

ROWS = 25
LABELS = 200
MOST_SPLITS = 12
SHOWN_CRAWLS = 25
SHOWN_CITED = 25


def webs(request: SignedInRequest) -> HttpResponse:
    """The webs a person may crawl, and the form to upload another one."""
    form = WebUploadForm(
        request.POST or None,
        request.FILES or None,
        user=request.user,
        initial={"web": request.GET.get("labels_of")},
    )
    if request.method == "POST" and form.is_valid() and form.take(request.user) is not None:
        return redirect("webs:list")
    listing = web_listing(request.user, request.GET)
    page = listing.page(request.GET.get("page"))
    shown = listing.all.in_bulk(page.object_list)
    rows = [web_row(shown[pk], request.user) for pk in page if pk in shown]
    return render(
        request,
        "webs/list.html",
        {
            "page": page,
            "rows": with_topics(rows, request.user),
            "listing": listing,
            "heads": {words.lower(): listing.head(words) for words in ("Web", "Pages", "Added")},
            "misread": listing.asked.misread(request.GET),
            "form": form,
            "uploads": upload_rows(uploads_of(request.user, Upload.Kind.WEB, Upload.Kind.LABELS)),
            "recordings": recording_rows(recordings_of(request.user)),
            "unlinked": [row.web.name for row in rows if row.links == 0],
            "uncounted": any(row.links is None and not row.problem for row in rows),
        },
    )


def labels(request: SignedInRequest, pk: int) -> HttpResponse:
    """The labels of a web's pages, each with links to its pages and to a topic of them, and how
    many pages of each part of the web have it (HCLA Table 1)."""
    context = frame(request, visible_web(request, pk), "labels")
    row = context["row"]
    by_split = {} if row.problem else labels_of(row.web).by_split
    splits = list(by_split) if len(by_split) <= MOST_SPLITS else []
    listed = [
        (
            label,
            pages,
            [by_split[split].get(label, 0) for split in splits],
            labelled(label).query(),
        )
        for label, pages in row.labels.items()
    ]
    page = Paginator(listed, LABELS).get_page(request.GET.get("page"))
    return render(
        request,
        "webs/labels.html",
        context
        | {"page": page, "least": LEAST, "rules": RULES, "most": MOST_TOPICS, "splits": splits},
    )


def uses(request: SignedInRequest, pk: int) -> HttpResponse:
    """The topics on a web."""
    context = frame(request, visible_web(request, pk), "uses")
    topics = listed_topics(request.user).filter(web=pk).order_by("name")
    return render(request, "webs/uses.html", context | {"topics": topics})


def crawls(request: SignedInRequest, pk: int) -> HttpResponse:
    """The crawls of a web."""
    context = frame(request, visible_web(request, pk), "crawls")
    newest = visible_crawls(request.user).filter(pk__in=context["row"].crawls[:SHOWN_CRAWLS])
    rows = crawl_rows(list(newest.order_by("-pk")), request.user)
    return render(request, "webs/crawls.html", context | {"crawl_rows": rows})


def links(request: SignedInRequest, pk: int) -> HttpResponse:
    """How the pages of a web are linked: pages by their in-links, and those with the most."""
    web = visible_web(request, pk)
    if not (is_counted(web) and is_indexed(web)):
        return redirect("webs:web", web.pk)
    with PageIndex(web) as index:
        counts = index.counts(PageSearch(), INLINKS)
        cited = index.find(PageSearch(order=WebPageOrder.INLINKS), slice(0, SHOWN_CITED))
    return render(
        request,
        "webs/links.html",
        frame(request, web, "links")
        | {
            "cited": cited,
            "by_inlinks": [
                (words, counts.get(name, 0), PageSearch().having(INLINKS, (name,)).query())
                for name, words in WORDS.items()
            ],
        },
    )


def file(request: SignedInRequest, pk: int) -> HttpResponse:
    """The entries of a web's file, and of the lists of its labels, that were skipped."""
    context = frame(request, visible_web(request, pk), "file")
    if not context["files"]:
        raise Http404("The web was not uploaded.")
    return render(request, "webs/file.html", context)


def take_back(request: SignedInRequest, pk: int, upload: int) -> HttpResponse:
    """Asks whether the labels of a list are to be taken from the web's pages again; the POST does
    it, unless crawls are measured by some of them."""
    web = _owned_web(request, pk)
    labels = get_object_or_404(Upload, pk=upload, web=web, kind=Upload.Kind.LABELS)
    if request.method == "POST":
        try:
            taken = services.take_back(labels)
        except WebRefused as refusal:
            messages.error(request, str(refusal))
            return redirect("webs:file", web.pk)
        messages.success(request, f"{number_of(taken, 'label')} of {labels.file_name} taken back.")
        return redirect("webs:labels", web.pk)
    return render(
        request,
        "webs/take_back.html",
        {
            "web": web,
            "list": labels,
            "made": labels.report.get("made", {}),
        },
    )


@require_POST
def note(request: SignedInRequest, pk: int) -> HttpResponse:
    """Changes the note of a web; responds to a script with the note or the refusal as JSON, to a
    browser with the list."""
    web = get_object_or_404(noted_webs(request.user), pk=pk)
    try:
        refuse_stale(request.POST, "note", web.note)
        set_note(web, request.POST.get("note", ""))
    except Refused as refusal:
        if wants_json(request):
            present = {"present": web.note} if isinstance(refusal, ChangedMeanwhile) else {}
            return JsonResponse({"message": refusal.message, **present}, status=422)
        messages.error(request, refusal.message)
    return JsonResponse({"note": web.note}) if wants_json(request) else redirect("webs:list")


def delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Asks for confirmation, listing what is deleted; the POST deletes, unless crawls or topics use
    the web."""
    web = _owned_web(request, pk)
    if request.method == "POST":
        try:
            delete_web(web)
        except WebRefused as refusal:
            messages.error(request, str(refusal))
            return redirect("webs:web", web.pk)
        messages.success(request, f"{web.name} is deleted.")
        return redirect("webs:list")
    return render(
        request,
        "webs/delete.html",
        {
            "web": web,
            "row": web_row(web, request.user),
            "crawls": Crawl.objects.filter(web=web).count(),
            "topics": Topic.objects.filter(web=web).count(),
        },
    )


def _owned_web(request: SignedInRequest, pk: int) -> Web:
    return get_object_or_404(owned_webs(request.user), pk=pk)
