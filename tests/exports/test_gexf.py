"""The link graph of a collection."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from lxml import etree

from apps.crawls.models import Crawl, Outlinks, Page
from apps.crawls.records import packed
from apps.exports import gexf
from apps.exports.rows import Choice, Selection
from tests.crawl_rows import made_crawl, made_page, made_topic

NAMES = {"g": "http://gexf.net/1.3"}
HOSTILE = '<&"\x0b\x1f\ufffe]]>\n\'é😀'


@pytest.fixture
def crawl(db, data_dir: Path) -> Crawl:
    """Pages 1–4, numbered otherwise than they were fetched; 1 links to all, 4 to itself and 1."""
    crawl = made_crawl(made_topic(get_user_model().objects.create_user("ada")))
    numbers = [0, 7, 3, 5]
    Page.objects.bulk_create(
        [made_page(crawl, seq, number=number, title=HOSTILE if seq == 2 else f"P{seq}",
                   relevant=seq != 3, topicality=None if seq == 4 else 0.5)
         for seq, number in enumerate(numbers, 1)]
    )
    Outlinks.objects.bulk_create(
        [Outlinks(crawl=crawl, seq=1, targets=packed([7, 3, 5, 7, 99])),
         Outlinks(crawl=crawl, seq=2, targets=packed([])),
         Outlinks(crawl=crawl, seq=3, targets=packed([0])),
         Outlinks(crawl=crawl, seq=4, targets=packed([5, 0]))]
    )
    return crawl


def graph(*crawls: Crawl, choice: Choice = Choice()):
    return etree.fromstring(b"".join(gexf.export(Selection(crawls, choice))))


def edges(root) -> set[tuple[str, str]]:
    return {(e.get("source"), e.get("target")) for e in root.iterfind(".//g:edge", NAMES)}


def test_pages_are_nodes_and_links_among_them_edges(crawl: Crawl) -> None:
    root, k = graph(crawl), crawl.pk
    nodes = {node.get("id"): node for node in root.iterfind(".//g:node", NAMES)}
    assert set(nodes) == {f"{k}-0", f"{k}-7", f"{k}-3", f"{k}-5"}
    assert edges(root) == {
        (f"{k}-0", f"{k}-7"), (f"{k}-0", f"{k}-3"), (f"{k}-0", f"{k}-5"),
        (f"{k}-3", f"{k}-0"), (f"{k}-5", f"{k}-5"), (f"{k}-5", f"{k}-0"),
    }
    names = {a.get("id"): a.get("title") for a in root.iterfind(".//g:attribute", NAMES)}
    values = {names[v.get("for")]: v.get("value") for v in nodes[f"{k}-0"].iter("{*}attvalue")}
    assert values["relevant"] == "true" and values["page"] == "1" and values["crawl"] == str(k)
    assert values["topicality"] == "0.5"
    unknown = {names[v.get("for")] for v in nodes[f"{k}-5"].iter("{*}attvalue")}
    assert "topicality" not in unknown


def test_hostile_titles_make_no_markup(crawl: Crawl) -> None:
    labels = [node.get("label") for node in graph(crawl).iterfind(".//g:node", NAMES)]
    assert labels == ["P1", '<&"]]>\n\'é😀', "P3", "P4"]


def test_pages_left_out_take_their_links_along(crawl: Crawl) -> None:
    k = crawl.pk
    assert edges(graph(crawl, choice=Choice(relevant=True))) == {
        (f"{k}-0", f"{k}-7"), (f"{k}-0", f"{k}-5"), (f"{k}-5", f"{k}-5"), (f"{k}-5", f"{k}-0"),
    }


def test_crawls_are_told_apart_and_chunks_not(crawl: Crawl, monkeypatch) -> None:
    other = made_crawl(crawl.topic)
    Page.objects.bulk_create([made_page(other, 1, number=0)])
    Outlinks.objects.create(crawl=other, seq=1, targets=packed([0, 7]))
    whole = graph(crawl, other)
    assert (f"{other.pk}-0", f"{other.pk}-0") in edges(whole)
    monkeypatch.setattr(gexf, "CHUNK", 1)
    assert edges(graph(crawl, other)) == edges(whole)
    assert edges(graph(other, crawl)) == edges(whole)
