"""A new thing of each registered kind is known everywhere, by its line in the catalogue alone."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from typing import Any

import numpy as np
import pytest
from asgiref.sync import async_to_sync
from django.core.management import call_command, get_commands, load_command_class
from django.db.models import Q
from django.test import Client
from django.urls import reverse

from apps.api.collection.pages import SearchParameters
from apps.collection.filters.catalogue import FILTERS
from apps.crawls.charts import CHARTS
from apps.crawls.charts.chart import SparklineColumn
from apps.crawls.commands.catalogue import EVENT_KINDS
from apps.crawls.commands.command import EventKind
from apps.crawls.inputs.frozen import freeze_topic, frozen_inputs
from apps.crawls.measures.crawl_report import CrawlReport
from apps.crawls.measures.plots import PLOTS
from apps.crawls.measures.plots.over_the_crawl import OverTheCrawl
from apps.crawls.measures.plots.plot import Plot
from apps.crawls.models import Crawl, FrontierEntry
from apps.crawls.running.assembly import plan_of, politeness_of
from apps.crawls.schemas import CrawlSettings
from apps.crawls.sources.catalogue import SOURCES, overs
from apps.crawls.sources.recorded_web import RECORDED_WEB
from apps.engine.codes import Need
from apps.engine.curve_spec import CurveSpec
from apps.engine.evaluation import MEASURES
from apps.engine.evaluation.measure import JudgedPage, RunningMean, Witness
from apps.engine.frontier.ordered import make_frontier
from apps.engine.frontier.orders import ORDERS
from apps.engine.frontier.orders.base import PickOrder
from apps.engine.frontier.parents import POLICIES
from apps.engine.frontier.parents.base import ParentPolicy
from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.scope import Scope
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Longs
from apps.engine.parsing.contexts import CONTEXTS
from apps.engine.parsing.contexts.anchor import anchor
from apps.engine.parsing.contexts.context import Context
from apps.engine.representation.weightings import WEIGHTINGS
from apps.engine.representation.weightings.base import Occurrences, Weighting
from apps.engine.topics import Topic as EngineTopic
from apps.engine.urls import host
from apps.experiments.figures import FIGURES
from apps.experiments.figures.asked import Asked
from apps.experiments.figures.paper_figure import PaperFigure, View
from apps.exports.format import DownloadSample, Format, Size
from apps.exports.formats import FORMATS
from apps.exports.rows import Selection
from apps.figures.axis import Axis
from apps.figures.figure import Figure
from apps.figures.traces import Bars
from apps.screens.help import searching
from apps.search.filter import Field
from apps.search.sql import raw
from apps.search.values import CountedValues, any_of
from apps.topics.examples.page_store import topic_folder
from apps.topics.inputs.catalogue import INPUTS
from apps.topics.inputs.crawl_input import CrawlInput, StrategyNeed, one_by_one
from apps.topics.inputs.freezing import supply
from apps.topics.inputs.lists import current, table_path
from apps.topics.inputs.page_references import link_file
from apps.topics.inputs.table_list import TableList
from apps.topics.inputs.tables.files import StoredTable
from apps.topics.inputs.tables.parsing import ListFormat as ListFormat
from apps.topics.inputs.tables.parsing import inlink_lines
from apps.topics.models import Topic
from apps.topics.snapshots import snapshot
from apps.webs.models import Web
from tests.catalogues import Register
from tests.crawl_rows import grow, made_crawl, made_event, made_topic
from tests.engine.intelligence.strategies.toy import rich_topic
from tests.experiment_rows import finish, made_experiment
from tests.people import Program, person, site_of

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


class Surprise(RunningMean):
    """The mean of how far the judge and the crawl are apart."""

    id = "surprise"
    title = "Surprise of the judge"
    unit = "count"
    paper = "own"
    over = "surprising pages"
    witness = Witness.CRITIC
    curve = CurveSpec("surprises", "surprise so far", "recall")

    def quantity(self, page: JudgedPage) -> float | None:
        if page.verdict is None or page.topicality is None:
            return None
        return abs(page.verdict.probability - page.topicality)


SURPRISES = replace(
    CHARTS[0],
    id="surprises",
    title="Surprises",
    summary="How often the judge was surprised.",
    unit="count",
    colour="recall",
    empty="Nothing surprises anybody",
    columns=(SparklineColumn("Surprises", ("surprise",)),),
)


@pytest.fixture
def crawl() -> Crawl:
    """A crawl of sixty pages, its samples with a number of the new measure."""
    return grow(made_crawl(made_topic(person("ada"))), 60, surprise=17.5)


class Surfaces:
    """All the places a person or a program may look at."""

    def __init__(self, crawl: Crawl) -> None:
        self.crawl = crawl
        self.site: Client = site_of(crawl.owner)
        self.program = Program(crawl.owner)

    def screen(self, name: str, *args: Any) -> str:
        answer = self.site.get(reverse(name, args=args))
        assert answer.status_code == 200, name
        return answer.content.decode()

    def answer(self, path: str) -> Any:
        answer = self.program.get(path)
        assert answer.status_code == 200, path
        return answer.json()

    def command(self, *words: Any) -> str:
        output = StringIO()
        call_command(*map(str, words), stdout=output)
        return output.getvalue()

    def usage(self, command: str) -> str:
        """What `--help` says."""
        return load_command_class(self.app_of(command), command).create_parser("", "").format_help()

    def app_of(self, command: str) -> str:
        app = get_commands()[command]
        assert isinstance(app, str)
        return app

    def live(self) -> str:
        return self.screen("live:crawl", self.crawl.pk)

    def message(self) -> dict[str, Any]:
        """What the live page is sent first."""
        return self.data("live-message", self.live())

    def data(self, id: str, page: str) -> dict[str, Any]:
        """What a page holds for its script under that id."""
        written = re.search(
            rf'<script id="{id}" type="application/json">(.*?)</script>', page, re.S
        )
        assert written is not None
        return json.loads(written[1])

    def help_knows(self, *words: str) -> None:
        """Each on the page of names, and found by a search."""
        page = self.screen("help:vocabulary")
        for word in words:
            assert word in page, word
            assert word in [hit.entry.title for hit in searching.find(word)]


@pytest.fixture
def surfaces(crawl: Crawl) -> Surfaces:
    return Surfaces(crawl)


def test_a_new_measure_is_known_everywhere(register: Register, surfaces: Surfaces) -> None:
    register(MEASURES, (*MEASURES, Surprise))
    register(CHARTS, (*CHARTS, SURPRISES))
    page = surfaces.screen("measures:crawl", surfaces.crawl.pk)
    row = page[page.index("Surprise of the judge") :]
    assert "17.5" in row and "surprising pages" in row and "classifier" in row
    pk = surfaces.crawl.pk
    assert surfaces.answer(f"crawls/{pk}")["metrics"]["surprise"] == 17.5
    assert surfaces.answer(f"crawls/{pk}/measures")["coverage"]["surprise"] == 60
    assert "surprise" in [measure["id"] for measure in surfaces.answer("measures")]
    assert json.loads(surfaces.command("crawls", "--json"))[0]["metrics"]["surprise"] == 17.5
    assert "Surprise of the judge" in surfaces.screen("help:measure", "surprise")
    assert "Surprise of the judge" in surfaces.screen("help:index")
    surfaces.help_knows("Surprise of the judge")


def test_a_new_measure_may_be_drawn_on_the_charts_there_are(
    register: Register, surfaces: Surfaces, monkeypatch
) -> None:
    monkeypatch.setattr(Surprise, "unit", "share")
    for chart, seen in (("harvest", "live:crawl"), ("courses", "measures:crawl")):
        monkeypatch.setattr(Surprise, "curve", CurveSpec(chart, "surprise so far", "recall"))
        register(MEASURES, (*(m for m in MEASURES if m is not Surprise), Surprise))
        assert "surprise so far" in surfaces.screen(seen, surfaces.crawl.pk)


def test_a_new_chart_is_drawn_sent_and_listed(register: Register, surfaces: Surfaces) -> None:
    register(CHARTS, (*CHARTS, SURPRISES))
    assert "Nothing surprises anybody" in surfaces.live()
    register(MEASURES, (*MEASURES, Surprise))
    page = surfaces.live()
    assert 'data-figure="surprises"' in page and "surprise so far 17.5" in page
    assert "Nothing surprises anybody" not in page
    message = surfaces.message()
    assert message["curves"]["surprises"][0]["y"] == [17.5] * 6
    assert message["axes"]["values"]["surprises"] == 20.0
    assert re.search('id="reading-surprises" hidden>[^<]*surprise so far', page)
    listed = surfaces.screen("crawls:list")
    assert ">Surprises</th>" in listed and "17.5" in listed
    surfaces.help_knows("Surprises")
    assert SURPRISES.summary in surfaces.screen("help:screen", "live-crawl")


class SurprisesSoFar(OverTheCrawl):
    """How far apart judge and crawl were as it went on."""

    id = "surprises_so_far"
    title = "Surprises so far"
    paper = "own"
    unit = "count"
    axis_title = "surprises"
    empty = "Nothing has surprised anybody"


class PagesInTwoHeaps(Plot):
    """How many pages the judge puts below a half, and how many above."""

    id = "two_heaps"
    title = "Two heaps"
    paper = "own"
    optional = True

    def figure(self, report: CrawlReport) -> Figure:
        heaps = (sum(report.distribution[:5]), sum(report.distribution[5:]))
        bars = Bars("pages", "strategy-3", ("below", "above"), [n or None for n in heaps])
        return Figure(Axis("a half", ""), Axis("pages"), (bars,), f"{heaps[0]} lie below.")


def test_a_new_plot_is_drawn_listed_and_explained(
    register: Register, surfaces: Surfaces, monkeypatch
) -> None:
    register(PLOTS, (*PLOTS, SurprisesSoFar(), PagesInTwoHeaps()))
    pk = surfaces.crawl.pk
    page = surfaces.screen("measures:crawl", pk)
    assert "Nothing has surprised anybody" in page
    assert "0 lie below." in page and '<td>above</td><td class="number">60</td>' in page
    spec = CurveSpec("surprises_so_far", "surprise so far", "recall")
    monkeypatch.setattr(Surprise, "curve", spec)
    register(MEASURES, (*MEASURES, Surprise))
    page = surfaces.screen("measures:crawl", pk)
    assert "Surprises so far after 60 pages: surprise so far 17.5." in page
    drawn = surfaces.data("figures", page)
    assert drawn["surprises_so_far"]["data"][0]["y"] == [17.5] * 6
    assert drawn["two_heaps"]["data"][0]["meta"]["colour"] == "strategy-3"
    names = {name["id"]: name for name in surfaces.answer("vocabulary")}
    assert names["two_heaps"]["summary"].startswith("How many pages the judge puts")
    assert (names["surprises_so_far"]["kind"], names["harvest"]["kind"]) == ("plot", "chart")
    surfaces.help_knows("Surprises so far", "Two heaps")
    assert "below a half, and how many above." in surfaces.screen("help:screen", "measures")


class Luck(PaperFigure):
    """How lucky each crawler was on the made experiment."""

    id = "luck"
    title = "Luck of the crawlers"
    papers = {"own": "1"}
    published = "Nobody has measured it."

    def draw(self, asked: Asked, view: View) -> Figure:
        bars = Bars("luck", "harvest", (0, 1), (0.25, 0.5))
        names = Axis("crawler", "", names=("first", "second"))
        return Figure(names, Axis("luck", "share"), (bars,), "The second is luckier.", "No luck")


def test_a_new_figure_of_an_experiment_is_drawn_listed_and_explained(
    register: Register, surfaces: Surfaces
) -> None:
    register(FIGURES, (*FIGURES, Luck()))
    experiment = finish(made_experiment(surfaces.crawl.owner))
    drawn = surfaces.site.get(
        reverse("experiment:experiment", args=[experiment.pk]), {"part": "figures"}
    )
    page = drawn.content.decode()
    assert "Luck of the crawlers" in page and "The second is luckier." in page
    assert surfaces.data("figures", page)["luck"]["data"][0]["y"] == [0.25, 0.5]
    assert "Nobody has measured it." in surfaces.screen("experiment:figure", experiment.pk, "luck")
    values = surfaces.screen("experiment:figure_csv", experiment.pk, "luck")
    assert values.splitlines() == ["series,crawler,luck", "luck,first,0.25", "luck,second,0.5"]
    names = {name["id"]: name for name in surfaces.answer("vocabulary")}
    assert names["luck"]["kind"] == "figure"
    surfaces.help_knows("Luck of the crawlers")
    page = surfaces.screen("help:screen", "paper-figures")
    assert "How lucky each crawler was" in page and "Nobody has measured it." in page


class Least(ParentPolicy):
    """The worst score of all links counts."""

    id = "the_least_of_them"
    title = "the worst of them"
    phrase = "of its worst parent"

    def merge(self, old: float, seen: int, new: float) -> float:
        return min(old, new)

    def combine(self, rows: int, row: Longs, scores: Floats) -> Floats:
        result = np.full(rows, np.inf)
        np.minimum.at(result, row, scores)
        return np.where(np.isposinf(result), 0.0, result)


def allowed(name: str) -> tuple[str, ...]:
    """The values that the settings of a crawl accept in a field."""
    field = CrawlSettings.model_json_schema()["properties"][name]
    options = field.get("anyOf", [field])
    return next(tuple(option["enum"]) for option in options if "enum" in option)


def test_a_new_parent_policy_is_offered_obeyed_and_explained(
    register: Register, surfaces: Surfaces
) -> None:
    # The schema that form, API and recipes share is made of the catalogue when it is loaded.
    assert allowed("parent_policy") == tuple(POLICIES)
    register(POLICIES, {**POLICIES, Least.id: Least()})
    crawl = surfaces.crawl
    form = surfaces.screen("new_crawl:form", crawl.topic_id)
    assert '<option value="the_least_of_them">the worst of them</option>' in form
    assert Least.id in [name["id"] for name in surfaces.answer("vocabulary")]
    assert Least.id in surfaces.usage("crawl")
    frontier = Frontier(Scope(), Least.id, one_at_a_time=False)
    for seed in ("http://a.test/", "http://b.test/"):
        frontier.seed(seed, 0.0)
    assert frontier.policy.merge(0.6, 1, 0.2) == 0.2
    crawl.parent_policy = Least.id
    crawl.save()
    FrontierEntry.objects.create(
        crawl=crawl,
        number=900,
        url="http://far.test/",
        parent=1,
        depth=1,
        priority=0.5,
        state=FrontierEntry.State.WAITING,
    )
    assert "of its worst parent" in surfaces.screen("live:why", crawl.pk, 900)
    surfaces.help_knows("the worst of them")


class DeepFirst(PickOrder):
    """The link farthest from the seeds first."""

    id = "deepest_of_all"
    title = "the deepest first"

    def rank(self, priority: float, depth: int) -> float:
        return float(-depth)

    def ranks(self, priorities: Floats, depths: Longs) -> Floats:
        return -depths.astype(float)


def test_a_new_pick_order_is_offered_obeyed_and_described(
    register: Register, surfaces: Surfaces
) -> None:
    assert allowed("pick_order") == tuple(ORDERS)
    register(ORDERS, {**ORDERS, DeepFirst.id: DeepFirst()})
    crawl = surfaces.crawl
    form = surfaces.screen("new_crawl:form", crawl.topic_id)
    assert '<option value="deepest_of_all">the deepest first</option>' in form
    assert DeepFirst.id in [name["id"] for name in surfaces.answer("vocabulary")]
    assert DeepFirst.id in surfaces.usage("crawl")
    crawl.pick_order = DeepFirst.id
    assert plan_of(crawl, politeness_of(crawl)).order == DeepFirst.id
    frontier = make_frontier(Scope(), "max", False, False, DeepFirst.id)
    frontier.seed("http://a.test/", 0.0)
    frontier.fetched(frontier.pick(0.0), 0.0)
    for page, url in ((0, "http://a.test/1"), (1, "http://a.test/1/2"), (0, "http://a.test/3")):
        frontier.offer(frontier.discover([url], page), [0.5 + 0.1 * page], page, 0.0)
    assert frontier.urls[frontier.pick(0.0)] == "http://a.test/1/2"
    surfaces.help_knows("the deepest first")


def _spoken(selection: Selection) -> Iterator[bytes]:
    for chunk in selection.chunks():
        yield "".join(f"page {page.seq}\n" for page in chunk).encode()


def _a_kilobyte(sample: DownloadSample) -> Size:
    return Size(1024.0, exact=True)


SPOKEN = Format(
    id="spoken",
    title="Spoken word",
    words="to be read aloud",
    unit="breath",
    sentence="Each page's number, to be read aloud.",
    content_type="text/plain",
    extension="txt",
    export=_spoken,
    size=_a_kilobyte,
)


def test_a_new_format_is_offered_everywhere(
    register: Register, surfaces: Surfaces, capfdbinary
) -> None:
    register(FORMATS, {**FORMATS, SPOKEN.id: SPOKEN})
    crawl = surfaces.crawl
    address = reverse("downloads:crawl_search", args=[crawl.pk])
    assert f"{address}?format={SPOKEN.id}" in surfaces.live()
    for menu in (
        surfaces.screen("collection:crawl", crawl.pk),
        surfaces.screen("collection:list", crawl.topic_id),
    ):
        assert 'value="spoken" data-holds-pages' in menu and "to be read aloud" in menu
    counted = surfaces.site.get(
        reverse("downloads:crawl_count", args=[crawl.pk]), {"format": SPOKEN.id}
    ).json()
    assert counted["sizes"][SPOKEN.id] == "1.0\xa0KB" and "breaths" in counted["rows"]
    surfaces.command("export", crawl.pk, "--format", SPOKEN.id)
    assert capfdbinary.readouterr().out.endswith(b"page 59\npage 60\n")
    assert "spoken: to be read aloud" in " ".join(surfaces.usage("export").split())
    assert SPOKEN.id in [name["id"] for name in surfaces.answer("vocabulary")]
    api = surfaces.program.get(f"crawls/{crawl.pk}/exports/{SPOKEN.id}")
    assert (api.status_code, api["Content-Type"]) == (200, "text/plain")
    assert SPOKEN.sentence.replace("'", "&#x27;") in surfaces.screen("help:screen", "download")
    surfaces.help_knows("Spoken word")


class Parity(CountedValues[str]):
    """By whether the page's number in its crawl is even."""

    id = "parity"
    title = "Even or odd"
    sentence = "Pages whose number in their crawl is even, or is odd."
    unknown = "is neither even nor odd"
    fields = (Field("parity", "even or odd."),)
    columns = ("seq",)

    def parse(self, text: str) -> str | None:
        return text if text in ("even", "odd") else None

    def condition(self, value: tuple[str, ...]) -> Q:
        return any_of(raw("e.seq %% 2 = %s", (int(name == "odd"),)) for name in value)

    def values_of(self, row: tuple[Any, ...]) -> tuple[str, ...]:
        return ("odd" if row[0] % 2 else "even",)


def test_a_new_filter_filters_everywhere(register: Register, surfaces: Surfaces) -> None:
    # The schema that the API's reference shows is made of the catalogue when it is loaded.
    assert {field.name for f in FILTERS for field in f.fields} <= {*SearchParameters.model_fields}
    register(FILTERS, (*FILTERS, Parity()))
    crawl = surfaces.crawl
    for name, pk in (("crawl", crawl.pk), ("list", crawl.topic_id)):
        page = surfaces.site.get(reverse(f"collection:{name}", args=[pk]), {"parity": "odd"})
        shown = page.content.decode()
        assert "<legend>Even or odd</legend>" in shown and "<b>30</b> of 60 pages" in shown
        assert 'name="parity" value="odd" checked' in shown
        assert 'aria-label="Without the filter odd"' in shown
        assert '<input type="hidden" name="parity" value="odd">' in shown
    asked = {"parity": "even", "format": "csv", "tau_from": "0.50"}
    counted = surfaces.site.get(reverse("downloads:crawl_count", args=[crawl.pk]), asked)
    assert "<b>30</b> rows" in counted.json()["rows"]
    asked["columns"] = "page"
    file = surfaces.site.get(reverse("downloads:crawl_search", args=[crawl.pk]), asked)

    async def body() -> str:
        return b"".join([piece async for piece in file.streaming_content]).decode()

    rows = csv.DictReader(StringIO(async_to_sync(body)()))
    assert [int(row["page"]) for row in rows] == [*range(2, 61, 2)]
    answer = surfaces.answer(f"crawls/{crawl.pk}/pages?parity=odd&size=100")
    assert answer["count"] == 30 and all(page["page"] % 2 for page in answer["items"])
    refused = surfaces.program.get(f"crawls/{crawl.pk}/pages?parity=prime")
    assert refused.json() == {"field": "parity", "message": "“prime” is neither even nor odd."}
    assert (
        "“prime” is neither even nor odd."
        in surfaces.site.get(
            reverse("collection:crawl", args=[crawl.pk]), {"parity": "prime"}
        ).content.decode()
    )
    assert Parity.id in [name["id"] for name in surfaces.answer("vocabulary")]
    assert Parity.sentence in surfaces.screen("help:screen", "collection")
    surfaces.help_knows("Even or odd")


class Plain(Weighting):
    """tf, L2-normalised."""

    id = "plain"
    title = "Plain counts"

    def _weigh(self, occurrences: Occurrences) -> Floats:
        return occurrences.count


def test_a_new_weighting_may_be_chosen_and_weighs(register: Register, surfaces: Surfaces) -> None:
    register(WEIGHTINGS, {**WEIGHTINGS, Plain.id: Plain})
    parameters = {p["name"]: p for p in surfaces.answer("strategies/text_window")["parameters"]}
    assert Plain.id in parameters["weighting"]["choices"]
    assert Plain.id in surfaces.screen("new_crawl:form", surfaces.crawl.topic_id)
    assert Plain.id in surfaces.screen("help:strategy", "text_window")
    classifier = TopicModel(rich_topic(), seed=1).classifier("svm", Plain.id)
    assert isinstance(classifier.weighting_, Plain)
    assert Plain.id in [name["id"] for name in surfaces.answer("vocabulary")]
    surfaces.help_knows("Plain counts")


def test_a_new_context_is_named_and_explained(register: Register, surfaces: Surfaces) -> None:
    context = Context(
        "nothing_at_all", "Nothing at all", "No word speaks for a link.", {"nothing at all": anchor}
    )
    register(CONTEXTS, (*CONTEXTS, context))
    assert context.id in [name["id"] for name in surfaces.answer("vocabulary")]
    surfaces.help_knows("Nothing at all")


def test_a_new_kind_of_event_is_worded_and_marked(register: Register, surfaces: Surfaces) -> None:
    crawl = surfaces.crawl
    made_event(crawl, 1, "eclipse", pages=20, sun="gone")
    kind = EventKind("eclipse", "Eclipse of the sun", lambda p: f"the sun is {p['sun']}", "E")
    register(EVENT_KINDS, {**EVENT_KINDS, kind.kind: kind})
    for page in (surfaces.live(), surfaces.screen("live:events", crawl.pk)):
        assert "<b>Eclipse of the sun</b> the sun is gone" in page
    assert "<kbd>E</kbd> Eclipse of the sun" in surfaces.live()
    assert surfaces.message()["marks"] == [{"pages": 20, "letter": "E", "times": 1}]
    assert kind.kind in [name["id"] for name in surfaces.answer("vocabulary")]
    surfaces.help_knows("Eclipse of the sun")


def _frozen_tides(topic: Topic) -> dict[str, Any]:
    table = current(topic, "tides")
    return (
        {}
        if table is None
        else {
            "of": "almanac",
            "name": table.name,
            "rows": table.rows,
            "file": link_file(topic.pk, table_path(table)),
        }
    )


def _supplied_tides(topic: EngineTopic, topic_id: int, frozen: dict[str, Any]) -> dict[str, Any]:
    return {"traffic": StoredTable(topic_folder(topic_id) / frozen["file"])}


TIDES = CrawlInput(
    id="tides",
    title="Tide tables",
    sentence="How high the water stands at each host.",
    freeze=_frozen_tides,
    supply=_supplied_tides,
    origin=lambda origin: f"tides: {origin['rows']} of the almanac {origin['name']}",
    need=StrategyNeed(
        Need.CORPUS,
        "a table of tides",
        "tides",
        "The water at some hosts.",
        met_by=one_by_one(lambda topic: current(topic, "tides") is not None),
        anchor=lambda topic: "inputs-tides",
    ),
    lists=(
        TableList(
            id="tides",
            title="An almanac",
            purpose="Strategies that wait for the tide.",
            accepts="host,height a line",
            nothing="None: it is always low water.",
            format=ListFormat(inlink_lines, host),
        ),
    ),
)


def test_a_new_input_is_asked_for_added_frozen_and_described(
    register: Register, surfaces: Surfaces
) -> None:
    register(INPUTS, (*(each for each in INPUTS if each.id != "corpus"), TIDES))
    topic = surfaces.crawl.topic
    form = surfaces.screen("new_crawl:form", topic.pk)
    assert "a table of tides" in form and "#inputs-tides" in form
    assert "None: it is always low water." in surfaces.screen("topic:detail", topic.pk)
    assert "tides" in [kind["kind"] for kind in surfaces.answer(f"topics/{topic.pk}/inputs")]
    sent = surfaces.program.send(
        "PUT", f"topics/{topic.pk}/inputs/tides", {"text": "http://a.test/,3", "name": "tides.csv"}
    )
    assert sent.status_code == 200 and "tides.csv" in sent.json()["contents"][0]
    assert "Remove: An almanac?" in surfaces.screen("topic:remove_input", topic.pk, "tides")
    assert "tides.csv, added" in surfaces.screen("topic:detail", topic.pk)
    assert "a table of tides" not in surfaces.screen("new_crawl:form", topic.pk)
    crawl = made_crawl(topic, strategy="hcla", parameters={}, snapshot=snapshot(topic))
    freeze_topic(crawl)
    reports = {"of": "almanac", "name": "tides.csv", "rows": 1}
    assert surfaces.answer(f"crawls/{crawl.pk}")["inputs"]["tides"] == reports
    assert json.loads(surfaces.command("crawls", "--json"))[-1]["inputs"]["tides"] == reports
    assert "tides: 1 of the almanac tides.csv" in surfaces.screen("live:crawl", crawl.pk)
    supplied = supply(EngineTopic("tides"), topic.pk, frozen_inputs(crawl))
    assert supplied.traffic["http://a.test/"] == 3
    assert TIDES.id in [name["id"] for name in surfaces.answer("vocabulary")]
    assert "The water at some hosts." in surfaces.screen("help:codes")
    surfaces.help_knows("Tide tables", "An almanac")


DRAWER = replace(
    RECORDED_WEB,
    id="drawer",
    over="drawer",
    title="A drawer",
    sentence="Pages lie in a drawer.",
    offer="take it out of the drawer",
    words=lambda web: f"The drawer of {web.name}",
    refusal=lambda web: "" if web.pages else f"{web.name} has an empty drawer.",
)


def test_a_new_source_of_pages_is_offered_described_and_read(
    register: Register, surfaces: Surfaces
) -> None:
    # The schema that form, API and recipes share is made of the catalogue when it is loaded.
    assert allowed("over") == overs()
    register(SOURCES, (*SOURCES, DRAWER))
    crawl = surfaces.crawl
    web = Web.objects.create(name="shore", source=Web.Source.FOLDER, pages=2, folder="shore")
    form = surfaces.screen("new_crawl:form", crawl.topic_id)
    assert 'name="over" value="drawer"' in form and "take it out of the drawer" in form
    chosen = surfaces.site.post(
        reverse("new_crawl:form", args=[crawl.topic_id]),
        {"do": "restate", "web": web.pk, "over": "drawer", "strategy": "breadth_first"},
    ).content.decode()
    assert "--web shore --over drawer" in chosen
    assert DRAWER.over in surfaces.usage("crawl")
    assert DRAWER.id in [name["id"] for name in surfaces.answer("vocabulary")]
    crawl.web, crawl.over = web, DRAWER.over
    crawl.save()
    assert "The drawer of shore" in surfaces.live()
    assert surfaces.answer(f"crawls/{crawl.pk}")["over"] == "drawer"
    assert politeness_of(crawl).delay == 0.0 and crawl.source is DRAWER
    surfaces.help_knows("A drawer")
