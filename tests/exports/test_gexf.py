"""The link graph of a collection."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from lxml import etree

from apps.collection.indexing.index import list_pages
from apps.crawls.models import Crawl, FrontierEntry, Outlinks, Page
from apps.crawls.packing import pack_numbers
from apps.exports import gexf, link_graph
from apps.exports.rows import Selection
from tests.crawl_rows import made_crawl, made_page, made_topic

NAMES = {"g": "http://www.gexf.net/1.2draft"}
HOSTILE = "<&\"\x0b\x1f\ufffe]]>\n'é😀"


@pytest.fixture
def crawl(db, data_dir: Path) -> Crawl:
    """Pages 1–4, numbered otherwise than they were fetched; 1 links to all, 4 to itself and 1."""
    crawl = made_crawl(made_topic(get_user_model().objects.create_user("ada")))
    numbers = [0, 7, 3, 5]
    Page.objects.bulk_create(
        [
            made_page(
                crawl,
                seq,
                number=number,
                title=HOSTILE if seq == 2 else f"P{seq}",
                relevant=seq != 3,
                topicality=None if seq == 4 else 0.5,
            )
            for seq, number in enumerate(numbers, 1)
        ]
    )
    Outlinks.objects.bulk_create(
        [
            Outlinks(crawl=crawl, seq=1, targets=pack_numbers([7, 3, 5, 7, 99])),
            Outlinks(crawl=crawl, seq=2, targets=pack_numbers([])),
            Outlinks(crawl=crawl, seq=3, targets=pack_numbers([0])),
            Outlinks(crawl=crawl, seq=4, targets=pack_numbers([5, 0])),
        ]
    )
    return crawl


def graph(*crawls: Crawl, keys: array[int] | None = None):
    return etree.fromstring(b"".join(gexf.export(Selection(crawls, keys=keys))))


def edges(root) -> set[tuple[str, str]]:
    return {(e.get("source"), e.get("target")) for e in root.iterfind(".//g:edge", NAMES)}


def test_pages_are_nodes_and_links_among_them_edges(crawl: Crawl) -> None:
    root, k = graph(crawl), crawl.pk
    nodes = {node.get("id"): node for node in root.iterfind(".//g:node", NAMES)}
    assert set(nodes) == {f"{k}-0", f"{k}-7", f"{k}-3", f"{k}-5"}
    assert edges(root) == {
        (f"{k}-0", f"{k}-7"),
        (f"{k}-0", f"{k}-3"),
        (f"{k}-0", f"{k}-5"),
        (f"{k}-3", f"{k}-0"),
        (f"{k}-5", f"{k}-5"),
        (f"{k}-5", f"{k}-0"),
    }
    names = {a.get("id"): a.get("title") for a in root.iterfind(".//g:attribute", NAMES)}
    values = {names[v.get("for")]: v.get("value") for v in nodes[f"{k}-0"].iter("{*}attvalue")}
    assert values["relevant"] == "true" and values["page"] == "1" and values["crawl"] == str(k)
    assert (values["topicality"], values["votes_for"], values["votes"]) == ("0.5", "2", "3")
    unknown = {names[v.get("for")] for v in nodes[f"{k}-5"].iter("{*}attvalue")}
    assert "topicality" not in unknown


def test_hostile_titles_make_no_markup(crawl: Crawl) -> None:
    labels = [node.get("label") for node in graph(crawl).iterfind(".//g:node", NAMES)]
    assert labels == ["P1", "<&\"]]>\n'é😀", "P3", "P4"]


def test_pages_left_out_take_their_links_along(crawl: Crawl) -> None:
    k, relevant = crawl.pk, crawl.pages_fetched.filter(relevant=True)
    keys = array("q", relevant.values_list("pk", flat=True))
    assert edges(graph(crawl, keys=keys)) == {
        (f"{k}-0", f"{k}-7"),
        (f"{k}-0", f"{k}-5"),
        (f"{k}-5", f"{k}-5"),
        (f"{k}-5", f"{k}-0"),
    }


@pytest.fixture
def other(crawl: Crawl) -> Crawl:
    """Has fetched page 3 of the first crawl as its page 2, and a page of its own; its own page
    links to both, to page 2 of the first crawl, which it has not fetched, and to nowhere."""
    other = made_crawl(crawl.topic)
    Page.objects.bulk_create(
        [
            made_page(other, 1, number=0, url="http://b.test/", final_url="http://b.test/"),
            made_page(other, 2, number=1, url="http://a.test/3", final_url="http://a.test/3"),
        ]
    )
    FrontierEntry.objects.bulk_create(
        [
            FrontierEntry(
                crawl=other, number=number, url=url, parent=-1, depth=0, priority=0, state=state
            )
            for number, (url, state) in enumerate(
                [
                    ("http://b.test/", "f"),
                    ("http://a.test/3", "f"),
                    ("http://a.test/2", "w"),
                    ("http://c.test/", "w"),
                ]
            )
        ]
    )
    Outlinks.objects.create(crawl=other, seq=1, targets=pack_numbers([1, 2, 3, 2]))
    Outlinks.objects.create(crawl=other, seq=2, targets=pack_numbers([0, 2]))
    list_pages(crawl)
    list_pages(other)
    return other


def test_a_page_of_several_crawls_is_one_node_with_the_links_of_all(crawl, other) -> None:
    root, a, b = graph(crawl, other), crawl.pk, other.pk
    assert {node.get("id") for node in root.iterfind(".//g:node", NAMES)} == {
        f"{a}-0",
        f"{a}-7",
        f"{a}-3",
        f"{a}-5",
        f"{b}-0",
    }
    assert edges(root) == edges(graph(crawl)) | {
        (f"{b}-0", f"{a}-3"),
        (f"{b}-0", f"{a}-7"),  # one of them fetched by the first crawl alone
        (f"{a}-3", f"{b}-0"),
        (f"{a}-3", f"{a}-7"),
    }
    assert len(root.findall(".//g:edge", NAMES)) == len(edges(root))
    attribute = root.find(".//g:attribute[@title='crawls']", NAMES).get("id")
    values = root.iterfind(f".//g:attvalue[@for='{attribute}']", NAMES)
    assert [value.get("value") for value in values] == [f"{a}", f"{a}", f"{a};{b}", f"{a}", f"{b}"]


def test_small_chunks_change_nothing(crawl, other, monkeypatch) -> None:
    whole = etree.tostring(graph(crawl, other))
    monkeypatch.setattr(gexf, "CHUNK", 1)
    monkeypatch.setattr(link_graph, "CHUNK", 1)
    assert etree.tostring(graph(crawl, other)) == whole
