from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from apps.engine.codes import Need
from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.topic_model import TopicModel, judge_at_hand
from apps.engine.model import Document, PageSizes, Visit
from apps.engine.parsing.later import parsed_later
from apps.engine.topics import Example, Topic


def visit_of(topic: TopicModel, example: Example) -> Visit:
    return Visit(
        1,
        example.url,
        0,
        -1,
        0,
        example.document,
        topic.tokens(example.document),
        np.arange(len(example.document.links)),
    )


def test_it_detects_the_language_unless_it_is_given(make_topic):
    assert TopicModel(make_topic()).language == "en"
    assert TopicModel(make_topic(language="de")).language == "de"


def test_the_same_topic_gives_the_same_token_ids(make_topic):
    first, second = TopicModel(make_topic()), TopicModel(make_topic())
    first.classifier()
    assert first.vocabulary.entries() == second.vocabulary.entries()


def test_a_crawls_vocabulary_can_be_put_back(make_topic):
    topic = TopicModel(make_topic())
    met = topic.vocabulary.encode(["halophila", "wrack"])
    later = TopicModel(make_topic())
    later.vocabulary.restore(topic.vocabulary.entries())
    assert later.vocabulary.encode(["wrack", "halophila"]).tolist() == met.tolist()[::-1]


@pytest.mark.parametrize("language", ["en", None])
def test_texts_of_their_state_are_the_same_and_no_document_is_read(
    make_topic, make_examples, language
):
    def refuse() -> Document:
        raise AssertionError("a document is read")

    topic = make_topic(
        language=language,
        keywords=("kelp",),
        evaluation=make_examples(2, 3),
        inlinks={example.url: n for n, example in enumerate(make_topic().training, 1)},
        background_texts=(["kelp", "wrack"], []),
    )
    first = TopicModel(topic)
    state = first.state()
    first.vocabulary.encode(["halophila"])

    def unread(examples: Sequence[Example]) -> tuple[Example, ...]:
        outlines = [state["examples"][e.url] for e in examples]
        documents = [parsed_later(refuse, url, PageSizes(*sizes)) for url, *sizes in outlines]
        return tuple(replace(e, document=d) for e, d in zip(examples, documents, strict=True))

    again = TopicModel(
        replace(topic, training=unread(topic.training), evaluation=unread(topic.evaluation)),
        state=state,
    )
    for rows in (TopicModel.rows, TopicModel.background, TopicModel.query):
        assert rows(again).ids.tolist() == rows(first).ids.tolist()
        assert rows(again).indptr.tolist() == rows(first).indptr.tolist()
    assert again.language == first.language
    assert again.classifier().state().keys() == first.classifier().state().keys()
    assert again.status_model().describe() == first.status_model().describe()
    fresh = TopicModel(topic).vocabulary
    assert again.vocabulary.entries() == fresh.entries()
    assert again.vocabulary.encode(["halophila", "kelps"]).tolist() == (
        fresh.encode(["halophila", "kelps"]).tolist()
    )


def test_examples_added_later_take_ids_behind_those_of_the_crawl(make_topic, make_page):
    topic = make_topic()
    before = TopicModel(topic)
    met = before.vocabulary.encode(["halophila"])
    page = make_page("http://new.test/", ["wrack", "halophila"])
    grown = replace(topic, training=(*topic.training, Example(page.url, page, True)))
    after = TopicModel(grown, before.vocabulary)
    assert after.rows().row(len(topic.training)).tolist()[1] == met[0]
    assert after.rows().row(0).tolist() == before.rows().row(0).tolist()


def test_each_crawl_of_a_topic_gives_its_words_the_same_ids(make_topic):
    model = TopicModel(make_topic(), seed=1)
    first = model.for_another_crawl().vocabulary.encode(["zephyr", "quartz"])
    second = model.for_another_crawl()
    assert second.vocabulary.encode(["quartz", "zephyr"]).tolist() == first.tolist()
    assert second.classifier() is model.classifier()
    assert second.committee() is model.committee()


def test_rows_are_the_training_pages_by_class(make_topic):
    topic = TopicModel(make_topic(3, 5))
    assert [len(topic.rows(which)) for which in (None, True, False)] == [8, 3, 5]
    assert topic.labels().tolist() == [True] * 3 + [False] * 5
    assert topic.rows(True).row(1).tolist() == topic.rows().row(1).tolist()


def test_models_are_trained_once_and_kept(make_topic):
    topic = TopicModel(make_topic())
    assert topic.classifier() is topic.classifier("svm", "smart", "examples")
    assert topic.classifier() is not topic.classifier("nb")
    assert topic.committee() is topic.committee()


def test_the_query_is_one_row_of_the_keywords(make_topic):
    topic = TopicModel(make_topic())
    shown = [topic.vocabulary.readable_word(token) for token in topic.query().row(0)]
    assert shown == ["eelgrass", "meadow", "zostera"]


@pytest.mark.parametrize(
    ("changes", "ask", "need"),
    [
        ({"training": ()}, lambda topic: topic.classifier(), Need.EXAMPLES),
        ({"training": ()}, lambda topic: topic.topicality_judge(), Need.EXAMPLES),
        ({"training": ()}, lambda topic: topic.centroid(), Need.EXAMPLES),
        ({"keywords": ("the of", "42")}, lambda topic: topic.query(), Need.KEYWORDS),
        ({"keywords": (), "training": ()}, lambda topic: topic.profile(), Need.KEYWORDS),
        ({}, lambda topic: topic.status_model(), Need.INLINKS),
        ({}, lambda topic: topic.status_judge(), Need.INLINKS),
        ({}, lambda topic: topic.classifier(idf="background"), Need.BACKGROUND),
    ],
)
def test_it_names_what_a_topic_lacks(changes, ask, need, make_topic):
    with pytest.raises(NeedsMissing) as raised:
        ask(TopicModel(make_topic(**changes)))
    assert raised.value.need == need


def test_one_class_is_no_training_set(make_topic):
    topic = make_topic()
    positives = tuple(example for example in topic.training if example.relevant)
    with pytest.raises(NeedsMissing):
        TopicModel(replace(topic, training=positives)).classifier()


def test_the_background_counts_for_rarity_and_not_for_training(make_topic, make_page):
    background = tuple(make_page(f"http://b.test/{i}", ["zostera", "salt"]) for i in range(50))
    topic = TopicModel(make_topic(background=background))
    zostera = topic.vocabulary.encode(["zostera"])
    plain, counted = topic.classifier(), topic.classifier(idf="background")
    columns = counted.weighting_.columns
    assert counted.weighting_.idf_[columns[zostera[0]]] < plain.weighting_.idf_[columns[zostera[0]]]
    assert columns.take(topic.vocabulary.encode(["salt"]), mode="clip").tolist() == [-1]


def test_the_judges_learn_from_examples_the_crawler_has_not(make_topic):
    topic = make_topic()
    shared = replace(topic, evaluation=(*topic.evaluation, *topic.training))
    plain, same = TopicModel(topic).committee(), TopicModel(shared).committee()
    assert plain is not None and same is not None
    assert len(same.members[0].fold_) == len(plain.members[0].fold_) == 20
    assert plain.judged_by == "committee"


def test_lc_trains_its_judges_on_the_whole_relevant_set(make_topic):
    committee = TopicModel(make_topic()).committee("lc")
    assert committee is not None
    assert len(committee.members[0].fold_) == 40
    assert len(committee.members) == 3
    assert committee.judged_by == "lc_committee"


def test_lc_s_judges_learn_from_the_targets_and_from_no_page_twice(make_topic):
    topic = make_topic()
    apart = TopicModel(replace(topic, evaluation=(), relevant_set=topic.evaluation))
    again = TopicModel(replace(topic, relevant_set=(*topic.evaluation, *topic.training)))
    for model in (apart, again):
        committee = model.committee("lc")
        assert committee is not None
        assert len(committee.members[0].fold_) == 40
    assert apart.judged_by("separate") == "guiding_classifier"


@pytest.mark.parametrize("judge", ["separate", "sl"])
def test_the_guiding_classifier_judges_where_there_is_nothing_else(judge, make_topic):
    topic = TopicModel(make_topic(evaluation=()))
    committee = topic.committee(judge)
    assert committee is not None
    assert committee.members == (topic.classifier(),)
    assert committee.judged_by == topic.judged_by(judge) == "guiding_classifier"


def test_nobody_judges_a_topic_without_examples(make_topic):
    topic = TopicModel(make_topic(training=(), evaluation=()))
    assert topic.committee() is None
    assert topic.judged_by() == "none"


def test_who_judges_is_known_before_training(make_topic):
    topic = TopicModel(make_topic())
    for judge in ("separate", "lc", "sl"):
        committee = topic.committee(judge)
        assert committee is not None
        assert committee.judged_by == topic.judged_by(judge)


@pytest.mark.parametrize("judge", ["separate", "lc", "sl"])
def test_addresses_and_labels_alone_name_which_judge_is_at_hand(judge, make_topic):
    whole = make_topic()
    for topic in (
        whole,
        make_topic(evaluation=()),
        make_topic(training=()),
        make_topic(training=(), evaluation=()),
        replace(whole, evaluation=whole.training),
        replace(whole, evaluation=(), relevant_set=whole.evaluation),
    ):
        parts = [
            [(each.url, each.relevant) for each in examples]
            for examples in (topic.training, topic.evaluation, topic.relevant_set)
        ]
        assert judge_at_hand(judge, *parts) == TopicModel(topic)._judge_at_hand(judge)
        if (committee := TopicModel(topic).committee(judge)) is not None:
            assert committee.judged_by == judge_at_hand(judge, *parts)


def test_the_profile_is_the_centroid_and_without_examples_the_keywords(make_topic, make_page):
    for topic in (make_topic(), make_topic(training=(), evaluation=(), language="en")):
        model = TopicModel(topic)
        sea = model.tokens(make_page("http://a.test/", ["zostera", "meadows", "sharedc"]))
        rail = model.tokens(make_page("http://b.test/", ["railway", "boilers", "sharedc"]))
        near, far = (model.profile().cosines(type(model.query()).of([t]))[0] for t in (sea, rail))
        assert 0 <= far < near <= 1


def test_positive_examples_alone_make_a_profile(make_topic):
    topic = make_topic()
    positives = tuple(example for example in topic.training if example.relevant)
    model = TopicModel(replace(topic, training=positives))
    assert (model.profile().cosines(model.rows(True)) > 0.5).all()


def test_judges_agree_with_the_models(make_topic):
    topic = make_topic()
    model = TopicModel(replace(topic, inlinks={e.url: 3 * i for i, e in enumerate(topic.training)}))
    visit = visit_of(model, topic.training[0])
    output, status = model.topicality_judge()(visit), model.status_judge()(visit)
    assert output.topicality == model.classifier().probabilities(visit.page())[0]
    assert status.status_log is not None
    assert status.status == model.status_model().status(status.status_log)
    assert (output.status, status.topicality) == (None, None)


def test_in_an_unknown_language_common_terms_are_stopped(make_page):
    def example(i: int, relevant: bool) -> Example:
        own = "sjøgras" if relevant else "lokomotiv"
        page = make_page(f"http://a.test/{i}", ["xo", own, f"ord{i}"])
        return Example(page.url, page, relevant)

    examples = tuple(example(i, i < 4) for i in range(6))
    model = TopicModel(Topic("x", training=examples))
    assert model.language is None
    assert model.vocabulary.encode(["xo", "sjøgras", "ord1"]).tolist() == [-1, 1, 3]
    assert [len(model.rows().row(i)) for i in range(6)] == [2] * 6


def test_reading_the_catalogue_imports_no_scikit_learn():
    script = (
        "import sys, apps.engine.intelligence.quality, apps.engine.intelligence.strategies;"
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'sklearn', 'scipy'}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
