"""The form of a new or an existing topic."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from apps.jobs import queue
from apps.screens.topic import set_aside
from apps.screens.topic.form_parts import further, parts
from apps.screens.topic.forms import TopicForm
from apps.screens.topic.line_checks import LineReport, line_report
from apps.topics import selectors, services
from apps.topics.definition.schemas import Definition
from apps.topics.examples.other_topics import webs_to_draw_from
from apps.topics.models import Topic
from apps.topics.services import TopicRefused

BROWSE = "browse"
"""The button that leads to the pages of the form's web."""


def new(request: HttpRequest) -> HttpResponse:
    """The form of a new topic, on the web in the address if there is one."""
    kept = set_aside.going_on(request)
    form = TopicForm(request.POST or None, request.FILES, owner=request.user,
                     initial=kept.typed if kept else {"web": request.GET.get("web")})  # fmt: skip
    if BROWSE in request.POST:
        return _browse(request, form)
    if request.method == "POST" and form.is_valid():
        done = _save(request, form)
        if done is not None:
            return done
    return _page(request, form)


def filled(request: HttpRequest, definition: Definition) -> HttpResponse:
    """The form of a new topic, filled in; nothing is stored before it is saved."""
    form = TopicForm.filled(definition, request.user)
    return _page(request, form)


def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """The form of a topic the person may change; lines that were not accepted are marked."""
    topic = get_object_or_404(selectors.editable_topics(request.user), pk=pk)
    form = TopicForm.of(topic, request.user)
    kept = set_aside.going_on(request, topic)
    if kept or request.method == "POST":
        form = TopicForm(request.POST or None, request.FILES, owner=topic.owner, user=request.user,
                         initial=kept and kept.typed)  # fmt: skip
    if BROWSE in request.POST:
        return _browse(request, form, topic)
    if request.method == "POST" and form.is_valid():
        done = _save(request, form, topic)
        if done is not None:
            return done
    return _page(request, form, topic)


@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    """No pages are chosen any longer for the form that was set aside; back to its web."""
    kept = set_aside.waiting(request)
    set_aside.leave(request)
    return redirect("webs:web", kept.web) if kept else redirect("topics:list")


def _browse(
    request: HttpRequest, form: TopicForm, topic: Topic | None = None
) -> HttpResponse:
    """The pages of the form's web, to choose some; the form again if it has none."""
    web = set_aside.put(request, form, topic)
    return redirect("webs:web", web.pk) if web else _page(request, form, topic)


def _save(
    request: HttpRequest, form: TopicForm, topic: Topic | None = None
) -> HttpResponse | None:
    """Saves and redirects, back to the form if lines were not accepted; None if refused."""
    try:
        saved = (
            services.edit_topic(topic, form.definition) if topic
            else services.create_topic(request.user, form.definition)
        )
    except TopicRefused as refusal:
        form.add_error(refusal.field or None, refusal.message)
        return None
    set_aside.forget(request, topic)
    if saved.examples_changed or form.wants_sample:
        work = Topic.Work.GATHERING if form.wants_sample else Topic.Work.FETCHING
        queue.enqueue(saved.topic, work_wanted=work)
    if not saved.errors and "crawl" in request.POST:
        return redirect("new_crawl:form", saved.topic.pk)
    if not saved.errors:
        return redirect("topic:detail", saved.topic.pk)
    messages.warning(request, "The topic is saved, except for the lines marked below.")
    return redirect("topic:edit", saved.topic.pk)


def _page(
    request: HttpRequest, form: TopicForm, topic: Topic | None = None
) -> HttpResponse:
    kept = set_aside.going_on(request, topic)
    is_stored = topic is not None and request.method != "POST" and kept is None
    reports = _reports(topic) if topic and is_stored else {}
    drawn_on = webs_to_draw_from(topic or Topic(owner=request.user))
    context = {
        "chosen_on": kept and kept.web,
        "form": form, "topic": topic, "parts": parts(form, reports),
        "further": further(form, reports),
        "drawn_on": [key or "live" for key in drawn_on],
    }
    return render(request, "topic/form.html", context)


def _reports(topic: Topic) -> dict[str, LineReport]:
    """The reports on lines that were not accepted, by list."""
    texts = selectors.list_texts(topic)
    errors = selectors.line_errors(topic)
    return {name: line_report(name, texts[name], each) for name, each in errors.items()}
