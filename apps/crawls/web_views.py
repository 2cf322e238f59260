"""Pages of recorded webs: the list with its uploads, one web, sharing and deleting it."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from apps.crawls.importing import WebRefused
from apps.crawls.models import Web
from apps.crawls.web_selectors import owned_webs, recorded_webs, web_row
from apps.crawls.web_services import delete_web, share_web
from apps.dashboard.listing import crawl_rows
from apps.topics.models import Upload
from apps.topics.selectors import visible_topics
from apps.topics.upload_forms import WebUploadForm
from apps.topics.upload_rows import left_out_rows, upload_rows
from apps.topics.uploads import uploads_of

ROWS = 25
SHOWN_LABELS = 100
SHOWN_CRAWLS = 10


def webs(request: HttpRequest) -> HttpResponse:
    """The webs a person may crawl, and the form that takes another one in."""
    form = WebUploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid() and form.take(request.user) is not None:
        return redirect("webs:list")
    page = Paginator(recorded_webs(request.user), ROWS).get_page(request.GET.get("page"))
    return render(request, "crawls/webs.html", {
        "page": page, "rows": [web_row(web, request.user) for web in page], "form": form,
        "uploads": upload_rows(uploads_of(request.user, Upload.Kind.WEB)),
    })


def web(request: HttpRequest, pk: int) -> HttpResponse:
    """One web: what is in it, what of its file was left out, who uses it."""
    found = get_object_or_404(recorded_webs(request.user), pk=pk)
    row = web_row(found, request.user)
    labels = list(row.labels.items())
    upload = Upload.objects.filter(
        owner=found.owner, kind=Upload.Kind.WEB, name=found.name, state=Upload.State.DONE
    ).first()
    return render(request, "crawls/web.html", {
        "web": found, "row": row, "labels": labels[:SHOWN_LABELS], "label_count": len(labels),
        "mine": owned_webs(request.user).filter(pk=pk).exists(),
        "topics": visible_topics(request.user).filter(web=found).order_by("name"),
        "crawl_rows": crawl_rows(list(row.crawls[:SHOWN_CRAWLS])),
        "upload": upload, "left_out": left_out_rows(upload) if upload else (),
    })


@require_POST
def action(request: HttpRequest, pk: int) -> HttpResponse:
    """Shares one's own web, or takes that back."""
    found = _own(request, pk)
    if request.POST.get("action") not in ("share", "unshare"):
        messages.error(request, "There is no such action.")
    else:
        share_web(found, request.POST["action"] == "share")
        messages.success(request, _SHARED if found.shared else _UNSHARED)
    return redirect("webs:web", found.pk)


_SHARED = "Everybody who can sign in may crawl this web now."
_UNSHARED = "Only you may use this web for new topics and crawls now."


def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Asks once, with what goes; the POST deletes, unless crawls or topics use the web."""
    found = _own(request, pk)
    if request.method == "POST":
        try:
            delete_web(found)
        except WebRefused as refusal:
            messages.error(request, str(refusal))
            return redirect("webs:web", found.pk)
        messages.success(request, f"{found.name} is deleted.")
        return redirect("webs:list")
    row = web_row(found, request.user)
    return render(request, "crawls/delete_web.html", {"web": found, "row": row})


def _own(request: HttpRequest, pk: int) -> Web:
    return get_object_or_404(owned_webs(request.user), pk=pk)
