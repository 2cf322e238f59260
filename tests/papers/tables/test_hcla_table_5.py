"""HCLA Table 5 on a made web of citations: who is to be found, what is told, what is printed."""

from __future__ import annotations

import json

import pytest
from django.core.management import call_command

from apps.engine.representation.tokens import Vocabulary
from apps.papers.tables.hcla_table_5 import citations, reproduce, topic_of
from apps.papers.tables.options import Options
from apps.papers.tables.parted_web import reachable_from
from tests.papers.conftest import opened

EXTRACTION, FILTERING = "Information_Retrieval/Extraction", "Information_Retrieval/Filtering"
# Paper by paper: its label, its title, the papers it cites.
PAPERS = {
    1: (EXTRACTION, "wrapper induction grammar", (2, 5)),
    2: (EXTRACTION, "wrapper grammar", (3,)),
    3: (EXTRACTION, "wrapper", ()),
    4: (FILTERING, "filtering news profile", (5,)),
    5: (FILTERING, "filtering news", (6,)),
    6: ("Databases/Query", "join order", (1,)),
}


@pytest.fixture(scope="module")
def web_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("cora") / "papers.jsonl"
    lines = [
        {
            "url": f"http://c.test/{n}",
            "topics": [label],
            "html": f"<p>{title}</p>"
            + "".join(f"<a href=/{m}>{PAPERS[m][1]}</a>" for m in cited)
            + "<a href=/author>somebody</a>",
        }
        for n, (label, title, cited) in PAPERS.items()
    ]
    lines.append({"url": "http://c.test/author", "topics": [], "html": "<a href=/1>all</a>"})
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


@pytest.fixture(scope="module")
def part(web_file, tmp_path_factory):
    with opened(web_file, tmp_path_factory.mktemp("web") / "web") as web:
        yield citations(web)


def test_authors_are_no_part_of_the_web_of_citations(part):
    assert len(part.documents) == 6
    assert part.documents["http://c.test/1"].links.urls == ("http://c.test/2", "http://c.test/5")


def test_a_crawl_begins_where_most_of_the_left_out_papers_are_reached(part):
    topic, relevant = topic_of(part, EXTRACTION, Vocabulary("en"))
    assert relevant == {f"http://c.test/{n}" for n in (1, 2, 3)}
    assert topic.seeds == ("http://c.test/1",)
    assert relevant <= reachable_from(topic.seeds, part.documents)


def test_the_left_out_papers_are_hidden_and_the_kin_come_first(part):
    topic, _ = topic_of(part, EXTRACTION, Vocabulary("en"))
    assert [d.url for d in topic.corpus] == [f"http://c.test/{n}" for n in (4, 5, 6)]
    assert topic.keywords[:2] == ("filtering", "news")


def test_the_command_prints_our_figures_and_the_papers(web_file, capsys):
    call_command(
        "reproduce", "hcla-table-5", "--web", str(web_file), "--crawlers", "brfs", "hcla", "--json"
    )
    printed = json.loads(capsys.readouterr().out)
    assert printed["published"]["hcla"]["precision"] == [0.88, 0.72, 0.54]
    brfs = printed["lines"][0]
    extraction, filtering = brfs["splits"]
    # From 1: 1, 2, 5, 3, 6. From 4: 4, 5, 6, 1, 2, 3. All three and both are found early.
    assert (extraction["pages"], extraction["reachable"]) == (5, 3)
    assert extraction["precision"] == pytest.approx([1.0, 1.0, 0.75])
    assert filtering["precision"] == pytest.approx([1.0, 1.0, 1.0])
    assert brfs["precision"][2] == pytest.approx(0.875)


def test_the_curve_is_the_mean_precision_over_recall(web_file, tmp_path):
    # Fig. 9: its places at recall .1, .5 and 1.0 are the table's own columns.
    with opened(web_file, tmp_path / "web") as web:
        reproduced = reproduce(web, Options(crawlers=("brfs",)), lambda line: None)
    (line,) = reproduced.lines
    assert len(line.curve) == 10
    assert (line.curve[0], line.curve[4], line.curve[9]) == pytest.approx(line.precision)
    assert (
        "precision at recall (Fig. 9)" in reproduced.text() and "(Table 4): " in reproduced.text()
    )
