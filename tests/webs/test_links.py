"""Links of a recorded web, compared with a slow twin that reads every page for every question."""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from apps.engine.errors import BadWebFile
from apps.engine.networking.webs.virtual_web import read
from apps.engine.parsing.document import parse
from apps.webs.links import WebLinks, count_links, is_counted, links_path
from apps.webs.models import Web
from apps.webs.opening import open_web
from tests.crawls.run_here import made_web
from tests.made_web import MadeWeb

MADE = MadeWeb(pages=60, hosts=4)


@pytest.fixture
def web(db, data_dir: Path) -> Web:
    return made_web(data_dir, MADE)


def slow_links(web: Web) -> dict[str, set[str]]:
    """By page the pages that link to it, over redirects."""
    opened = open_web(web)
    linked: dict[str, set[str]] = {url: set() for url in opened.urls()}
    for url in linked:
        for link in parse(read(opened, url)).links.urls:
            answer = read(opened, link)
            if not answer.failure and answer.final_url != url:
                linked[answer.final_url].add(url)
    return linked


def test_it_counts_pages_that_link_to_a_page(web: Web) -> None:
    assert not is_counted(web)
    assert count_links(web) and is_counted(web)
    links, slow = WebLinks(links_path(web)), slow_links(web)
    assert dict(links) == {url: len(citing) for url, citing in slow.items()}
    assert sum(links.values()) > 60 and len(links) == 60
    out = Counter(source for citing in slow.values() for source in citing)
    stored = sqlite3.connect(links_path(web)).execute("SELECT url, outlinks FROM pages")
    assert dict(stored) == {url: out[url] for url in slow}
    assert links.get("http://h0.test/nowhere") is None


def test_it_names_the_pages_that_link_to_one_the_most_cited_first(web: Web) -> None:
    count_links(web)
    links, slow = WebLinks(links_path(web)), slow_links(web)
    cited = Counter({url: len(citing) for url, citing in slow.items()})
    for url, citing in slow.items():
        named = links.linking_to(url, 10)
        counts = [cited[each] for each in named]
        assert set(named) <= citing and len(named) == min(10, len(citing))
        assert counts == sorted(counts, reverse=True)
        assert counts == sorted((cited[each] for each in citing), reverse=True)[:10]
    assert links.linking_to("http://h0.test/nowhere", 10) == []


def test_the_graph_has_every_link_once_and_all_in_links(web: Web) -> None:
    count_links(web)
    links = WebLinks(links_path(web))
    urls, (inlinks, sources, targets) = [*links], links.graph()
    assert inlinks.tolist() == [links[url] for url in urls]
    linked = {(urls[a], urls[b]) for a, b in zip(sources.tolist(), targets.tolist(), strict=True)}
    assert linked == {(a, b) for b, of in slow_links(web).items() for a in of}
    assert len(linked) == len(sources)


def test_a_count_that_is_cut_off_leaves_nothing(web: Web) -> None:
    assert not count_links(web, lambda: False)
    assert list(links_path(web).parent.iterdir()) == []


def test_a_web_that_has_been_counted_is_not_read_again(web: Web) -> None:
    count_links(web)
    web.folder = "gone"
    assert count_links(web)


def test_a_web_that_cannot_be_read_is_reported_and_leaves_nothing(web: Web) -> None:
    web.folder = "gone"
    with pytest.raises(BadWebFile):
        count_links(web)
    assert list(links_path(web).parent.iterdir()) == []
    with pytest.raises(BadWebFile, match="count the web's links again"):
        WebLinks(links_path(web))


def test_counts_at_the_same_time_leave_each_other_alone(web: Web) -> None:
    path = links_path(web)
    path.parent.mkdir(parents=True, exist_ok=True)
    other = path.with_name(f"{path.name}.1.part")
    older = path.with_name(path.name.replace("-v", "-v0"))
    other.touch()
    older.touch()
    assert count_links(web) and is_counted(web)
    assert other.is_file() and not older.is_file()
