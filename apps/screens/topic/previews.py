"""The preview of the classifier beside a topic's form; nothing is stored."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from apps.accounts.requests import SignedInRequest
from apps.engine.errors import BadWebFile
from apps.engine.intelligence.quality import WEAK_F1, advice
from apps.figures.quantities import number_of
from apps.schemas.numbers import whole_number
from apps.screens.topic.classifier import model_row, term_bars
from apps.screens.topic.languages_widget import sent_languages
from apps.topics.definition.reading import LISTS, Lists, read_lists
from apps.topics.messages import advice_words
from apps.topics.models import Topic
from apps.topics.preview import Preview, preview
from apps.topics.sampling import seed_of
from apps.webs.selectors import recorded_webs

NONE_TO_DRAW = (
    "Your other topics on the same web have too few to draw from: name some, or have them sampled."
)


@require_POST
def show(request: SignedInRequest) -> HttpResponse:
    """The quality of a classifier trained on the lists sent, as HTML."""
    key = request.POST.get("web", "")
    web = recorded_webs(request.user).filter(pk=whole_number(key) or 0).first()
    name = request.POST.get("name", "")
    topic = Topic(
        owner=request.user,
        name=name,
        web=web,
        language=sent_languages(request.POST),
        random_seed=seed_of(name),
    )
    lists = read_lists({name: request.POST.get(name, "") for name in LISTS})
    sample = request.POST.get("without_negatives") == "sample"
    try:
        made = preview(topic, lists, sample)
    except BadWebFile as error:
        return render(request, "topic/preview.html", {"problem": f"No preview: {error.detail}."})
    context = {"live": web is None, **_context(made, lists, sample)}
    return render(request, "topic/preview.html", context)


def _context(made: Preview, lists: Lists, sample: bool) -> dict[str, Any]:
    if made.quality is None:
        return {"needs": _needs(made, lists, sample)}
    quality = asdict(made.quality)
    guiding = quality["models"][0] if quality["models"] else None
    return {
        "quality": quality,
        "judged": quality["positives"] + quality["negatives"] - quality["unjudged"],
        "model": guiding and model_row(guiding),
        "terms": term_bars([*quality["favouring"], *reversed(quality["opposing"])]),
        "weak": guiding is not None and guiding["f1"]["mean"] < WEAK_F1,
        "advices": advice_words(advice(made.quality)),
    }


def _needs(made: Preview, lists: Lists, sample: bool) -> str:
    """`Needs 2 more positive examples and 5 more negative examples.`, and what to do where
    negatives should be drawn from other topics that are not there."""
    lacking = [
        number_of(number, f"more {kind} example")
        for number, kind in zip(made.lacking, ("positive", "negative"), strict=True)
        if number
    ]
    needs = f"Needs {' and '.join(lacking)}."
    if lists.negatives.urls or sample or not made.lacking[1]:
        return needs
    return f"{needs} {NONE_TO_DRAW}"
