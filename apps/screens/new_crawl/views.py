"""The form that sets up a crawl."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from apps.crawls.commands.start import start
from apps.crawls.errors import CrawlRefused
from apps.screens.new_crawl.form_summary import form_summary
from apps.screens.new_crawl.forms import NewCrawlForm
from apps.topics.selectors import editable_topics


def new(request: HttpRequest, pk: int) -> HttpResponse:
    """The form for a crawl of a topic the person may change; `restate` returns only the summary."""
    topic = get_object_or_404(editable_topics(request.user), pk=pk)
    form = NewCrawlForm(topic, request.POST or None, user=request.user)
    if request.POST.get("do") == "restate":
        return render(request, "new_crawl/rail.html", {"summary": form_summary(form)})
    if request.method == "POST" and form.is_valid():
        try:
            with transaction.atomic():  # no draft is left if it cannot start
                crawl = form.create(topic.owner)
                if request.POST.get("do") != "draft":
                    start(crawl)
            return redirect("live:crawl", crawl.pk)
        except CrawlRefused as refusal:
            form.refuse(refusal)
    context = {"topic": topic, "form": form, "summary": form_summary(form)}
    return render(request, "new_crawl/form.html", context)
