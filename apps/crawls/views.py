"""Pages of crawls: the list, the live page with its controls, the form for a new one."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from apps.crawls import services, steering
from apps.crawls.actions import ACTIONS
from apps.crawls.forms import NewCrawlForm
from apps.crawls.models import Crawl
from apps.crawls.restated import restated
from apps.crawls.selectors import visible_crawls
from apps.crawls.services import CrawlRefused
from apps.dashboard.listing import crawl_rows
from apps.dashboard.live import live_context
from apps.topics.lines import storable
from apps.topics.models import Topic

ROWS = 25
OFFERED_TOPICS = 8


def crawl_list(request: HttpRequest) -> HttpResponse:
    """The crawls a person may see, newest first, and their own topics to begin another with."""
    paginator = Paginator(visible_crawls(request.user).order_by("-pk"), ROWS)
    page = paginator.get_page(request.GET.get("page"))
    topics = Topic.objects.filter(owner=request.user).order_by("-changed_at", "-pk")
    context = {
        "page": page,
        "rows": crawl_rows(list(page.object_list)),
        "topics": topics[:OFFERED_TOPICS],
    }
    return render(request, "crawls/list.html", context)


def live(request: HttpRequest, pk: int) -> HttpResponse:
    """A crawl as it runs."""
    crawl = get_object_or_404(visible_crawls(request.user), pk=pk)
    try:
        return render(request, "crawls/live.html", live_context(crawl, request.user))
    except Crawl.DoesNotExist:
        raise Http404 from None


@require_POST
def action(request: HttpRequest, pk: int) -> HttpResponse:
    """Does what `action` says (with `value` where it takes one); only the owner may.

    Answers a script (`Accept: application/json`) with `{ok, field, message}`, a browser with the
    live page. A message of what was done is empty where the page shows it anyway.
    """
    crawl = get_object_or_404(Crawl, pk=pk, owner=request.user)
    verb = ACTIONS.get(request.POST.get("action", ""))
    try:
        if verb is None:
            raise CrawlRefused("action", "There is no such action.")
        said = verb(crawl, request.user, storable(request.POST.get("value", ""))) or ""
    except CrawlRefused as refusal:
        return _refused(request, crawl, refusal)
    if _wants_json(request):
        return JsonResponse({"ok": True, "message": said})
    if said:
        messages.success(request, said)
    return redirect("crawls:live", crawl.pk)


def preview(request: HttpRequest, pk: int) -> HttpResponse:
    """What leaving out `pattern` would take out of the queue, as a piece of HTML."""
    crawl = get_object_or_404(Crawl, pk=pk, owner=request.user)
    pattern = request.GET.get("pattern", "")
    try:
        context = {"pattern": pattern, "preview": steering.preview(crawl, pattern)}
    except CrawlRefused as refusal:
        context = {"refusal": refusal.message}
    return render(request, "crawls/preview.html", context)


def _refused(request: HttpRequest, crawl: Crawl, refusal: CrawlRefused) -> HttpResponse:
    if _wants_json(request):
        answer = {"ok": False, "field": refusal.field, "message": refusal.message}
        return JsonResponse(answer)
    messages.error(request, refusal.message)
    return redirect("crawls:live", crawl.pk)


def _wants_json(request: HttpRequest) -> bool:
    return bool(request.accepts("application/json")) and not request.accepts("text/html")


def new(request: HttpRequest, pk: int) -> HttpResponse:
    """The form for a crawl of one's own topic; `restate` answers with the rail alone."""
    topic = get_object_or_404(Topic, pk=pk, owner=request.user)
    form = NewCrawlForm(topic, request.POST or None)
    if request.POST.get("do") == "restate":
        return render(request, "crawls/rail.html", {"restated": restated(form)})
    if request.method == "POST" and form.is_valid():
        try:
            with transaction.atomic():  # no draft stays behind where it cannot start
                crawl = form.create(request.user)
                if request.POST.get("do") != "draft":
                    services.start(crawl)
            return redirect("crawls:live", crawl.pk)
        except CrawlRefused as refusal:
            form.refuse(refusal)
    context = {"topic": topic, "form": form, "restated": restated(form)}
    return render(request, "crawls/new.html", context)
