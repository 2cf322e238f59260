"""Recorded webs: the list with its uploads and notes, one web, deleting it."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from apps.crawls.models import Crawl
from apps.crawls.pages.recording import recordings_of
from apps.crawls.web_rows import web_row
from apps.figures.quantities import number_of
from apps.schemas.input import Refused
from apps.screens.answers import wants_json
from apps.screens.crawls.rows import crawl_rows
from apps.screens.uploads.forms import WebUploadForm
from apps.screens.webs.choices import INLINK_WORDS
from apps.screens.webs.frame import frame, visible_web
from apps.screens.webs.listing import list_webs, with_topics
from apps.screens.webs.recordings import recording_rows
from apps.topics.definition.from_pages import LEAST
from apps.topics.models import Topic
from apps.topics.selectors import listed_topics
from apps.uploads import services
from apps.uploads.models import Upload
from apps.uploads.rows import upload_rows
from apps.uploads.services import uploads_of
from apps.webs.importing import WebRefused
from apps.webs.links import is_counted
from apps.webs.models import Web
from apps.webs.pages.filters import Order, PageFilters
from apps.webs.pages.indexing import is_indexed
from apps.webs.pages.searching import PageIndex
from apps.webs.selectors import noted_webs, owned_webs, recorded_webs
from apps.webs.services import delete_web, set_note

ROWS = 25
LABELS = 200
SHOWN_CRAWLS = 25
SHOWN_CITED = 25


def webs(request: HttpRequest) -> HttpResponse:
    """The webs a person may crawl, and the form to upload another one."""
    form = WebUploadForm(request.POST or None, request.FILES or None, user=request.user,
                         initial={"web": request.GET.get("labels_of")})
    if request.method == "POST" and form.is_valid() and form.take(request.user) is not None:
        return redirect("webs:list")
    rows, whose, words = list_webs(request.user, request.GET)
    page = Paginator(rows, ROWS).get_page(request.GET.get("page"))
    return render(request, "webs/list.html", {
        "page": page, "rows": with_topics(list(page), request.user), "whose": whose,
        "words": words, "form": form, "all_webs": recorded_webs(request.user).count(),
        "pages": sum(row.web.pages or 0 for row in rows), "size": sum(row.size for row in rows),
        "uploads": upload_rows(
            uploads_of(request.user, Upload.Kind.WEB, Upload.Kind.LABELS)
        ),
        "recordings": recording_rows(recordings_of(request.user)),
        "unlinked": [row.web.name for row in page if row.links == 0],
        "uncounted": any(row.links is None and not row.problem for row in page),
    })


def labels(request: HttpRequest, pk: int) -> HttpResponse:
    """The labels of a web's pages, each with links to its pages and to a topic of them."""
    context = frame(request, visible_web(request, pk), "labels")
    listed = [(label, pages, PageFilters(labels=(label,)).query())
              for label, pages in context["row"].labels.items()]  # fmt: skip
    page = Paginator(listed, LABELS).get_page(request.GET.get("page"))
    return render(request, "webs/labels.html", context | {"page": page, "least": LEAST})


def uses(request: HttpRequest, pk: int) -> HttpResponse:
    """The topics on a web."""
    context = frame(request, visible_web(request, pk), "uses")
    topics = listed_topics(request.user).filter(web=pk).order_by("name")
    return render(request, "webs/uses.html", context | {"topics": topics})


def crawls(request: HttpRequest, pk: int) -> HttpResponse:
    """The crawls of a web."""
    context = frame(request, visible_web(request, pk), "crawls")
    rows = crawl_rows(list(context["row"].crawls[:SHOWN_CRAWLS]), request.user)
    return render(request, "webs/crawls.html", context | {"crawl_rows": rows})


def links(request: HttpRequest, pk: int) -> HttpResponse:
    """How the pages of a web are linked: pages by their in-links, and those with the most."""
    web = visible_web(request, pk)
    if not (is_counted(web) and is_indexed(web)):
        return redirect("webs:web", web.pk)
    with PageIndex(web) as index:
        counts = index.facets(PageFilters()).inlinks
        cited = index.find(PageFilters(order=Order.INLINKS), slice(0, SHOWN_CITED))
    return render(request, "webs/links.html", frame(request, web, "links") | {
        "cited": cited, "by_inlinks": [
            (words, counts.get(name, 0), PageFilters(inlinks=(name,)).query())
            for name, words in INLINK_WORDS.items()
        ],
    })  # fmt: skip


def file(request: HttpRequest, pk: int) -> HttpResponse:
    """The entries of a web's file, and of the lists of its labels, that were skipped."""
    context = frame(request, visible_web(request, pk), "file")
    if not context["files"]:
        raise Http404("The web was not uploaded.")
    return render(request, "webs/file.html", context)


def take_back(request: HttpRequest, pk: int, upload: int) -> HttpResponse:
    """Asks whether the labels of a list are to be taken from the web's pages again; the POST does
    it, unless crawls are measured by some of them."""
    web = _own(request, pk)
    found = get_object_or_404(Upload, pk=upload, web=web, kind=Upload.Kind.LABELS)
    if request.method == "POST":
        try:
            taken = services.take_back(found)
        except WebRefused as refusal:
            messages.error(request, str(refusal))
            return redirect("webs:file", web.pk)
        messages.success(request, f"{number_of(taken, 'label')} of {found.file_name} taken back.")
        return redirect("webs:labels", web.pk)
    return render(request, "webs/take_back.html", {
        "web": web, "list": found, "made": found.report.get("made", {}),
    })


@require_POST
def note(request: HttpRequest, pk: int) -> HttpResponse:
    """Changes the note of a web; responds to a script with the note or the refusal as JSON, to a
    browser with the list."""
    found = get_object_or_404(noted_webs(request.user), pk=pk)
    try:
        set_note(found, request.POST.get("note", ""))
    except Refused as refusal:
        if wants_json(request):
            return JsonResponse({"message": refusal.message}, status=422)
        messages.error(request, refusal.message)
    return JsonResponse({"note": found.note}) if wants_json(request) else redirect("webs:list")


def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Asks for confirmation, listing what is deleted; the POST deletes, unless crawls or topics use
    the web."""
    found = _own(request, pk)
    if request.method == "POST":
        try:
            delete_web(found)
        except WebRefused as refusal:
            messages.error(request, str(refusal))
            return redirect("webs:web", found.pk)
        messages.success(request, f"{found.name} is deleted.")
        return redirect("webs:list")
    return render(request, "webs/delete.html", {
        "web": found, "row": web_row(found, request.user),
        "crawls": Crawl.objects.filter(web=found).count(),
        "topics": Topic.objects.filter(web=found).count(),
    })


def _own(request: HttpRequest, pk: int) -> Web:
    return get_object_or_404(owned_webs(request.user), pk=pk)
