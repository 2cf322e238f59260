"""The form of a new or an existing topic."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.jobs import queue
from apps.screens.edit_conflicts import (
    BASE,
    EditConflict,
    base_of,
    edit_conflict,
)
from apps.screens.topic import set_aside
from apps.screens.topic.form_parts import further, parts
from apps.screens.topic.forms import TopicForm
from apps.screens.topic.languages_widget import sent_languages
from apps.screens.topic.line_checks import LineReport, line_report
from apps.topics import selectors, services
from apps.topics.definition.schemas import Definition
from apps.topics.examples.other_topics import webs_to_draw_from
from apps.topics.models import Topic
from apps.topics.services import TopicRefused
from apps.webs.selectors import LIVE

FROM_BEGIN = "from_begin"
"""The button of the screen with one sentence that leads here."""
DRAFT_FIELDS = ("draft", "removed", "rather_not", "phrases")
"""Fields of that screen, carried along for the way back."""
BROWSE = "browse"
"""The button that leads to the pages of the form's web."""


def new(request: SignedInRequest) -> HttpResponse:
    """The form of a new topic, on the web in the address if there is one."""
    if FROM_BEGIN in request.POST:
        typed = {**request.POST.dict(), "language": sent_languages(request.POST)}
        return _page(request, TopicForm(owner=request.user, initial=typed))
    kept = set_aside.going_on(request)
    form = TopicForm(
        request.POST or None,
        request.FILES,
        owner=request.user,
        initial=kept.typed if kept else {"web": request.GET.get("web")},
    )
    if BROWSE in request.POST:
        return _browse(request, form)
    if request.method == "POST" and form.is_valid():
        done = _save(request, form)
        if done is not None:
            return done
    return _page(request, form)


def filled(request: SignedInRequest, definition: Definition) -> HttpResponse:
    """The form of a new topic, filled in; nothing is stored before it is saved."""
    form = TopicForm.filled(definition, request.user)
    return _page(request, form)


def edit(request: SignedInRequest, pk: int) -> HttpResponse:
    """The form of a topic the person may change; lines that were not accepted are marked."""
    topic = get_object_or_404(selectors.editable_topics(request.user), pk=pk)
    if request.method == "POST":
        return _edited(request, topic)
    kept = set_aside.going_on(request, topic)
    if kept is None:
        return _page(request, TopicForm.of(topic, request.user), topic)
    form = TopicForm(owner=topic.owner, user=request.user, initial=kept.typed)
    return _page(request, form, topic)


def _edited(request: SignedInRequest, topic: Topic) -> HttpResponse:
    """Saves what was typed, unless the topic was changed elsewhere and nobody has chosen yet which
    of the two versions counts."""
    form = _typed(request, topic, request.POST)
    if BROWSE in request.POST:
        return _browse(request, form, topic)
    conflict = edit_conflict(request.POST, form, TopicForm.of(topic, request.user))
    if conflict is not None and not conflict.settles(request.POST):
        return _page(request, form, topic, conflict)
    if conflict is not None:
        form = _typed(request, topic, conflict.merged(request.POST))
    done = _save(request, form, topic) if form.is_valid() else None
    return done or _page(request, form, topic)


def _typed(request: SignedInRequest, topic: Topic, sent: QueryDict) -> TopicForm:
    return TopicForm(sent, request.FILES, owner=topic.owner, user=request.user)


@require_POST
def leave(request: SignedInRequest) -> HttpResponse:
    """No pages are chosen any longer for the form that was set aside; back to its web."""
    kept = set_aside.waiting(request)
    set_aside.leave(request)
    return redirect("webs:web", kept.web) if kept else redirect("topics:list")


def _browse(request: SignedInRequest, form: TopicForm, topic: Topic | None = None) -> HttpResponse:
    """The pages of the form's web, to choose some; the form again if it has none."""
    web = set_aside.put(request, form, topic)
    return redirect("webs:web", web.pk) if web else _page(request, form, topic)


def _save(
    request: SignedInRequest, form: TopicForm, topic: Topic | None = None
) -> HttpResponse | None:
    """Saves and redirects, back to the form if lines were not accepted; None if refused."""
    try:
        saved = (
            services.edit_topic(topic, form.definition)
            if topic
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
    request: SignedInRequest,
    form: TopicForm,
    topic: Topic | None = None,
    conflict: EditConflict | None = None,
) -> HttpResponse:
    kept = set_aside.going_on(request, topic)
    is_stored = topic is not None and request.method != "POST" and kept is None
    reports = _reports(topic) if topic and is_stored else {}
    drawn_on = [key or LIVE for key in webs_to_draw_from(topic or Topic(owner=request.user))]
    form.offer_negatives({str(key) for key in drawn_on})
    context = {
        "chosen_on": kept and kept.web,
        "form": form,
        "topic": topic,
        "carried": [(n, request.POST[n]) for n in DRAFT_FIELDS if n in request.POST],
        "base": _base(request, form, topic),
        "conflict": conflict,
        "parts": parts(form, reports),
        "further": further(form, reports),
        "drawn_on": drawn_on,
    }
    status = 200 if conflict is None else 409
    return render(request, "topic/form.html", context, status=status)


def _base(request: SignedInRequest, form: TopicForm, topic: Topic | None) -> str:
    """The digests of the version that the form was opened with; empty for a new topic."""
    if topic is None:
        return ""
    return str(form.data.get(BASE) or base_of(TopicForm.of(topic, request.user)))


def _reports(topic: Topic) -> dict[str, LineReport]:
    """The reports on lines that were not accepted, by list."""
    texts = selectors.list_texts(topic)
    errors = selectors.line_errors(topic)
    return {name: line_report(name, texts[name], each) for name, each in errors.items()}
