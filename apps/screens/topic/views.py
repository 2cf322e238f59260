"""The page of a topic: definition, targets, inputs, classifier, examples and crawls."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from apps.accounts.requests import SignedInRequest
from apps.crawls.selectors import visible_crawls
from apps.crawls.targets import state_counts, target_rows
from apps.screens.comparison_link import newest_compared
from apps.screens.crawls.rows import crawl_rows
from apps.screens.topic.background import background_view
from apps.screens.topic.classifier import classifier_view
from apps.topics import selectors
from apps.topics.inputs import sampled_negatives
from apps.topics.inputs.catalogue import input_lists
from apps.topics.inputs.inlinks import status_words
from apps.topics.inputs.relevant_set import pages_at_hand
from apps.topics.messages import WORK
from apps.topics.models import Example, Target

ROWS = 25
SHOWN_TARGETS = 5
SHOWN_MISJUDGED = 5
SHOWN_CRAWLS = 10


def detail(request: SignedInRequest, pk: int) -> HttpResponse:
    """One topic: its definition, targets, classifier, examples and crawls."""
    topic = get_object_or_404(selectors.visible_topics(request.user), pk=pk)
    counts = selectors.example_counts(topic)
    kind = request.GET.get("examples", "positive")
    kind = kind if kind in selectors.KINDS else "positive"
    examples = Paginator(selectors.examples_of_kind(topic, kind), ROWS)
    crawls = visible_crawls(request.user).filter(topic=topic)
    misjudged = None if request.GET.get("misjudged") == "all" else SHOWN_MISJUDGED
    targets = target_rows(topic, request.user)
    draws_negatives = sampled_negatives.are_wanted(topic)
    context = {
        "topic": topic,
        "mine": topic.owner_id == request.user.pk,
        "may_change": selectors.editable_topics(request.user).filter(pk=topic.pk).exists(),
        "work": WORK.get(topic.work),
        "counts": counts,
        "negatives_drawn": topic.examples.filter(source=Example.Source.OTHER_TOPIC).exists(),
        "suspects": topic.examples.filter(left_out=True).order_by("-probability"),
        "untaken": sum(map(len, selectors.line_errors(topic).values())),
        "seeds": topic.seeds.count(),
        "target_count": len(targets),
        "targets_found": sum(bool(target.crawls) for target in targets),
        "targets_left": sum(not target.crawls for target in targets),
        "targets": targets[: _target_limit(request)],
        "target_states": state_counts(targets),
        "targets_gone": sum(target.state == Target.State.GONE for target in targets),
        "target_pages": pages_at_hand(topic)[0],
        "class_pages": selectors.page_counts(topic.class_pages.all()),
        "input_rows": [row for each in input_lists() if (row := each.row(topic))],
        "status_words": status_words(topic),
        "classifier": classifier_view(topic, misjudged, draws_negatives),
        "sampled_negatives": draws_negatives,
        "background": background_view(topic, request.user),
        "kind": kind,
        "kinds": [(name, name.capitalize(), counts[name].all) for name in selectors.KINDS],
        "examples": examples.get_page(request.GET.get("page")),
        "crawl_count": crawls.count(),
        "compare": newest_compared(crawls.filter(pages__gt=0).values_list("pk", flat=True)),
        "crawl_rows": crawl_rows(list(crawls.order_by("-pk")[:SHOWN_CRAWLS]), request.user),
    }
    return render(request, "topic/detail.html", context)


def _target_limit(request: SignedInRequest) -> int:
    return 1_000 if request.GET.get("targets") == "all" else SHOWN_TARGETS
