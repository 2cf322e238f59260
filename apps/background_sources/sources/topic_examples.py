"""The examples of the topics of one web."""

from __future__ import annotations

from collections.abc import Iterator

from django.contrib.auth.models import User
from django.db.models import QuerySet

from apps.background_sources.sources.source import BackgroundSource, Progress, Text
from apps.background_sources.sources.webs import web_of, web_words
from apps.backgrounds.models import Background
from apps.figures.quantities import number_of
from apps.schemas.input import Input, Key
from apps.schemas.refused import Refused
from apps.topics.inputs.page_references import documents
from apps.topics.models import Example
from apps.topics.selectors import visible_topics


class ExamplesOptions(Input):
    """`web` is the key of a recorded web, None the live Web."""

    web: Key | None = None


def examples(owner: User, web: int | None) -> QuerySet[Example]:
    """The fetched training examples of the topics that the owner sees, without the demo's."""
    topics = visible_topics(owner).filter(web=web, is_demo=False)
    return Example.objects.filter(
        topic__in=topics.values("pk"), role=Example.Role.TRAIN, fetch=Example.Fetch.FETCHED
    ).order_by("topic_id", "pk")


def _check(owner: User, options: ExamplesOptions) -> None:
    web_of(owner, options.web)
    if not examples(owner, options.web).exists():
        raise Refused("web", f"No topic of {web_words(options.web)} has fetched examples yet.")


def _gather(background: Background, options: ExamplesOptions, progress: Progress) -> Iterator[Text]:
    rows = examples(background.owner, options.web)
    row_of = {row.url: row for row in rows}
    for done, row in enumerate(row_of.values(), 1):
        reference = {
            "file": row.file,
            "offset": row.offset,
            "length": row.length,
            "digest": row.digest,
        }
        for document in documents(row.topic_id, [reference]):
            yield Text(document.words[: document.visible], (row.url, row.final_url))
        progress(done, len(row_of))


def _made_of(background: Background, options: ExamplesOptions, texts: int) -> str:
    topics = examples(background.owner, options.web).order_by().values("topic").distinct().count()
    return f"examples of {number_of(topics, 'topic')} of {web_words(options.web)}"


TOPIC_EXAMPLES = BackgroundSource(
    id="topics",
    title="Examples of topics",
    sentence="All examples of the topics that you see on one web. A topic that uses it leaves its"
    " own out.",
    options=ExamplesOptions,
    check=_check,
    gather=_gather,
    made_of=_made_of,
    name=lambda owner, options: f"Examples of {web_words(options.web)}",
)
