"""LC's and SL's experiments run again, on a small made web."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from apps.directories.splits import rule
from apps.engine.errors import BadWebFile
from apps.engine.evaluation.significance import holm, paired_t_test
from apps.engine.intelligence.topic_model import TopicModel
from apps.experiments.reproduce import lc_crawlers, sl_crawlers
from apps.experiments.reproduce.directory_protocol import (
    Course,
    inlink_counts,
    judge_of,
    members,
    topics,
)
from apps.experiments.reproduce.options import Options
from apps.experiments.reproduce.topic_means import means

LC = Options("made", pages=40, examples=6, categories=("student", "course"),
             crawlers=("full_page_nb", "text_window_combo_10"))
SL = Options("made", pages=40, examples=10, categories=("student", "course"),
             crawlers=("utility_0.0", "utility_1.0", "adaptive_0.7"))


def quiet(line: str) -> None:
    """Says nothing."""


@pytest.fixture(scope="module")
def lc(parted):
    return lc_crawlers.reproduce(parted, LC, quiet)


@pytest.fixture(scope="module")
def sl(parted):
    return sl_crawlers.reproduce(parted, SL, quiet)


def test_roles_are_those_of_lc(parted):
    # 6 seeds that are the positives, 12 negatives of other categories, all other pages targets.
    student, _ = topics(parted, rule("lc"), LC)
    all_pages = {url for url, labels in parted.labels.items() if "student" in labels}
    positives = {e.url for e in student.topic.training if e.relevant}
    negatives = {e.url for e in student.topic.training if not e.relevant}
    assert (len(positives), len(negatives)) == (6, 12)
    assert set(student.topic.seeds) == positives
    assert student.topic.targets == all_pages - positives
    assert not negatives & all_pages
    assert {e.url for e in student.judge if e.relevant} == all_pages


def test_roles_are_those_of_sl(parted):
    # 10 and 10 for the crawler, 10 and 10 others for the judge, no targets.
    student, _ = topics(parted, rule("sl"), SL)
    mine, judges = ({e.url for e in part} for part in (student.topic.training, student.judge))
    assert (len(mine), len(judges), student.topic.targets) == (20, 20, frozenset())
    assert not mine & judges


def test_a_subtree_is_the_second_level_with_all_below(parted, monkeypatch):
    labels = {"u1": {"A/B/C"}, "u2": {"A/B"}, "u3": {"A/D"}, "u4": {"A/B/C", "A/D/E"}}
    monkeypatch.setattr(parted, "labels", labels)
    assert members(parted, rule("sl")) == {"A/B": ["u1", "u2", "u4"], "A/D": ["u3", "u4"]}
    assert members(parted, rule("lc"))["A/B/C"] == ["u1", "u4"]


def test_in_links_are_the_other_pages_of_the_web_that_link(parted):
    # By the made web's own links: distinct pages, redirects followed, itself left out.
    part = parted.part("north")
    counts = inlink_counts(parted)
    url = part.root
    linking = [other for name in parted.names for other, document in
               parted.part(name).documents.items() if url in document.links.urls]
    assert counts[url] >= len(set(linking) - {url}) > 0
    assert set(counts) == set(parted.labels)


def test_lc_has_a_line_for_each_crawler_and_classifier(lc):
    assert [mean.crawler for mean in lc.harvest] == [
        "full_page", "full_page_nb", "text_window_combo_10"]
    assert [each.kind for each in lc.learners] == ["svm", "nb", "nn"]
    for each in lc.learners:
        assert 0.5 < each.accuracy.mean <= 1 and each.seconds.mean > 0
    base, nb, _ = lc.harvest
    assert base.p is None and base.p_over_time is None and len(nb.p_over_time) == 10
    text = lc.text()
    assert "seconds of training" in text and "text_window_combo_10" in text
    assert json.loads(json.dumps(lc.as_dict()))["published"]["svm"] == [85.23, 0.518]


def test_sl_has_one_theta_and_its_judges_accuracy(sl, parted):
    assert [mean.crawler for mean in sl.status] == [
        "utility_0.0", "utility_0.5", "utility_1.0", "adaptive_0.7"]
    student, course = topics(parted, rule("sl"), SL)
    found = []
    for each in (student, course):
        model = TopicModel(each.topic, seed=1)
        judge = judge_of(each, model, "sl")
        called = [verdict.relevant for verdict in judge.judge(model.rows())]
        found.append(np.mean(np.array(called) == model.labels()))
    assert sl.accuracy.mean == pytest.approx(np.mean(found))
    assert sl.theta > 0 and f"θ {sl.theta:.2f}" in sl.text()
    for mean in sl.diversity:
        assert list(mean.course) == sorted(mean.course) and mean.end.mean >= 1


def test_means_and_tests_over_topics_by_hand():
    # Differences of "b" from "a" at the end: .2, .1 and .3.
    ends = {"a": (0.1, 0.2, 0.3), "b": (0.3, 0.3, 0.6), "c": (0.1, 0.2, 0.3)}
    courses = [
        Course(str(topic), name, 10, {"harvest_rate": (*[0.5] * 9, value)})
        for name, values in ends.items() for topic, value in enumerate(values)]
    a, b, c = means(courses, "harvest_rate", "a", "greater")
    expected = paired_t_test(ends["b"], ends["a"], "greater").p
    assert (a.end.mean, b.end.mean) == (pytest.approx(0.2), pytest.approx(0.4))
    assert (a.p, b.p, c.p) == (None, pytest.approx(expected), 1.0)
    assert [b.holm, c.holm] == pytest.approx(holm([expected, 1.0]))
    assert b.course == pytest.approx((*[0.5] * 9, 0.4))
    assert b.p_over_time[-1] == pytest.approx(expected)


def test_categories_are_labels_of_the_web_and_others_are_refused(web_file, parted):
    with pytest.raises(CommandError, match="no category poetry with"):
        call_command("reproduce", "lc-crawlers", "--web", str(web_file), "--categories", "poetry",
                     stdout=io.StringIO(), stderr=io.StringIO())
    with pytest.raises(CommandError, match="hcla-cost takes no --examples"):
        call_command("reproduce", "hcla-cost", "--web", str(web_file), "--examples", "5")
    with pytest.raises(BadWebFile, match="fewer than two categories of this web have 5000 pages"):
        topics(parted, rule("lc"), Options(examples=4_999, pages=5_000))
    with pytest.raises(BadWebFile, match="the seeds alone are 250 pages"):
        topics(parted, rule("sl"), Options(pages=250))
