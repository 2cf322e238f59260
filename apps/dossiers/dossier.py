"""The dossier of a host in a topic: a view of rows, made anew each time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone

from apps.crawls.models import CertificatePermission, Crawl, HostRecord, Label, Page
from apps.crawls.running.assembly import politeness_of
from apps.crawls.sources.shape import user_agent
from apps.dossiers.delays import Delays, delays_of
from apps.dossiers.requests import AskedRequest, requests_to, sending_crawls
from apps.dossiers.robots import RobotsText, refused_count, robots_texts, versions_of
from apps.dossiers.signs import HostSign, host_signs
from apps.engine.codes import SentFor
from apps.engine.urls import canonical, host_of_canonical
from apps.hosts.models import HostGrouping, HostMakeUp
from apps.topics.models import Topic


@dataclass(frozen=True, slots=True)
class PagesTaken:
    """The pages of a host, how many a judge called relevant and people have labelled, and the bytes
    of their bodies as they were sent."""

    number: int
    relevant: int
    labelled: int
    size: int


@dataclass(frozen=True, slots=True)
class AskingCrawl:
    """A crawl that has asked the host, as whom, and how often."""

    id: int
    name: str
    user_agent: str
    requests: int


@dataclass(frozen=True, slots=True)
class Dossier:
    """Everything that the topic's crawls asked of a host. `refused` are the addresses that its
    robots.txt refused, `waiting` the links to it that are still to be asked; `make_up` is how its
    pages looked when the hosts were counted, None below 20 pages."""

    topic: Topic
    host: str
    made_at: datetime
    requests: list[AskedRequest]
    crawls: list[AskingCrawl]
    pages: PagesTaken
    refused: int
    waiting: int
    robots: list[RobotsText]
    delays: Delays
    signs: list[HostSign]
    certificates: list[CertificatePermission]
    make_up: HostMakeUp | None

    @property
    def robots_requests(self) -> int:
        """How many requests were for a robots.txt."""
        return sum(row.purpose == SentFor.ROBOTS for row in self.requests)

    @property
    def page_requests(self) -> int:
        """How many requests brought a page."""
        return sum(row.seq is not None for row in self.requests)

    @property
    def unanswered(self) -> int:
        """How many requests got no answer."""
        return sum(row.status is None for row in self.requests)


def host_named(name: str) -> str | None:
    """The canonical name of a host, or None if it is none."""
    url = canonical(f"http://{name}/")
    host = None if url is None else host_of_canonical(url)
    return host if host == name.lower() else None


def make_dossier(topic: Topic, host: str, crawls: QuerySet[Crawl]) -> Dossier:
    """The dossier over these crawls of the topic."""
    sending = sending_crawls(crawls)
    requests = requests_to(host, sending)
    versions = versions_of(host, sending)
    texts = robots_texts(host, sending, versions)
    keys = [crawl.pk for crawl in sending]
    records = HostRecord.objects.filter(crawl__in=keys, host=host)
    return Dossier(
        topic=topic,
        host=host,
        made_at=timezone.now(),
        requests=requests,
        crawls=_asking(sending, requests),
        pages=_pages(host, keys),
        refused=refused_count(host, sending),
        waiting=records.aggregate(all=Sum("waiting"))["all"] or 0,
        robots=texts,
        delays=delays_of(requests, sending, versions),
        signs=host_signs(topic, host, sending, texts),
        certificates=list(
            CertificatePermission.objects.filter(topic=topic, host=host).select_related("by")
        ),
        make_up=make_up_of(topic, host),
    )


def make_up_of(topic: Topic, host: str) -> HostMakeUp | None:
    """How the host's pages looked by the last count of the topic's hosts."""
    of_hosts = HostMakeUp.objects.filter(host__topic=topic, host__unit=HostGrouping.HOST)
    return of_hosts.filter(host__name=host).first()


def _asking(crawls: Sequence[Crawl], requests: Sequence[AskedRequest]) -> list[AskingCrawl]:
    number: dict[int, int] = {}
    for request in requests:
        number[request.crawl] = number.get(request.crawl, 0) + 1
    return [
        AskingCrawl(
            crawl.pk,
            str(crawl),
            user_agent(politeness_of(crawl).contact),
            number[crawl.pk],
        )
        for crawl in crawls
        if crawl.pk in number
    ]


def _pages(host: str, keys: Sequence[int]) -> PagesTaken:
    pages = Page.every.filter(crawl__in=keys, host=host).order_by()
    counts = pages.aggregate(
        all=Count("pk"), relevant=Count("pk", filter=Q(relevant=True)), size=Sum("size")
    )
    of_host = {(crawl, seq) for crawl, seq in pages.values_list("crawl_id", "seq")}
    labels = Label.objects.filter(crawl__in=keys, undone_at=None)
    labelled = of_host & set(labels.values_list("crawl_id", "seq"))
    return PagesTaken(counts["all"], counts["relevant"], len(labelled), counts["size"] or 0)
