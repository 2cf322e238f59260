"""What holds for every strategy of the catalogue."""

from __future__ import annotations

import copy
import inspect
import io
import json
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from apps.engine.codes import Need
from apps.engine.errors import BadParameter, NeedsMissing, UnknownStrategy
from apps.engine.intelligence import strategies as catalogue
from apps.engine.intelligence.strategies import CATALOGUE, describe, strategy
from apps.engine.intelligence.strategies.explains import Explains
from apps.engine.intelligence.strategies.relearns import Relearns, relearning
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.representation.tokens import Vocabulary
from apps.engine.topics import Topic
from tests.engine.intelligence.strategies.toy import (
    ToyCrawl,
    Waiting,
    rescored,
    rich_topic,
    small,
    toy_web,
)

every_strategy = pytest.mark.parametrize("cls", CATALOGUE, ids=lambda cls: cls.id)
every_explaining_strategy = pytest.mark.parametrize(
    "cls", [cls for cls in CATALOGUE if issubclass(cls, Explains)], ids=lambda cls: cls.id
)


@cache
def trained_model():
    """A model whose classifiers are trained already."""
    model = TopicModel(rich_topic(), seed=1)
    for weighting in ("smart", "tfc"):
        model.classifier("svm", weighting)
    return model


def crawl_of(cls) -> ToyCrawl:
    model = trained_model().for_another_crawl()
    return ToyCrawl(cls.build(small(cls)).fit(model), model.vocabulary, toy_web())


@cache
def whole_crawl(cls) -> ToyCrawl:
    """A crawl of the whole web, to be read only."""
    crawl = crawl_of(cls)
    crawl.run(30)
    return crawl


def written_and_read(state):
    """A state as a checkpoint keeps it: arrays as npz, plain values as JSON."""
    arrays = {name: value for name, value in state.items() if isinstance(value, np.ndarray)}
    plain = {name: value for name, value in state.items() if name not in arrays}
    file = io.BytesIO()
    np.savez(file, **arrays)
    file.seek(0)
    read = dict(np.load(file, allow_pickle=False))
    return {**read, **json.loads(json.dumps(plain))}


def same(a, b) -> bool:
    if a.keys() != b.keys():
        return False
    return all(
        np.array_equal(np.asarray(a[k]), np.asarray(b[k]), equal_nan=True)
        if np.asarray(a[k]).dtype.kind == "f"
        else np.array_equal(a[k], b[k])
        for k in a
    )


@every_strategy
def test_it_is_named_alike_everywhere(cls):
    snake = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
    assert cls.id == snake == Path(sys.modules[cls.__module__].__file__).stem
    assert strategy(cls.id) is cls
    assert cls.title and cls.paper and cls.section and cls.advice


@every_strategy
def test_its_parameters_are_given_by_name(cls):
    named = inspect.Parameter.KEYWORD_ONLY
    assert all(a.kind is named for a in inspect.signature(cls).parameters.values())


@every_strategy
def test_a_strategy_that_reads_the_examples_learns_from_labels(cls):
    built = cls()
    assert relearning(built) is not None or Need.EXAMPLES not in built.needed()


@every_strategy
def test_blocks_that_are_stored_for_labels_are_the_ones_it_explains_by(cls):
    if issubclass(cls, Relearns) and cls.reads == "blocks":
        assert issubclass(cls, Explains) and cls.context is not Explains.context


@every_strategy
def test_its_parameters_round_trip(cls):
    built = cls.build(small(cls))
    again = cls.build(built.values())
    assert again.values() == built.values()
    texts = cls.build({name: str(value) for name, value in built.values().items()})
    assert texts.values() == built.values()
    assert cls.build({}).values() == {p.name: p.default for p in cls.parameters()}
    assert repr(built).startswith(cls.__name__ + "(")


@every_strategy
def test_each_parameter_names_what_it_does(cls):
    for parameter in cls.parameters():
        assert parameter.effect, parameter.name
        assert parameter.kind in {"int", "float", "bool", "choice", "str", "names"}
        assert parameter.read(parameter.default) == parameter.default
        for spelling in parameter.spellings:
            assert cls.build({spelling: parameter.default}).values()[parameter.name] == (
                parameter.default
            )


@every_strategy
def test_it_refuses_parameters_it_does_not_have_or_cannot_take(cls):
    with pytest.raises(BadParameter, match="has no parameter nonsense"):
        cls.build({"nonsense": 1})
    for parameter in cls.parameters():
        if parameter.kind == "names":
            with pytest.raises(BadParameter, match="nonsense is not one of"):
                cls.build({parameter.name: "nonsense"})
        if parameter.high is not None:
            with pytest.raises(BadParameter, match=parameter.name):
                cls.build({parameter.name: parameter.high + 1})
        if parameter.kind == "choice":
            with pytest.raises(BadParameter, match="one of"):
                cls.build({parameter.name: "nonsense"})


@every_strategy
def test_its_scores_fit_the_links_and_lie_in_range(cls):
    crawl = whole_crawl(cls)
    assert len(crawl.order) > 5
    for visit in crawl.visits:
        scores = list(crawl.strategy.score_links(visit))
        assert len(scores) == len(visit.links)
        given = np.array([s for s in scores if s is not None], np.float64)
        assert np.isfinite(given).all() and (given >= 0).all() and (given <= 1).all()


@every_strategy
def test_scoring_judging_and_explaining_change_nothing(cls):
    crawl = crawl_of(cls)
    crawl.run(9)
    before = copy.deepcopy(crawl.strategy.state())
    for visit in crawl.visits:
        first = list(crawl.strategy.score_links(visit))
        output = crawl.strategy.judge(visit)
        if isinstance(crawl.strategy, Explains):
            for link in range(len(visit.links)):
                crawl.strategy.explain(visit, link)
        assert list(crawl.strategy.score_links(visit)) == first
        assert crawl.strategy.judge(visit) == output
    assert same(before, crawl.strategy.state())


@every_strategy
def test_it_names_the_formula_of_its_scores(cls):
    assert cls.build(small(cls)).fit(trained_model()).formula


@every_explaining_strategy
def test_it_explains_each_link_by_terms_and_the_words_it_reads(cls):
    crawl = crawl_of(cls)
    crawl.run(9)
    for visit in crawl.visits:
        contexts = crawl.strategy.context(visit)
        rows = (len(visit.links), len(visit.links.target))
        assert contexts is None or contexts.rows in rows
        for link in range(len(visit.links)):
            terms = crawl.strategy.explain(visit, link)
            assert terms and all(isinstance(value, float) for value in terms.values())


@every_strategy
def test_learning_changes_no_input(cls):
    crawl = crawl_of(cls)
    crawl.run(8)
    for visit in crawl.visits:
        tokens, numbers = visit.tokens.copy(), visit.link_numbers.copy()
        document_words = list(visit.document.words)
        crawl.strategy.score_links(visit)
        assert np.array_equal(visit.tokens, tokens)
        assert np.array_equal(visit.link_numbers, numbers)
        assert visit.document.words == document_words
        fresh = crawl.visit(visit.url_number, visit.url)
        assert np.array_equal(fresh.tokens, visit.tokens)
        assert np.array_equal(fresh.link_numbers, visit.link_numbers)


@every_strategy
def test_it_scores_before_it_has_learned_anything(cls):
    crawl = crawl_of(cls)
    number = 0
    visit = crawl.visit(number, crawl.urls[number])
    output = crawl.strategy.judge(visit)
    judged = replace(visit, topicality=output.topicality, status=output.status)
    assert len(list(crawl.strategy.score_links(judged))) == len(visit.links)


@every_strategy
def test_the_same_crawl_repeats_exactly(cls):
    first, second = whole_crawl(cls), crawl_of(cls)
    assert first.order == second.run(30)
    assert same(first.strategy.state(), second.strategy.state())


@every_strategy
@pytest.mark.parametrize("killed_at", [5, 11])
def test_a_killed_crawl_goes_on_as_if_nothing_had_happened(cls, killed_at):
    crawl = crawl_of(cls)
    crawl.run(killed_at)
    state = written_and_read(crawl.strategy.state())
    vocabulary = Vocabulary("en")
    vocabulary.restore(crawl.vocabulary.entries())
    model = TopicModel(rich_topic(), vocabulary, seed=1)
    crawl.strategy = cls.build(crawl.strategy.values()).fit(model)
    crawl.strategy.restore(state)
    crawl.vocabulary = model.vocabulary
    assert same(written_and_read(crawl.strategy.state()), state)
    assert crawl.run(30) == whole_crawl(cls).order


@every_strategy
def test_it_reorders_an_empty_frontier(cls):
    for pages in (1, 8):
        crawl = crawl_of(cls)
        crawl.run(pages)
        assert not rescored(crawl.strategy, Waiting([]))


@every_strategy
def test_it_bears_a_page_that_links_to_itself_and_twice_to_one_url_under_two_names(cls):
    crawl = crawl_of(cls)
    crawl.run(3)
    number = crawl.visits[-1].link_numbers[0].item()
    crawl.parent.setdefault(number, 0)
    visit = crawl.visit(number, "http://toy.test/bread/2")
    aliases = np.array([number, 5, 5, 0], np.int64)[: len(visit.links)]
    visit = replace(visit, link_numbers=aliases)
    output = crawl.strategy.judge(visit)
    visit = replace(visit, topicality=output.topicality, status=output.status)
    crawl.strategy.learn(visit)
    assert len(list(crawl.strategy.score_links(visit))) == len(aliases) == 4
    scores = rescored(crawl.strategy, Waiting([5, 6], [(number, 5)]))
    assert np.isfinite(list(scores.values())).all()


@every_strategy
def test_its_memory_grows_at_most_with_what_was_fetched(cls):
    crawl = whole_crawl(cls)
    size = sum(np.asarray(value).nbytes for value in crawl.strategy.state().values())
    seen = sum(len(v.document.words) + len(v.links) * 30 for v in crawl.visits)
    learned = 60_000  # a model over the toy's 60 terms, 24 corpus documents and 11 offsets
    assert size <= learned + 100 * seen


@every_strategy
def test_it_names_what_it_misses(cls):
    empty = TopicModel(Topic(name="nothing", language="en"), seed=1)
    if cls.id in {"breadth_first", "backlink_count", "pagerank", "hits"}:
        cls.build({}).fit(empty)
        return
    with pytest.raises(NeedsMissing) as error:
        cls.build({}).fit(empty)
    assert Need(error.value.need) in (cls.needs or {Need.KEYWORDS})


def test_the_catalogue_describes_itself_in_plain_values():
    described = json.loads(json.dumps(describe()))
    assert [entry["id"] for entry in described] == [cls.id for cls in CATALOGUE]
    assert len({entry["id"] for entry in described}) == len(described) == len(CATALOGUE)
    window = next(e for e in described if e["id"] == "text_window_combo")["parameters"][0]
    assert (window["name"], window["symbol"], window["default"]) == ("window", "T", 40)
    assert (window["low"], window["high"], window["kind"]) == (0, 400, "int")


def test_an_unknown_strategy_is_refused_with_those_there_are():
    with pytest.raises(UnknownStrategy, match="full_page"):
        strategy("depth_first")


def test_letters_of_the_papers_are_accepted_in_ascii_too():
    adaptive = (
        strategy("adaptive_utility")
        .build({"δ": 0.8, "M": 10, "Delta": 0.02, "alpha0": 0.4})
        .values()
    )
    assert (adaptive["delta"], adaptive["memory"], adaptive["step"], adaptive["alpha0"]) == (
        0.8,
        10,
        0.02,
        0.4,
    )
    combo = strategy("text_window_combo").build({"T": "20", "beta": "0.5"}).values()
    assert (combo["window"], combo["beta"]) == (20, 0.5)
    assert strategy("selective_link_context").build({"theta": 0.3}).values()["threshold"] == 0.3
    assert strategy("hcla").build({"k": 30, "N": 10}).values()["reorders_every"] == 10


def test_the_catalogue_is_read_without_scikit_learn_scipy_or_an_http_client():
    program = (
        "import sys; from apps.engine.intelligence.strategies import describe; describe();"
        "print([m for m in ('sklearn', 'scipy', 'django', 'requests') if m in sys.modules])"
    )
    root = Path(catalogue.__file__).parents[4]
    answer = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "[]"
