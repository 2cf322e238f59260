"""Pages of topics: the list, the form, one topic with its examples and its classifier."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from apps.crawls.selectors import visible_crawls
from apps.dashboard.listing import crawl_rows
from apps.topics import selectors, services, sharing, work
from apps.topics.classifier_view import classifier_view, guiding_f1
from apps.topics.forms import TopicForm
from apps.topics.messages import WORK, line_words, list_words
from apps.topics.models import Example, Target, Topic
from apps.topics.provenance import number_of
from apps.topics.services import TopicRefused
from apps.topics.source_rows import source_rows, status_words
from apps.topics.target_checks import ask_for_check
from apps.topics.target_rows import state_counts, target_rows

ROWS = 25
SHOWN_TARGETS = 5
SHOWN_MISJUDGED = 5
SHOWN_CRAWLS = 10


def topic_list(request: HttpRequest) -> HttpResponse:
    """The topics a person may see, last changed first."""
    page = Paginator(selectors.listed_topics(request.user), ROWS).get_page(request.GET.get("page"))
    rows = [(topic, guiding_f1(topic)) for topic in page]
    return render(request, "topics/list.html", {"page": page, "rows": rows})


def new(request: HttpRequest) -> HttpResponse:
    """The form of a topic that is not there yet."""
    form = TopicForm(request.POST or None, request.FILES, owner=request.user)
    if request.method == "POST" and form.is_valid():
        done = _save(request, form, lambda d: services.create_topic(request.user, d))
        if done is not None:
            return done
    return render(request, "topics/form.html", {"form": form, "sections": _sections(form, {})})


def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """The form of one's own topic; lines that were not taken stand in it, marked."""
    topic = get_object_or_404(selectors.owned_topics(request.user), pk=pk)
    form = TopicForm.of(topic)
    if request.method == "POST":
        form = TopicForm(request.POST, request.FILES, owner=request.user)
    if request.method == "POST" and form.is_valid():
        done = _save(request, form, lambda d: services.edit_topic(topic, d))
        if done is not None:
            return done
    errors = {} if request.method == "POST" else _error_lines(topic)
    context = {"form": form, "topic": topic, "sections": _sections(form, errors)}
    return render(request, "topics/form.html", context)


def _save(
    request: HttpRequest, form: TopicForm, save: Callable[[Any], services.Saved]
) -> HttpResponse | None:
    """Saves and moves on, back to the form where lines were not taken; None where refused."""
    try:
        saved = save(form.definition())
    except TopicRefused as refusal:
        form.add_error(refusal.field or None, refusal.message)
        return None
    if saved.examples_changed:
        work.ask(saved.topic, Topic.Work.FETCHING)
    if not saved.errors:
        return redirect("topics:detail", saved.topic.pk)
    messages.warning(request, "The topic is saved but for the lines marked below.")
    return redirect("topics:edit", saved.topic.pk)


def _error_lines(topic: Topic) -> dict[str, dict[str, Any]]:
    """By list: a sentence, and each line not taken with its number and why."""
    texts = selectors.list_texts(topic)
    found = {}
    for name, errors in selectors.line_errors(topic).items():
        lines = sum(1 for line in texts[name].splitlines() if line.strip())
        found[name] = {
            "sentence": list_words(name, errors, lines - len(errors)),
            "lines": [(e.number, e.text, line_words(e)) for e in errors],
        }
    return found


SECTIONS = (
    ("Definition", ("name", "web", "keywords", "description")),
    ("Where crawls begin", ("seeds",)),
    ("Examples", ("positives", "negatives", "negatives_per_positive")),
    ("Targets", ("targets",)),
    ("Judging", ("evaluation_positives", "evaluation_negatives")),
    ("Sources", ("inlinks", "backlinks", "corpus")),
    ("Further", ("language", "web_label", "shared")),
)


def _sections(form: TopicForm, errors: dict[str, Any]) -> list[tuple[str, list[Any]]]:
    return [
        (title, [{"bound": form[name], "lines": errors.get(name)} for name in names])
        for title, names in SECTIONS
    ]


def detail(request: HttpRequest, pk: int) -> HttpResponse:
    """One topic: its definition, targets, classifier, examples and crawls."""
    topic = get_object_or_404(selectors.visible_topics(request.user), pk=pk)
    counts = selectors.example_counts(topic)
    kind = request.GET.get("examples", "positive")
    kind = kind if kind in selectors.KINDS else "positive"
    examples = Paginator(selectors.examples_of_kind(topic, kind), ROWS)
    crawls = visible_crawls(request.user).filter(topic=topic)
    misjudged = None if request.GET.get("misjudged") == "all" else SHOWN_MISJUDGED
    targets = target_rows(topic, request.user)
    context = {
        "topic": topic,
        "mine": topic.owner_id == request.user.pk,
        "work": WORK.get(topic.work),
        "counts": counts,
        "untaken": sum(map(len, selectors.line_errors(topic).values())),
        "seeds": topic.seeds.count(),
        "target_count": len(targets),
        "targets_found": sum(bool(target.crawls) for target in targets),
        "targets_left": sum(not target.crawls for target in targets),
        "targets": targets[: _target_limit(request)],
        "target_states": state_counts(targets),
        "targets_gone": sum(target.state == Target.State.GONE for target in targets),
        "source_rows": source_rows(topic),
        "status_words": status_words(topic),
        "classifier": classifier_view(topic, misjudged),
        "kind": kind,
        "kinds": [(name, name.capitalize(), counts[name].all) for name in selectors.KINDS],
        "examples": examples.get_page(request.GET.get("page")),
        "crawl_count": crawls.count(),
        "crawl_rows": crawl_rows(list(crawls.order_by("-pk")[:SHOWN_CRAWLS])),
    }
    return render(request, "topics/detail.html", context)


def _target_limit(request: HttpRequest) -> int:
    return 1_000 if request.GET.get("targets") == "all" else SHOWN_TARGETS


def _fetch(topic: Topic, request: HttpRequest) -> None:
    services.fetch_again(topic)


def _train(topic: Topic, request: HttpRequest) -> None:
    work.ask(topic, Topic.Work.TRAINING)


def _gather(topic: Topic, request: HttpRequest) -> None:
    work.ask(topic, Topic.Work.GATHERING)


def _scan(topic: Topic, request: HttpRequest) -> None:
    work.ask(topic, Topic.Work.SCANNING)


def _check(topic: Topic, request: HttpRequest) -> None:
    ask_for_check(topic)


def _remove_gone(topic: Topic, request: HttpRequest) -> None:
    removed = services.remove_gone_targets(topic)
    messages.success(request, f"{number_of(removed, 'target')} removed.")


def _relabel(topic: Topic, request: HttpRequest) -> None:
    services.relabel(_example(topic, request))


def _remove(topic: Topic, request: HttpRequest) -> None:
    services.remove_example(_example(topic, request))


def _share(topic: Topic, request: HttpRequest) -> None:
    sharing.share(topic)
    messages.success(request, "Everybody who can sign in may look at this topic now.")


def _unshare(topic: Topic, request: HttpRequest) -> None:
    sharing.unshare(topic)
    messages.success(request, "Only you see this topic now; crawls are shared one by one.")


def _example(topic: Topic, request: HttpRequest) -> Example:
    key = request.POST.get("example", "")
    return get_object_or_404(topic.examples, pk=int(key) if key.isdigit() else 0)


ACTIONS: dict[str, Callable[[Topic, HttpRequest], None]] = {
    "fetch": _fetch,
    "train": _train,
    "gather": _gather,
    "scan": _scan,
    "check": _check,
    "remove_gone": _remove_gone,
    "relabel": _relabel,
    "remove": _remove,
    "share": _share,
    "unshare": _unshare,
}


@require_POST
def action(request: HttpRequest, pk: int) -> HttpResponse:
    """Does what `action` says to one's own topic, then shows it again."""
    topic = get_object_or_404(selectors.owned_topics(request.user), pk=pk)
    verb = ACTIONS.get(request.POST.get("action", ""))
    if verb is None:
        messages.error(request, "There is no such action.")
    else:
        verb(topic, request)
    return redirect("topics:detail", topic.pk)


def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Asks once, with what goes; the POST deletes."""
    topic = get_object_or_404(selectors.owned_topics(request.user), pk=pk)
    if request.method == "POST":
        try:
            services.delete_topic(topic)
            messages.success(request, f"{topic.name} is deleted.")
            return redirect("topics:list")
        except TopicRefused as refusal:
            messages.error(request, refusal.message)
            return redirect("topics:detail", topic.pk)
    return render(request, "topics/delete.html", {"topic": topic, "crawls": topic.crawls.count()})
