"""The form that sets up a crawl."""

from __future__ import annotations

from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from apps.accounts.requests import SignedInRequest
from apps.crawls.commands.lifecycle.start import start
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl
from apps.screens.form_tokens import form_token, new_form_token
from apps.screens.new_crawl.form_summary import form_summary
from apps.screens.new_crawl.forms import NewCrawlForm
from apps.topics.selectors import editable_topics


def new(request: SignedInRequest, pk: int) -> HttpResponse:
    """The form for a crawl of a topic the person may change; `restate` returns only the summary."""
    topic = get_object_or_404(editable_topics(request.user), pk=pk)
    form = NewCrawlForm(topic, request.POST or None, user=request.user)
    if not form.is_bound:
        form.start_with(request.GET)
    if request.POST.get("do") == "restate":
        return render(request, "new_crawl/rail.html", {"summary": form_summary(form)})
    if request.method == "POST" and form.is_valid():
        token = form_token(request.POST)
        try:
            with transaction.atomic():  # no draft is left if it cannot start
                crawl = form.create(topic.owner, token)
                if request.POST.get("do") != "draft":
                    start(crawl)
        except CrawlRefused as refusal:
            form.refuse(refusal)
        except IntegrityError:
            sent_before = Crawl.objects.get(owner=topic.owner, form_token=token)
            return redirect("live:crawl", sent_before.pk)
        else:
            return redirect("live:crawl", crawl.pk)
    context = {
        "topic": topic,
        "form": form,
        "summary": form_summary(form),
        "contact": settings.CONTACT,
        "form_token": request.POST.get("form_token") or new_form_token(),
    }
    return render(request, "new_crawl/form.html", context)
