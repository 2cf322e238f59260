"""Status locality over a whole web."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from apps.demo.web import DemoWeb
from apps.papers import table_run
from apps.papers.table_run import TableOptions, run_table
from apps.papers.tables import sl_locality
from apps.papers.tables.options import Options
from apps.papers.tables.sl_locality import links_of, reproduce
from tests.papers.conftest import opened


def quiet(line: str) -> None:
    """Says nothing."""


@pytest.fixture
def rings(tmp_path: Path) -> Path:
    """Two kinds of page: those of a crowd link to one another densely, those of a ring to the next
    one alone, so that linked pages are alike in status."""

    def page(name: str, links: list[str]) -> str:
        anchors = "".join(f"<a href='http://{link}'>to</a>" for link in links)
        return json.dumps({"url": f"http://{name}", "html": f"<p>{name} {anchors}"})

    crowd = [f"c{i % 3}.test/{i}" for i in range(100)]
    ring = [f"r{i % 3}.test/{i}" for i in range(300)]
    lines = [
        page(name, [crowd[(i + step) % 100] for step in range(1, 3 + i % 15)])
        for i, name in enumerate(crowd)
    ]
    lines += [page(name, [ring[(i + 1) % 300]]) for i, name in enumerate(ring)]
    file = tmp_path / "rings.jsonl"
    file.write_text("\n".join(lines))
    return file


def test_linked_pages_of_like_status_correlate_and_random_ones_do_not(rings, tmp_path):
    with opened(rings, tmp_path / "web") as web:
        reproduced = reproduce(web, Options("rings"), quiet)
    seen = reproduced.observed()
    assert (seen.case, seen.cases) == ("sample", 10)
    near, random = (seen.column("correlation", name) for name in ("1 link away", "random pairs"))
    assert near.mean() > 0.5 and abs(random.mean()) < 0.3
    assert near.mean() > random.mean() + 0.3
    assert "1 link away     +0." in reproduced.text()
    assert reproduced.as_dict()["samples"][0][0]["distance"] == 1


def test_in_links_are_distinct_other_pages_after_redirects(parted):
    part = parted.part("north")
    links = links_of(parted)
    position = [*parted.labels].index(part.root)
    linking = {
        other
        for name in parted.names
        for other, document in parted.part(name).documents.items()
        if part.root in document.links.urls
    }
    assert links.inlinks[position] >= len(linking - {part.root}) > 0
    assert position not in links.targets[links.indptr[position] : links.indptr[position + 1]]


def test_the_demo_web_carries_the_premise_and_is_called_for_by_its_name(db, data_dir, monkeypatch):
    small = DemoWeb(1, 4_000)
    monkeypatch.setattr(table_run, "open_web", lambda web: small)
    counted = []

    def count(web):
        counted.append(links_of(web))
        return counted[0]

    monkeypatch.setattr(sl_locality, "links_of", count)
    seen = run_table("sl-locality", "demo-1", TableOptions(), quiet).observed()
    assert seen.column("correlation", "1 link away").mean() > 0.2
    assert abs(seen.column("correlation", "random pairs").mean()) < 0.1
    assert counted[0].inlinks.tolist() == [inlinks for _, inlinks in small.inlinks()]


def test_a_small_web_is_refused(tmp_path):
    path = tmp_path / "small.jsonl"
    path.write_text(json.dumps({"url": "http://a.test/", "html": "<p>one <a href='/b'>two</a>"}))
    with pytest.raises(CommandError, match="correlations need 100 pages"):
        call_command(
            "reproduce",
            "sl-locality",
            "--web",
            str(path),
            stdout=io.StringIO(),
            stderr=io.StringIO(),
        )
