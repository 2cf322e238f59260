"""Reading crawls for people, commands and the API."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from apps.accounts.sharing import shared_with
from apps.crawls.models import Crawl
from apps.engine.codes import State
from apps.search.values import any_of
from apps.topics.models import Topic
from apps.topics.selectors import editable_topics, visible_topics


def at_host(host: str, *fields: str) -> Q:
    """The condition for an address in one of these fields to be a host's."""
    begins = (f"http://{host}/", f"https://{host}/")
    return any_of(Q(**{f"{field}__startswith": begin}) for field in fields for begin in begins)


def visible_crawls(user: User) -> QuerySet[Crawl]:
    """The crawls a person may see: their own, shared ones, and crawls of shared topics."""
    return _crawls(user, to_edit=False)


def commonly_visible_crawls(topic: Topic) -> QuerySet[Crawl]:
    """The crawls of a topic that all who may label it may see: people with whom the topic is shared
    see each of them, its owner their own and those shared with them."""
    return visible_crawls(topic.owner).filter(topic=topic, deleted_at=None)


def editable_crawls(user: User) -> QuerySet[Crawl]:
    """The crawls a person may steer and label: their own, and those shared with them for editing,
    directly or with their topic."""
    return _crawls(user, to_edit=True)


def editable_among(crawls: Iterable[Crawl], user: User) -> set[int]:
    """The keys of those of these crawls that a person may steer; the database is asked only about
    other people's."""
    owners = {crawl.pk: crawl.owner_id for crawl in crawls}
    own = {pk for pk, owner in owners.items() if owner == user.pk}
    if not (others := owners.keys() - own):
        return own
    return own | set(editable_crawls(user).filter(pk__in=others).values_list("pk", flat=True))


def many_crawls(crawls: QuerySet[Crawl]) -> QuerySet[Crawl]:
    """The same crawls, to be read by the hundred: without what only their live pages show, and with
    each topic and web read once."""
    return _plain(crawls).prefetch_related("topic", "web")


def many_of_topic(topic: Topic, user: User) -> list[Crawl]:
    """The crawls of a topic that a person may see, the newest first, read as by `many_crawls`."""
    crawls = list(_plain(visible_crawls(user).filter(topic=topic)).prefetch_related("web"))
    for crawl in crawls:
        crawl.topic = topic
    return crawls


def _plain(crawls: QuerySet[Crawl]) -> QuerySet[Crawl]:
    plain = crawls.select_related(None).prefetch_related(None)
    return plain.defer("metrics", "queue_head", "heat", "load")


def crawls_of_rows(crawls: QuerySet[Crawl]) -> QuerySet[Crawl]:
    """The same crawls, to be shown as rows of a list: without what only their live pages and the
    pages of their topics show."""
    return crawls.defer("queue_head", "heat", "topic__quality", "topic__typed")


def owned_crawls(user: User) -> QuerySet[Crawl]:
    """The crawls a person may share and delete."""
    return Crawl.objects.filter(owner=user).select_related("topic", "web", "owner")


def _crawls(user: User, *, to_edit: bool) -> QuerySet[Crawl]:
    which = (
        Q(owner=user)
        | Q(pk__in=shared_with(Crawl, user, to_edit=to_edit))
        | Q(topic__in=shared_with(Topic, user, to_edit=to_edit))
    )
    rows = Crawl.objects.filter(which).select_related("topic", "web", "owner")
    return rows.prefetch_related("shares")


def visible_recipes(user: User) -> QuerySet[Crawl]:
    """The crawls whose recipe a person may have; it contains the topic, so both must be visible."""
    return visible_crawls(user).filter(topic__in=visible_topics(user).values("pk"))


def editable_recipes(user: User) -> QuerySet[Crawl]:
    """The crawls that a person may run again: those of topics they may change."""
    return visible_crawls(user).filter(topic__in=editable_topics(user).values("pk"))


def queue_position(crawl: Crawl) -> int | None:
    """How many crawls wait ahead of this one for a worker, or None if it does not wait."""
    if crawl.state != State.QUEUED or crawl.enqueued_at is None:
        return None
    return Crawl.objects.filter(
        state=State.QUEUED, runner="", enqueued_at__lt=crawl.enqueued_at
    ).count()
