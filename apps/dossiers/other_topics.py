"""Other topics whose crawls have sent requests to the same host."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Sum

from apps.crawls.models import HostRecord
from apps.crawls.selectors import visible_crawls
from apps.topics.models import Topic
from apps.topics.selectors import visible_topics


@dataclass(frozen=True, slots=True)
class OtherTopic:
    """A topic and how many pages of the host its crawls have taken."""

    topic: Topic
    pages: int


def other_topics(topic: Topic, host: str, reader: User) -> list[OtherTopic]:
    """The other topics that the reader may see, most pages first."""
    crawls = visible_crawls(reader).exclude(topic=topic).order_by().values("pk")
    records = HostRecord.objects.filter(crawl__in=crawls, host=host, pages__gt=0).order_by()
    pages = dict(records.values_list("crawl__topic").annotate(all=Sum("pages")))
    topics = visible_topics(reader).filter(pk__in=pages)
    rows = [OtherTopic(each, pages[each.pk]) for each in topics]
    return sorted(rows, key=lambda row: (-row.pages, row.topic.name))
