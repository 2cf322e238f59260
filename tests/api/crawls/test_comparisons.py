"""The comparison for programs: by API and on the command line, the same."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.sharing import share
from apps.crawls.models import Crawl
from apps.experiments.results.crawls.comparison import compare
from apps.experiments.results.paired_tests import Method
from tests.crawl_rows import grow, made_crawl, made_topic, sampled
from tests.people import Program, person


@pytest.fixture
def crawls(db) -> list[Crawl]:
    topic = made_topic(person("ada"))
    return [
        grow(made_crawl(topic, strategy=name, state="finished"), pages)
        for name, pages in (("full_page", 40), ("breadth_first", 60))
    ]


def command(*words: object) -> str:
    output = StringIO()
    call_command("compare", *map(str, words), stdout=output)
    return output.getvalue()


def test_a_program_gets_what_the_command_says(crawls):
    one, other = (crawl.pk for crawl in crawls)
    comparison = Program(crawls[0].owner).get("compare", crawls=f"{one},{other}").json()
    assert comparison == json.loads(command(one, other, "--json"))
    assert [crawl["label"] for crawl in comparison["crawls"]] == ["Full page", "Breadth-first"]
    assert (comparison["common_pages"], comparison["curves"]) == (40, None)
    assert "40 pages" in comparison["sentence"]
    (harvest,) = [row for row in comparison["measures"] if row["measure"] == "harvest_rate"]
    assert harvest["comparable"] and harvest["span"] == [10, 40]
    assert harvest["values"][0]["final"] == crawls[0].metrics["harvest_rate"]
    (pages,) = comparison["pages"]
    assert (pages["different"], pages["in_all"], pages["alike_until"]) == (60, 40, 40)
    assert {"name": "strategy", "values": ["full_page", "breadth_first"]} in comparison["settings"]


def test_crawlers_over_several_topics_are_tested(db):
    ada = person("ada")
    topics = [made_topic(ada, name) for name in ("Rye", "Birds", "Peat")]
    crawls = [
        sampled(made_crawl(topic, strategy=name, state="finished"), {50: 0.5, 100: rate})
        for name, rates in (("full_page", (0.4, 0.5, 0.6)), ("breadth_first", (0.3, 0.3, 0.5)))
        for topic, rate in zip(topics, rates, strict=True)
    ]
    numbers = [crawl.pk for crawl in crawls]
    asked = ",".join(map(str, numbers))
    tests = Program(ada).get("compare", crawls=asked).json()["tests"]
    assert tests == json.loads(command(*numbers, "--json"))["tests"]
    (test,) = [each for each in tests if each["measure"] == "harvest_rate"]
    expected = next(each for each in compare(crawls).tests if each.measure.id == "harvest_rate")
    assert (test["crawler"], test["topics"]) == ("Breadth-first", 3)
    assert (test["difference"], test["p"]) == (expected.difference, expected.p)
    assert test["p_values"]["wilcoxon"]["raw"] == expected.p_of(Method.WILCOXON).raw
    assert (test["worse"], test["shown"]) == (3, expected.shown)


def test_curves_are_there_when_asked_for_on_the_axis_asked_for(crawls):
    program, asked = Program(crawls[0].owner), ",".join(str(crawl.pk) for crawl in crawls)
    comparison = program.get("compare", crawls=asked, x="minutes", curves=True).json()
    curve = next(c for c in comparison["curves"] if c["measure"] == "harvest_rate")
    assert curve["x"] == pytest.approx([n / 5 / 60 for n in (10, 20, 30, 40)])
    assert len(curve["y"]) == 4


def test_an_outsider_gets_the_same_answer_for_anothers_crawl_and_for_none(crawls):
    eve, (one, other) = Program(person("eve")), crawls
    share(one, "eve")
    assert eve.get(f"crawls/{one.pk}").status_code == 200
    anothers = eve.get("compare", crawls=f"{one.pk},{other.pk}")
    missing = eve.get("compare", crawls=f"{one.pk},999999")
    assert anothers.status_code == missing.status_code == 404
    assert anothers.content == missing.content
    share(other, "eve")
    assert eve.get("compare", crawls=f"{one.pk},{other.pk}").status_code == 200
    assert Program(None).get("compare", crawls="1,2").status_code == 401


@pytest.mark.parametrize(
    ("asked", "output"),
    [
        ("", "Give 2 to 8 crawls to compare; you gave none."),
        ("1,2,3,4,5,6,7,8,9", "Give 2 to 8 crawls to compare; you gave 9."),
        ("1,x", "“x” is not the number of a crawl."),
    ],
)
def test_what_is_asked_wrongly_is_reported_at_the_field(crawls, asked, output):
    answer = Program(crawls[0].owner).get("compare", crawls=asked)
    assert (answer.status_code, answer.json()) == (422, {"field": "crawls", "message": output})
    if asked:
        with pytest.raises(CommandError, match=output.split(";")[0]):
            command(*asked.split(","))


def test_the_command_prints_it_in_words(crawls):
    one, other = (crawl.pk for crawl in crawls)
    text = command(one, other)
    first = Program(crawls[0].owner).get("compare", crawls=f"{one},{other}").json()["sentence"]
    assert text.startswith(first)
    assert f"#{one} Full page" in text and "strategy: full_page | breadth_first" in text
    assert "60 different, 40 fetched by all" in text
    with pytest.raises(CommandError, match="There is no crawl 999999"):
        command(one, 999999)
