"""Pages of earlier crawls."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Annotated

from django.contrib.auth.models import User
from django.db.models import QuerySet
from pydantic import Field

from apps.background_sources.sources.source import (
    DRAWN,
    BackgroundSource,
    Progress,
    Seed,
    Size,
    Text,
)
from apps.backgrounds.models import Background
from apps.crawls.models import Crawl, Page
from apps.crawls.pages.bodies import Bodies
from apps.crawls.selectors import visible_crawls
from apps.engine.parsing.document import parse
from apps.figures.quantities import number_of
from apps.schemas.input import Input, Key
from apps.schemas.refused import Refused
from apps.topics.sampling import sampling_key


class CrawlPagesOptions(Input):
    """`size` pages of these crawls, or of all that the owner sees, drawn by `seed`."""

    crawls: Annotated[tuple[Key, ...], Field(strict=False, max_length=1_000)] = ()
    size: Size = DRAWN
    seed: Seed = 1


def chosen_crawls(owner: User, options: CrawlPagesOptions) -> QuerySet[Crawl]:
    """The crawls with pages."""
    crawls = visible_crawls(owner).filter(pages__gt=0)
    return crawls.filter(pk__in=options.crawls) if options.crawls else crawls


def _check(owner: User, options: CrawlPagesOptions) -> None:
    if not chosen_crawls(owner, options).exists():
        raise Refused(
            "crawls",
            "No crawl that you see has fetched a page"
            + (" under these numbers." if options.crawls else " yet."),
        )


def _gather(
    background: Background, options: CrawlPagesOptions, progress: Progress
) -> Iterator[Text]:
    crawls = {crawl.pk: crawl for crawl in chosen_crawls(background.owner, options)}
    page_of = {
        url: (crawl, seq)
        for crawl, seq, url in Page.objects.filter(crawl__in=crawls)
        .order_by("-crawl_id", "seq")
        .values_list("crawl_id", "seq", "final_url")
    }
    drawn = sorted(page_of, key=lambda url: sampling_key(options.seed, url))[: options.size]
    with ExitStack() as opened:
        bodies = {pk: opened.enter_context(Bodies(crawl)) for pk, crawl in crawls.items()}
        for done, url in enumerate(drawn, 1):
            crawl, seq = page_of[url]
            page = Page.objects.get(crawl=crawl, seq=seq)
            document = parse(bodies[crawl].answer(page))
            yield Text(
                document.words[: document.visible],
                (page.url, page.final_url),
                crawls[crawl].topic_id,
            )
            progress(done, len(drawn))


def _made_of(background: Background, options: CrawlPagesOptions, texts: int) -> str:
    crawls = chosen_crawls(background.owner, options).count()
    return f"{number_of(texts, 'page')} of {number_of(crawls, 'crawl')}, drawn evenly"


EARLIER_CRAWLS = BackgroundSource(
    id="crawls",
    title="Pages of earlier crawls",
    sentence="Pages that crawls have fetched, drawn evenly. A topic leaves out those of its own"
    " crawls, which are mostly on the topic.",
    options=CrawlPagesOptions,
    check=_check,
    gather=_gather,
    made_of=_made_of,
    name=lambda owner, options: "Earlier crawls",
)
