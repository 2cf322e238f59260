"""The recipes that CONTRIBUTING.md leads to are run."""

from __future__ import annotations

import importlib.util
import inspect
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from django.urls import reverse

from apps.collection.filters.catalogue import FILTERS
from apps.collection.search import CollectionSearch
from apps.crawls.charts import CHARTS
from apps.crawls.commands.catalogue import COMMANDS, EVENT_KINDS
from apps.crawls.commands.undo import undo_command
from apps.crawls.filters.catalogue import FILTERS as crawl_filters  # noqa: N811
from apps.crawls.lifecycle.events import write_event
from apps.crawls.listing import CrawlSearch
from apps.crawls.measures.plots import PLOTS
from apps.engine.evaluation import MEASURES
from apps.engine.evaluation.measure import GroundTruth
from apps.engine.frontier.orders import ORDERS
from apps.engine.intelligence import strategies as catalogue
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import TokenRows
from apps.experiments.figures.asked import asked_of
from apps.experiments.filters.catalogue import FILTERS as experiment_filters  # noqa: N811
from apps.experiments.listing import ExperimentSearch
from apps.exports.formats import FORMATS
from apps.exports.rows import Selection
from apps.topics.filters.catalogue import FILTERS as topic_filters  # noqa: N811
from apps.topics.listing import TopicSearch
from apps.webs.pages.filters.catalogue import FILTERS as web_filters  # noqa: N811
from apps.webs.pages.search import PageSearch
from tests.crawl_rows import grow, made_crawl, made_topic
from tests.crawls.measures.plots import test_plots
from tests.engine.evaluation import test_measures
from tests.engine.evaluation.judged import after_pages, judged
from tests.engine.frontier import test_orders, test_parents
from tests.engine.intelligence.strategies import test_contract
from tests.engine.intelligence.strategies.toy import rich_topic, visit_of
from tests.experiment_rows import made_experiment
from tests.experiments.figures import test_figures as test_experiment_figures
from tests.experiments.made_outcomes import made
from tests.people import person, site_of
from tests.search import test_catalogues

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text()
RECIPES = [ROOT / name for name in re.findall(r"`(apps/[\w/]+/README\.md)`", PAGE)]
TEXT = "\n".join([PAGE, *(recipe.read_text() for recipe in RECIPES)])
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.S)


def block(begin: str) -> str:
    """The one example with a line that begins so."""
    (code,) = (block for block in BLOCKS if re.search(rf"^{begin}\b", block, re.M))
    return code


STRATEGY = block("class KeywordAnchor")
STRATEGY_TEST = block("def test_it_counts_the_keywords_of_the_anchor")
MEASURE = block("class Certainty")
CHART = block("CERTAINTY")
PLOT = block("class PairsByDistance")
FIGURE = block("class HalfWay")
POLICY = block("class Least")
ORDER = block("class DeepFirst")
FORMAT = block("ADDRESSES")
FILTER = block("class PageNumber")
CONTEXT = block("EVERYTHING_BEFORE")
COMMAND = block("DOUBLE")
CONTRACT = [
    check
    for name, check in inspect.getmembers(test_contract, inspect.isfunction)
    if name.startswith("test_") and [*inspect.signature(check).parameters] == ["cls"]
]


def loaded(folder: Path, name: str, code: str) -> ModuleType:
    """The code as a module of that name, from a file."""
    path = folder / f"{name.rpartition('.')[2]}.py"
    path.write_text(code)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def strategy(tmp_path: Path, monkeypatch):
    """The example's class, one line in the catalogue."""
    name = "apps.engine.intelligence.strategies.keyword_anchor"
    cls = loaded(tmp_path, name, STRATEGY).KeywordAnchor
    monkeypatch.setattr(catalogue, "CATALOGUE", (*catalogue.CATALOGUE, cls))
    yield cls
    del sys.modules[name]


@pytest.mark.parametrize("check", CONTRACT, ids=lambda check: check.__name__)
def test_its_strategy_keeps_the_contract(strategy, check) -> None:
    check(strategy)


def test_the_contract_is_all_there() -> None:
    assert len(CONTRACT) >= 10


def test_its_known_answer_holds(strategy, tmp_path: Path) -> None:
    module = loaded(tmp_path, "test_keyword_anchor", STRATEGY_TEST)
    module.test_it_counts_the_keywords_of_the_anchor(TopicModel(rich_topic(), seed=1))


@pytest.mark.django_db
def test_the_form_and_the_help_read_it_from_the_class(strategy, monkeypatch) -> None:
    from apps.screens.help.catalogue import strategy_help
    from apps.screens.new_crawl import strategy_choices

    monkeypatch.setattr(strategy_choices, "CATALOGUE", (strategy,))
    (group,) = strategy_choices.strategy_groups(frozenset())
    (choice,) = group.choices
    assert choice.id == "keyword_anchor" and choice.missing == ("keywords",)
    described = strategy_help("keyword_anchor")
    assert described.text.notes[0].kind == "Choice"
    (floor,) = described.parameters
    assert (floor.symbol, floor.low, floor.high, floor.default) == ("λ", 0, 1, 0.1)


def test_its_measure_is_a_measure(tmp_path: Path) -> None:
    cls = loaded(tmp_path, "certainty", MEASURE).Certainty
    test_measures.test_nothing_is_reported_before_the_first_page(cls)
    test_measures.test_a_page_of_which_nothing_is_known_is_no_failure(cls)
    for truth in (GroundTruth(), test_measures.GROUND_TRUTH):
        test_measures.test_a_measure_goes_on_from_its_state_as_if_nothing_had_been(cls, truth)
    pages = (judged(votes=3, probability=1.0), judged(votes=1, probability=0.25), judged())
    assert after_pages(cls(), *pages).value() == pytest.approx((1.0 + 0.5) / 2)


@pytest.mark.django_db
def test_its_chart_and_its_measure_are_on_their_screens(tmp_path: Path, register) -> None:
    certainty = loaded(tmp_path, "certainty", MEASURE).Certainty
    chart = loaded(tmp_path, "certainty_chart", CHART).CERTAINTY
    register(MEASURES, (*MEASURES, certainty))
    register(CHARTS, (*CHARTS, chart))
    crawl = grow(made_crawl(made_topic(person("ada"))), 30, certainty=0.875)
    site = site_of(crawl.owner)
    measured = site.get(f"/crawls/{crawl.pk}/measures/").content.decode()
    assert certainty.title in measured and "88\u202f%" in measured
    assert chart.empty in site.get(f"/crawls/{crawl.pk}/").content.decode()


@pytest.mark.django_db
def test_its_plot_is_drawn_of_what_is_known(tmp_path: Path, register) -> None:
    plot = loaded(tmp_path, "pairs_by_distance", PLOT).PairsByDistance()
    test_plots.test_without_values_axes_stay_and_what_is_missing_is_reported(plot)
    test_plots.test_with_values_it_is_drawn_read_and_listed(plot)
    test_plots.test_its_name_is_that_of_its_file(plot)
    assert plot.figure(test_plots.KNOWN).as_table().rows == (("1", "40"),)
    register(PLOTS, (*PLOTS, plot))
    crawl = grow(made_crawl(made_topic(person("ada"))), 30)
    page = site_of(crawl.owner).get(f"/crawls/{crawl.pk}/measures/").content.decode()
    assert 'data-figure="pairs_by_distance"' in page
    assert plot.figure(test_plots.NOTHING).empty in page


def test_its_figure_is_drawn_of_an_experiment(tmp_path: Path) -> None:
    name = "apps.experiments.figures.half_way"
    figure = loaded(tmp_path, name, FIGURE).HalfWay()
    test_experiment_figures.test_it_is_declared_in_full_under_the_name_of_its_file(figure)
    for check in (
        test_experiment_figures.test_without_a_finished_topic_axes_stay,
        test_experiment_figures.test_with_all_there_is_every_view_is_drawn,
        test_experiment_figures.test_what_the_experiment_lacks_is_reported,
    ):
        check(figure)
    recall = {(0, 0): [0.1, 0.2, 0.3], (1, 0): [0.0, 0.0, 0.2], (0, 1): [0.0, 0.0, 0.0]}
    values = {key: {"target_recall": column} for key, column in recall.items()}
    (dots,) = figure.figure(asked_of(made(values=values, every=10))).traces
    # Half of .3 is reached at page 20, half of .2 at page 30; the other crawler finds nothing.
    assert (dots.label, [*dots.y], [*dots.errors]) == ("Full page", [25.0], [5.0])


def test_its_parent_policy_agrees_both_ways(tmp_path: Path) -> None:
    policy = loaded(tmp_path, "least", POLICY).Least()
    test_parents.test_link_by_link_is_as_all_at_once(policy)
    assert policy.merge(0.6, 1, 0.2) == 0.2


def test_its_pick_order_agrees_both_ways_and_is_obeyed(tmp_path: Path, register) -> None:
    order = loaded(tmp_path, "deep_first", ORDER).DeepFirst()
    test_orders.test_a_link_has_the_same_rank_alone_and_with_others(order)
    register(ORDERS, {**ORDERS, order.id: order})
    test_orders.test_it_picks_what_a_search_through_everything_would_pick(order.id)


@pytest.mark.django_db
def test_its_format_is_in_the_menu_and_comes(tmp_path: Path, register) -> None:
    format = loaded(tmp_path, "addresses", FORMAT).ADDRESSES
    register(FORMATS, {**FORMATS, format.id: format})
    crawl = grow(made_crawl(made_topic(person("ada"))), 3)
    address = f"/crawls/{crawl.pk}/download/?format={format.id}"
    assert address in site_of(crawl.owner).get(f"/crawls/{crawl.pk}/").content.decode()
    whole = b"".join(format.export(Selection.of_crawl(crawl)))
    assert whole.splitlines() == [b"http://a.test/1", b"http://a.test/2", b"http://a.test/3"]


@pytest.mark.django_db
def test_its_filter_is_offered_and_filters(tmp_path: Path, register) -> None:
    page_number = loaded(tmp_path, "page_number", FILTER).PAGE_NUMBER
    register(FILTERS, (*FILTERS, page_number))
    _check_filter(CollectionSearch, page_number)
    crawl = grow(made_crawl(made_topic(person("ada"))), 9)
    site = site_of(crawl.owner)
    address = f"/crawls/{crawl.pk}/collection/?number_from=8"
    page = site.get(address).content.decode()
    assert 'name="number_from" value="8"' in page and "page ≥ 8" in page
    assert "<b>2</b> pages" in page
    assert "“8x” is not the number of a page." in site.get(address + "x").content.decode()


@pytest.mark.django_db
def test_its_filter_of_another_list_needs_another_column_only(tmp_path: Path, register) -> None:
    number = loaded(tmp_path, "page_number", FILTER).PAGE_NUMBER
    lists = {
        crawl_filters: (CrawlSearch, "pages", "/crawls/", "/api/v1/crawls"),
        topic_filters: (TopicSearch, "version", "/topics/", "/api/v1/topics"),
        experiment_filters: (ExperimentSearch, "pk", "/experiments/", "/api/v1/experiments"),
        web_filters: (PageSearch, "number", "", ""),
    }
    owner = person("ada")
    grow(made_crawl(made_topic(owner)), 9)
    made_experiment(owner)
    for filters, (search, column, address, api) in lists.items():
        filter = type("Numbered", (type(number),), {"column": column})()
        register(filters, (*filters, filter))
        _check_filter(search, filter)
        if address:
            _check_list(site_of(owner), address, api)


def _check_filter(search, filter) -> None:
    for check in (
        test_catalogues.test_an_address_without_it_filters_nothing,
        test_catalogues.test_what_is_asked_goes_back_to_its_address,
        test_catalogues.test_what_means_nothing_is_left_out,
    ):
        check(search, filter)
    test_catalogues.test_no_two_filters_of_a_list_share_an_id_or_a_parameter(search)


def _check_list(site, address: str, api: str) -> None:
    """The filter is shown, as a chip too, filters the list and the API, and refuses."""
    assert site.get(api).json()["count"] == site.get(f"{api}?number_to=99999").json()["count"] > 0
    assert site.get(f"{api}?number_from=99999").json()["count"] == 0
    assert site.get(f"{api}?number_from=x").status_code == 422
    page = site.get(f"{address}?number_from=99999").content.decode()
    assert 'name="number_from" value="99999"' in page and "page ≥ 99999" in page
    assert "has page ≥ 99999." in page
    assert "“x” is not the number" in site.get(f"{address}?number_from=x").content.decode()


def test_its_context_gives_the_words_before_each_link(tmp_path: Path) -> None:
    module = loaded(tmp_path, "everything_before", CONTEXT)
    before = module.everything_before
    assert [*module.EVERYTHING_BEFORE.compared.values()] == [before]
    topic = TopicModel(rich_topic(), seed=1)
    visit = visit_of("<title>x</title>bread <a href=/a>oven</a> flour <a href=/b>dough</a>", topic)
    spans = before(visit.document)
    words = visit.document.words
    assert [words[s:e] for s, e in zip(spans.start, spans.end, strict=True)] == [
        ["bread"],
        ["bread", "oven", "flour"],
    ]
    assert np.array_equal(
        TokenRows.gather(visit.tokens, spans).row(0), topic.vocabulary.encode(["bread"])
    )


@pytest.mark.django_db
def test_its_command_steers_a_crawl_and_is_explained(tmp_path: Path, register) -> None:
    command = loaded(tmp_path, "double", COMMAND).DOUBLE
    register(COMMANDS, {**COMMANDS, command.name: command})
    register(EVENT_KINDS, {**EVENT_KINDS, **{kind.kind: kind for kind in command.events}})
    crawl = made_crawl(made_topic(person("ada")), budget=50)
    site = site_of(crawl.owner)
    site.post(reverse("live:action", args=[crawl.pk]), {"action": command.name})
    crawl.refresh_from_db()
    assert crawl.budget == 100
    change = crawl.changes.get()
    assert (change.kind, change.payload["pages"]) == ("doubled", 100)
    undo_command(EVENT_KINDS).act(crawl, f"next-{change.pk}", crawl.owner)
    crawl.refresh_from_db()
    assert crawl.budget == 50
    write_event(crawl, change.kind, change.payload, request=0, pages=0)
    page = site.get(reverse("live:crawl", args=[crawl.pk])).content.decode()
    assert "Budget doubled" in page and "to 100 pages" in page
    assert command.does in site.get(reverse("help:screen", args=["live-crawl"])).content.decode()


def test_the_page_is_short_and_leads_to_every_recipe() -> None:
    assert len(PAGE.splitlines()) <= 70 and "```python" not in PAGE
    beside = set((ROOT / "apps").rglob("README.md"))
    assert beside == set(RECIPES)


def test_it_names_what_is_there() -> None:
    for path in set(re.findall(r"`((?:apps|tests)/[\w/]+(?:\.py|/))`", TEXT)):
        assert (ROOT / path).exists() or "keyword_anchor" in path, path
    targets = set(re.findall(r"make (\w+)", PAGE)) - {"what"}
    makefile = (ROOT / "Makefile").read_text()
    assert targets and all(re.search(rf"^{target}:", makefile, re.M) for target in targets)


def test_a_contributors_code_is_in_the_house_style(tmp_path: Path) -> None:
    for number, code in enumerate(BLOCKS):
        (tmp_path / f"block_{number}.py").write_text(code)
    ruff = Path(sys.executable).with_name("ruff")
    done = subprocess.run(
        # Outside the checkout ruff cannot tell our packages from others', so no order of imports.
        [ruff, "check", "--config", ROOT / "pyproject.toml", "--ignore", "I001", tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
