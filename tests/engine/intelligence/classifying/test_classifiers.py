from __future__ import annotations

import numpy as np
import pytest

from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.classifying.classifiers import KINDS, TextClassifier, select
from apps.engine.intelligence.topic_model import TRAINING_SEED, TopicModel
from apps.engine.model import NO_TOKEN, TokenRows


@pytest.fixture
def topic(make_topic):
    return TopicModel(make_topic())


def unseen(topic, make_examples):
    examples = make_examples(15, 15, seed=77)
    rows = TokenRows.of([topic.tokens(example.document) for example in examples])
    return rows, np.array([example.relevant for example in examples])


@pytest.mark.parametrize("kind", KINDS)
def test_it_distinguishes_unseen_pages(kind, topic, make_examples):
    rows, relevant = unseen(topic, make_examples)
    chances = topic.classifier(kind).probabilities(rows)
    assert ((chances >= 0.5) == relevant).mean() >= 0.9
    assert chances[relevant].min() > chances[~relevant].mean()
    assert (chances >= 0).all() and (chances <= 1).all()


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_examples_give_the_same_model(kind, make_topic, make_examples):
    chances = []
    for _ in range(2):
        topic = TopicModel(make_topic())
        chances.append(topic.classifier(kind).probabilities(unseen(topic, make_examples)[0]))
    assert chances[0].tolist() == chances[1].tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_it_ranks_short_contexts_as_well_as_pages(kind, topic):
    for_topic, against, other = topic.vocabulary.encode(["zostera", "railway", "sharedb"])
    chances = topic.classifier(kind).probabilities(
        TokenRows.of([np.array([token], np.int32) for token in (for_topic, other, against)])
    )
    assert chances[0] > chances[1] > chances[2]


@pytest.mark.parametrize("kind", KINDS)
def test_an_empty_text_scores_what_the_model_gives_zero(kind, topic):
    classifier = topic.classifier(kind)
    unknown = topic.vocabulary.encode(["neverseen"])
    empty, outside = classifier.margins(TokenRows.of([unknown[:0], unknown]))
    assert empty == outside
    assert np.isfinite(empty)


@pytest.mark.parametrize("kind", KINDS)
def test_it_works_from_two_examples_of_each_class(kind, make_topic):
    classifier = TopicModel(make_topic(2, 2)).classifier(kind)
    assert classifier.sigmoid_.slope > 0
    assert int(classifier.fold_.max()) == 1


def test_it_needs_two_examples_of_each_class(topic):
    with pytest.raises(NeedsMissing) as raised:
        TextClassifier().fit(topic.rows(), np.arange(20) < 1)
    assert raised.value.need == "examples"


@pytest.mark.parametrize("kind", ["svm", "nb"])
def test_margins_equal_scikit_learns(kind, topic):
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.svm import LinearSVC

    classifier, rows = topic.classifier(kind), topic.rows()
    matrix = classifier.weighting_.transform(rows)
    if kind == "svm":
        fitted = LinearSVC(random_state=TRAINING_SEED).fit(matrix, topic.labels())
        expected = fitted.decision_function(matrix)
    else:
        log = MultinomialNB(alpha=0.1).fit(matrix, topic.labels()).predict_log_proba(matrix)
        expected = log[:, 1] - log[:, 0]
    assert classifier.margins(rows) == pytest.approx(expected, abs=1e-12)


def test_the_networks_margin_is_the_logit_of_its_probability(topic):
    from sklearn.neural_network import MLPClassifier

    classifier, rows = topic.classifier("nn"), topic.rows()
    matrix = classifier.weighting_.transform(rows)
    network = MLPClassifier(
        (20,), activation="tanh", solver="lbfgs", alpha=0.01, random_state=TRAINING_SEED
    )
    chances = network.fit(matrix, topic.labels()).predict_proba(matrix)[:, 1]
    logits = np.log(chances / (1 - chances))
    assert classifier.margins(rows) == pytest.approx(logits, abs=0.05)


def test_held_out_margins_come_from_models_that_have_not_seen_the_example(topic):
    classifier, rows, labels = topic.classifier(), topic.rows(), topic.labels()
    fold = 2
    seen = np.flatnonzero(classifier.fold_ != fold)
    others = TextClassifier(seed=TRAINING_SEED).fit(select(rows, seen), labels[seen])
    unseen = np.flatnonzero(classifier.fold_ == fold)
    assert classifier.held_out_[unseen] == pytest.approx(
        others.margins(select(rows, unseen)), abs=1e-9
    )


def test_folds_are_five_and_keep_the_shares_of_the_classes(topic):
    fold, labels = topic.classifier().fold_, topic.labels()
    assert sorted(np.bincount(fold[labels]).tolist()) == [1, 1, 2, 2, 2]
    assert sorted(np.bincount(fold[~labels]).tolist()) == [2, 2, 2, 3, 3]


@pytest.mark.parametrize("kind", KINDS)
def test_the_terms_that_decide_are_the_subjects(kind, topic, subjects):
    top, shown = topic.classifier(kind).top_terms(4), topic.vocabulary.readable_word
    assert {shown(term.token) for term in top.favouring} <= subjects[0]
    assert {shown(term.token) for term in top.opposing} <= subjects[1]
    weights = [term.weight for term in top.favouring]
    assert weights == sorted(weights, reverse=True) and weights[-1] > 0
    assert all(term.weight < 0 for term in top.opposing)


def test_contributions_and_the_intercept_add_up_to_the_held_out_margin(topic):
    classifier, rows = topic.classifier(), topic.rows()
    intercepts = []
    for example in np.flatnonzero(classifier.fold_ == 0).tolist():
        terms = classifier.held_out_contributions(example, rows.row(example), 1000)
        weights = [term.weight for term in terms.favouring + terms.opposing]
        intercepts.append(classifier.held_out_[example] - sum(weights))
    assert len(intercepts) > 1
    assert intercepts == pytest.approx([intercepts[0]] * len(intercepts))


def test_influence_is_zero_outside_the_vocabulary(topic):
    tokens = topic.vocabulary.encode(["zostera", "neverseen", "the"])
    assert tokens[2] == NO_TOKEN
    influence = topic.classifier().influence(tokens)
    assert influence[0] > 0
    assert influence[1:].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("kind", ["svm", "nb"])
def test_a_light_example_counts_less(kind, topic):
    rows, labels = topic.rows(), topic.labels()
    wrong = labels.copy()
    wrong[0] = False
    weights = np.where(np.arange(len(labels)) == 0, 1e-6, 1.0)
    believed = TextClassifier(kind).fit(rows, wrong)
    doubted = TextClassifier(kind).fit(rows, wrong, weights)
    first = select(rows, np.array([0]))
    assert doubted.margins(first)[0] > believed.margins(first)[0]
