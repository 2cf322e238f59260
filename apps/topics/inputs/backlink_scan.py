"""Finding pages that link to a topic's examples in its recorded web (LC §10.4)."""

from __future__ import annotations

from collections.abc import Callable

from apps.topics.models import Example, InputPage, Topic
from apps.webs.links import WebLinks, count_links, is_counted, links_path
from apps.webs.models import Web

PER_EXAMPLE = 10
# Larger webs are scanned only on request.
COUNTED_UNASKED = 5_000

Kind, Origin = InputPage.Kind, InputPage.Origin


def scan_web(topic: Topic, is_requested: bool, heartbeat: Callable[[], bool]) -> None:
    """Counts the links of the topic's recorded web, if that has not been done, and finds
    back-links.

    A large web is scanned only if `is_requested`. Raises BadWebFile.
    """
    web = topic.recorded_web
    if web is None:
        return
    small = (web.pages or 0) <= COUNTED_UNASKED
    if not is_counted(web) and not ((is_requested or small) and count_links(web, heartbeat)):
        return
    find_backlinks(topic, web)


def find_backlinks(topic: Topic, web: Web) -> None:
    """Updates the back-link pages of the scan: at most ten for each training example.

    Of the pages that link to an example the ten with the most in-links count, as LC took the first
    ten of a search engine. Pages that the analyst named stay unchanged.
    """
    wanted = _linking_urls(topic, WebLinks(links_path(web)))
    here = topic.input_pages.filter(kind=Kind.BACKLINK)
    here.filter(origin=Origin.FOUND).exclude(url__in=wanted).delete()
    existing = set(here.values_list("url", flat=True)) | _held_back(topic)
    InputPage.objects.bulk_create(
        InputPage(topic=topic, url=url, kind=Kind.BACKLINK, origin=Origin.FOUND)
        for url in wanted
        if url not in existing
    )


def _held_back(topic: Topic) -> set[str]:
    """Targets and judging examples: no strategy may learn from them."""
    judging = topic.examples.filter(role=Example.Role.EVALUATE)
    held = set(topic.targets.values_list("url", flat=True))
    held |= set(judging.values_list("url", flat=True))
    return held | set(judging.values_list("final_url", flat=True))


def _linking_urls(topic: Topic, links: WebLinks) -> list[str]:
    examples = topic.examples.filter(role=Example.Role.TRAIN, fetch=Example.Fetch.FETCHED)
    urls: dict[str, None] = {}
    for url in examples.order_by("-relevant", "id").values_list("final_url", flat=True):
        urls.update(dict.fromkeys(links.linking_to(url, PER_EXAMPLE)))
    links.close()
    return list(urls)
