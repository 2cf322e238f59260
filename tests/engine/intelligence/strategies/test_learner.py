from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from apps.engine.codes import Need
from apps.engine.intelligence.classifying.calibration import logistic
from apps.engine.intelligence.classifying.page_memory import PageMemory
from apps.engine.intelligence.evidence.page_labels import LABEL_CHANCE
from apps.engine.intelligence.strategies.base import Moved
from apps.engine.intelligence.strategies.learner import Learner
from apps.engine.intelligence.strategies.weighted_evidence import SHIPPED, START
from apps.engine.intelligence.topic_model import TopicModel
from tests.engine.intelligence.strategies.toy import (
    BREAD,
    ToyCrawl,
    Waiting,
    rich_topic,
    toy_web,
    visit_of,
)

UNKNOWN = -1.0


class Counting:
    """The log-odds of a text are its bread words minus its other words, −1 without words."""

    def __init__(self, vocabulary) -> None:
        self._bread = vocabulary.encode(BREAD)
        self.of_pages, self.of_texts = PageMemory(), None

    def log_odds(self, rows):
        shares = [np.isin(rows.row(i), self._bread) for i in range(len(rows))]
        return np.array([2 * f.sum() - len(f) if len(f) else UNKNOWN for f in shares], np.float64)

    def probabilities(self, rows):
        return logistic(self.log_odds(rows))


def learner(topic, **parameters) -> Learner:
    fitted = Learner(**parameters).fit(topic)
    fitted.classifier_ = fitted.texts_.guide = Counting(topic.vocabulary)
    return fitted


def read(strategy, html, topic, tau=0.5, **rest):
    visit = visit_of(html, topic, topicality=tau, **rest)
    strategy.learn(visit)
    return visit


def expected(**parts: float) -> float:
    return START + sum(SHIPPED[part] * value for part, value in parts.items())


def test_it_adds_up_the_parts_of_two_parents(topic):
    strategy = learner(topic, window=2)
    # /bread/9 is linked from a page with log-odds ln(.8/.2), by "oven" between "crust" and
    # "garden", and from one with log-odds 0 by "more", which is a stop word, after "dough".
    read(strategy, '<p>crust <a href="/bread/9">oven</a> garden</p>', topic, 0.8, links=[7])
    second = read(
        strategy, '<p>dough <a href="/bread/9">more</a></p>', topic, 0.5, number=1, links=[7]
    )
    score = strategy.score_links(second)
    z = expected(
        page=(math.log(4) + 0) / 2,
        window=(1 + 1) / 2,
        anchor=(1 + UNKNOWN) / 2,
        address=1,
        parents=math.log(3),
    )
    assert score == pytest.approx([1 / (1 + math.exp(-z))])
    terms = strategy.explain(second, 0)
    assert list(terms) == ["start", *SHIPPED]
    assert sum(terms.values()) == pytest.approx(z)
    assert terms["page"] == pytest.approx(SHIPPED["page"] * math.log(4) / 2)


def test_siblings_that_turned_out_well_move_a_link_and_no_other(topic):
    strategy = learner(topic, reorders_every=2)
    read(strategy, '<a href="/a">a</a> <a href="/b">b</a>', topic, 0.4, links=[5, 6])
    read(strategy, '<a href="/c">c</a>', topic, 0.4, number=1, links=[7])
    waiting = Waiting([6, 7])
    whole = strategy.rescore(waiting)
    read(strategy, "<p>fetched</p>", topic, 0.9, number=5, links=[])
    moved = strategy.rescore(waiting)
    assert isinstance(moved, Moved) and moved.numbers.tolist() == [6]
    # (.9 + 2·m)/(1 + 2) against m, the mean of the two pages at the last renewal.
    chance = (0.9 + 2 * 0.4) / 3
    siblings = math.log(chance / (1 - chance)) - math.log(0.4 / 0.6)
    before = math.log(whole[0] / (1 - whole[0]))
    after = math.log(moved.priorities[0] / (1 - moved.priorities[0]))
    assert after - before == pytest.approx(SHIPPED["siblings"] * siblings)


def site(strategy, topic, tau: float) -> None:
    """5 and 6 are linked from one page, 5 is fetched and judged `tau` and links to 8; 7 is of the
    same folder as 5, 9 of another host and of nobody near it."""
    read(strategy, '<a href="/b/5">a</a> <a href="/c/6">b</a>', topic, 0.4, links=[5, 6])
    read(strategy, '<a href="/b/7">c</a>', topic, 0.4, number=1, links=[7])
    read(strategy, '<a href="http://far.test/">c</a>', topic, 0.4, number=2, links=[9])
    read(strategy, '<a href="/d/8">d</a>', topic, tau, number=5, links=[8], url=FIVE)


FIVE = "http://page.test/b/5"
URLS = {
    5: FIVE,
    6: "http://page.test/c/6",
    7: "http://page.test/b/7",
    8: "http://page.test/d/8",
    9: "http://far.test/",
}


class Site(Waiting):
    """The waiting links of `site`, by their addresses."""

    def __init__(self) -> None:
        super().__init__([6, 7, 8, 9])

    def url(self, number: int) -> str:
        return URLS[number]


def test_a_label_counts_as_if_the_page_had_been_judged_so(topic):
    reports, knew = learner(topic, reorders_every=1), learner(topic, reorders_every=1)
    site(reports, topic, 0.2)
    site(knew, topic, LABEL_CHANCE)
    before = reports.rescore(Site())
    reports.count_label(5, FIVE, True)
    after = reports.rescore(Site())
    assert after == pytest.approx(knew.rescore(Site()))
    # A sibling, a page of its folder and what it links to rise.
    assert all(after[:3] > before[:3] + 0.001)
    reports.count_label(5, FIVE, None)
    assert reports.rescore(Site()) == pytest.approx(before)


def test_the_weights_learn_from_the_label_instead_of_its_own_judgement(topic):
    strategy = learner(topic, reorders_every=1)
    site(strategy, topic, 0.2)
    position = strategy.weights_.pages.tolist().index(5)
    for relevant, judgement in ((False, 1 - LABEL_CHANCE), (True, LABEL_CHANCE), (None, 0.2)):
        strategy.count_label(5, FIVE, relevant)
        assert strategy.weights_.state()["judgements"][position] == pytest.approx(judgement)


def test_its_state_is_named_by_its_parts(topic):
    names = {tuple(name.split(".")[:2]) for name in learner(topic).state()}
    assert {first for first, *_ in names} == {
        "evidence",
        "labels",
        "pages",
        "relearns",
        "renewed_at",
        "weights",
    }
    assert {rest[0] for first, *rest in names if first == "evidence"} == {
        "judged",
        "mean",
        "sections",
        "siblings",
        "sum",
        "texts",
    }


def test_a_label_outlives_a_checkpoint_and_new_models_and_is_taken_back_to_theirs(topic):
    first, again, knew = (learner(topic, reorders_every=1) for _ in range(3))
    site(first, topic, 0.2)
    first.count_label(5, FIVE, True)
    again.restore(first.state())
    again.forget_pages()
    relearned = [
        ('<a href="/b/5">a</a> <a href="/c/6">b</a>', 0.4, 0, [5, 6]),
        ('<a href="/b/7">c</a>', 0.4, 1, [7]),
        ('<a href="http://far.test/">c</a>', 0.4, 2, [9]),
        ('<a href="/d/8">d</a>', 0.3, 5, [8]),
    ]
    for html, tau, number, links in relearned:
        rest = {"url": FIVE} if number == 5 else {}
        page = visit_of(html, topic, topicality=tau, number=number, links=links, **rest)
        again.relearn_page(page, again.read_again(page))
    site(knew, topic, LABEL_CHANCE)
    assert again.rescore(Site()) == pytest.approx(knew.rescore(Site()))
    again.count_label(5, FIVE, None)
    assert again.knowledge_.siblings.judgement.one(5) == 0.3


def test_while_words_guide_a_label_off_the_topic_counts_for_nothing_but_the_guide(topic):
    words = TopicModel(replace(topic.topic, training=(), evaluation=(), keywords=BREAD))
    strategy = Learner(reorders_every=1).fit(words)
    site(strategy, words, 0.2)
    before = strategy.rescore(Site())
    own = strategy.knowledge_.siblings.judgement.one(5)
    strategy.count_label(5, FIVE, False)
    assert strategy.rescore(Site()) == pytest.approx(before) and len(strategy.labels_) == 1
    strategy.count_label(5, FIVE, True)
    assert all(strategy.rescore(Site())[:3] > before[:3] + 0.001)
    strategy.count_label(5, FIVE, False)
    assert strategy.knowledge_.siblings.judgement.one(5) == pytest.approx(own)

    taken_over = learner(topic, reorders_every=1)
    taken_over.restore(strategy.state())
    taken_over.forget_pages()
    page = visit_of("<p>d</p>", topic, topicality=0.3, number=5, links=[], url=FIVE)
    taken_over.relearn_page(page, taken_over.read_again(page))
    judgement = taken_over.knowledge_.siblings.judgement.one(5)
    assert judgement == pytest.approx(1 - LABEL_CHANCE), "a classifier counts it"


def test_a_label_of_a_page_without_evidence_is_left_to_the_models(topic):
    strategy = learner(topic, reorders_every=1)
    site(strategy, topic, 0.2)
    read(strategy, "<script>1</script>", topic, 0.9, number=6, links=[])
    before = strategy.rescore(Site()).tolist()
    strategy.count_label(6, URLS[6], True)
    assert not strategy.labels_
    strategy.renewed_at_ = -1
    assert strategy.rescore(Site()).tolist() == before


def test_no_text_is_more_than_certain(topic):
    strategy = learner(topic)
    visit = read(strategy, f'<a href="/x">{" ".join(BREAD)}</a>', topic, 1.0)
    terms = strategy.explain(visit, 0)
    assert terms["page"] == 6 * SHIPPED["page"] and terms["anchor"] == 6 * SHIPPED["anchor"]


def test_it_ranks_all_links_when_the_crawl_has_grown_by_a_tenth_and_else_only_some(topic):
    strategy = learner(topic)
    kinds = {}
    for number in range(400):
        read(strategy, '<a href="/x">x</a>', topic, number=number, links=[1000 + number])
        if strategy.reorder_due(number + 1):
            kinds[number + 1] = type(strategy.rescore(Waiting([1000 + number])))
    whole = [page for page, kind in kinds.items() if kind is not Moved]
    assert whole[:11] == [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110]
    assert whole[11:] == [130, 150, 170, 190, 210, 240, 270, 300, 330, 370]


def test_it_learns_from_its_own_judgements_which_part_to_trust(topic):
    # Anchors say the truth here; the words of addresses say the opposite.
    strategy = learner(topic, hold=1.0)
    rng = np.random.default_rng(2)
    for i in range(300):
        good = bool(rng.random() < 0.5)
        name, path = (BREAD[i % 10], "rail") if good else ("rail", BREAD[i % 10])
        read(strategy, f'<a href="/{path}/">{name}</a>', topic, number=2 * i, links=[2 * i + 1])
        read(strategy, "<p>leaf</p>", topic, 0.95 if good else 0.05, number=2 * i + 1, links=[])
    strategy.rescore(Waiting([]))
    now = dict(zip(SHIPPED, strategy.weights_.parts.tolist(), strict=True))
    assert now["anchor"] > 5 * SHIPPED["anchor"] and now["address"] == 0
    assert strategy.telemetry()["weight_anchor"] == now["anchor"]


def test_a_page_that_needs_scripts_teaches_nothing(topic):
    strategy = learner(topic)
    read(strategy, '<a href="/x">x</a>', topic, links=[5])
    before = strategy.weights_.state()["seen"]
    read(strategy, "<script>1</script>", topic, 0.9, number=5, links=[])
    assert strategy.weights_.state()["seen"] == before
    read(strategy, "<p>words</p>", topic, 0.9, number=6, links=[])  # a seed: nobody links to it
    assert strategy.weights_.state()["seen"] == before


def test_the_telemetry_of_a_page_explains_why_it_was_fetched(topic):
    strategy = learner(topic)
    parent = read(strategy, '<p>crust <a href="/oven">dough</a></p>', topic, 0.8, links=[5])
    terms = strategy.explain(parent, 0)
    read(strategy, "<p>words</p>", topic, 0.9, number=5, links=[])
    reports = strategy.telemetry()
    assert {name: reports[name] for name in terms} == terms


def test_a_page_it_has_not_learned_from_scores_as_after_learning(topic):
    html = '<p>crust <a href="/oven">dough</a> <a href="/rail">train</a></p>'
    informed, unknown = learner(topic), learner(topic)
    for strategy in (informed, unknown):
        read(strategy, '<a href="/oven">loaf</a>', topic, 0.7, number=1, links=[10])
    visit = visit_of(html, topic, topicality=0.8, number=2)
    informed.learn(visit)
    assert unknown.score_links(visit) == pytest.approx(informed.score_links(visit))


def test_the_texts_of_a_page_are_read_once(topic):
    strategy = learner(topic)
    lots = []
    read_all = strategy.classifier_.log_odds
    strategy.classifier_.log_odds = lambda rows: lots.append(len(rows)) or read_all(rows)
    visit = visit_of('<a href="/oven">dough</a> <a href="/rail">train</a>', topic)
    message = strategy.judge(visit)
    strategy.learn(replace(visit, topicality=message.topicality))
    assert lots == [1 + 2 + 2 + 2]  # the page; windows, anchors and addresses of two links


def test_with_a_background_words_that_no_example_has_count(topic):
    pages = tuple(e.document for e in rich_topic().training)
    richer = TopicModel(replace(rich_topic(), background=pages * 3), seed=1)
    assert Need.BACKGROUND in Learner().used() and Need.BACKGROUND not in Learner().needed()
    assert Learner().fit(richer).classifier_.background is not None
    assert Learner(background=False).fit(richer).classifier_.background is None
    assert Learner().fit(topic).classifier_.background is None
    assert not Learner(background=False).used()


def test_it_finds_the_bread_of_the_toy_web_first(topic):
    model = TopicModel(rich_topic(), seed=1)
    crawl = ToyCrawl(Learner().fit(model), model.vocabulary, toy_web())
    on_topic = [url for url in crawl.run(14) if "/bread/" in url]
    assert len(on_topic) == 9


def test_the_leading_term_of_a_waiting_link_is_that_which_raises_it_most(topic):
    strategy = learner(topic, window=2)
    read(
        strategy,
        '<p>crust <a href="/bread/9">oven</a> garden</p> <a href="/x">more</a>',
        topic,
        0.1,
        links=[7, 8],
    )
    second = read(
        strategy, '<p>dough <a href="/bread/9">oven</a></p>', topic, 0.1, number=1, links=[7]
    )
    terms = strategy.explain(second, 0)
    del terms["start"]
    assert strategy.leading_terms(np.array([7, 999])) == [max(terms, key=terms.__getitem__), ""]
