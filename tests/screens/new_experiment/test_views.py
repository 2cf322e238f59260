"""The form of an experiment: what it offers, keeps, refuses and makes."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from apps.experiments.design.toml_file import read_design
from apps.experiments.figures import FIGURES
from apps.experiments.models import Experiment
from apps.experiments.recipe import recipe_of
from apps.screens.new_experiment.forms import LABELS, NewExperimentForm
from apps.screens.new_experiment.starting_points import new_values
from apps.topics.models import Topic
from tests.experiment_rows import made_experiment
from tests.experiments.run_experiment import design, ended, prepared, started, work_through
from tests.people import person, site_of

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
FORM = reverse("new_experiment:form")
FILE = reverse("new_experiment:file")
JSON = {"Accept": "application/json"}


@pytest.fixture
def site(owner) -> Client:
    return site_of(owner)


@pytest.fixture
def sent(owner, topics) -> dict[str, Any]:
    """A form as a browser sends it: two topics, three strategies, forty pages a cell."""
    values = {name: list(texts) for name, texts in new_values(owner).lists()}
    values |= {
        "topics_sent": ["yes"],
        "topic": [topic.pk for topic in topics],
        "pages": ["40"],
        "at": ["20"],
    }
    return values


def text_of(answer: Any, status: int = 200) -> str:
    assert answer.status_code == status
    return unescape(answer.content.decode())


def post(site: Client, sent: dict[str, Any], do: str, status: int = 200, **more: Any) -> str:
    return text_of(site.post(FORM, {**sent, "do": do, **more}), status)


def saved(site: Client, sent: dict[str, Any], do: str = "draft", **more: Any) -> Experiment:
    answer = site.post(FORM, {**sent, "do": do, **more})
    assert answer.status_code == 302, unescape(answer.content.decode())
    return Experiment.objects.get(pk=answer["Location"].split("/")[2])


def test_a_new_form_has_every_ready_topic_and_what_will_happen(site, topics):
    text = text_of(site.get(FORM))
    assert all(f'value="{topic.pk}" aria-label="{topic.name}" checked' in text for topic in topics)
    assert "<b>2 topics</b> are crawled by <b>3 strategies</b> once each: <b>6 cells</b>" in text
    assert "2 strategies are compared with <b>Full page</b>" in text
    assert "means only, since a test wants 6 topics" in text
    assert "no estimate yet" in text and "&quot;made&quot;" not in text


def test_a_topic_that_is_not_ready_is_left_out_with_the_reason_and_the_way_on(
    site, owner, web, topics
):
    bare = Topic.objects.create(owner=owner, name="Bare", web=web, keywords=["a"])
    text = text_of(site.get(FORM))
    row = text[text.index('data-topic="Bare"') :]
    assert "left out: It has no seeds." in row and reverse("topic:edit", args=[bare.pk]) in row
    assert f'value="{bare.pk}" aria-label="Bare" disabled' in row


def test_a_draft_has_the_design_of_the_form(site, sent):
    made = saved(
        site,
        sent,
        name="Mine",
        note="for the thesis",
        random_seed="7",
        repetitions="2",
        baseline="1",
        judge="lc",
        depth="3",
        never="*/login*",
    )
    assert (made.state, made.name, made.note) == ("draft", "Mine", "for the thesis")
    reports = made.design
    assert (reports["pages"], reports["at"], reports["random_seed"], reports["repetitions"]) == (
        40,
        20,
        7,
        2,
    )
    assert (reports["baseline"], reports["judge"]) == (2, "lc")
    assert (reports["scope"]["depth"], reports["scope"]["deny_patterns"]) == (3, ["*/login*"])
    assert made.cells.count() == 2 * 3 * 2


def test_started_at_once_it_runs(site, sent):
    made = saved(site, sent, "start")
    assert made.state == Experiment.State.PREPARING
    assert prepared(made).state == Experiment.State.RUNNING
    assert made.cells.filter(job_state="waiting").exists()


def test_values_with_commas_make_variants_and_the_baseline_keeps_its_row(site, sent):
    sent |= {"strategy-2": ["tag_tree_combo"], "value-2-beta": ["0.25, 0.50"], "baseline": ["2"]}
    text = post(site, sent, "restate")
    assert "<b>4 strategies</b>" in text and "2 variants" in text
    made = saved(site, sent)
    assert [crawler.label for crawler in made.crawlers.all()] == [
        "Full page",
        "Text window combo",
        "Tag tree combo, β 0.25",
        "Tag tree combo, β 0.5",
    ]
    assert made.design["baseline"] == 3


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"pages": "5"}, "Give a whole number from 10"),
        ({"at": "41"}, "A cell has 40 pages: give a page up to there"),
        ({"topic": []}, "Choose at least one topic."),
        ({"row": []}, "Choose at least one strategy."),
        ({"repetitions": "x"}, "Give a whole number from 1 to 100"),
        ({"random_seed": "0"}, "Give a whole number from 1"),
        ({"web": "999"}, "There is no such web"),
        ({"strategy-1": "full_page"}, "Full page is there twice with the same parameters."),
        ({"strategy-1": "hcla", "value-1-k": "many"}, "K must be a whole number"),
        ({"measure": "beauty"}, "Select a valid choice"),
        ({"hosts": "http://a", "follow": "these"}, "No host name"),
    ],
)
def test_what_is_wrong_is_reported_at_its_place_and_nothing_typed_is_lost(
    site, sent, wrong, message
):
    text = post(site, sent, "start", 422, note="a long note", **wrong)
    assert message in text and "No experiment is made yet." in text
    assert "a long note" in text
    for name, value in wrong.items():
        assert name in ("web", "measure") or not value or str(value) in text
    assert not Experiment.objects.exists()


def test_the_rail_names_each_wrong_field_as_the_screen_does_and_leads_to_it(site, sent):
    text = post(site, sent, "restate", at="41", page_kb="-1")
    assert '<a href="#id_at">Measure, at</a>: A cell has 40 pages: give a page up to' in text
    assert '<a href="#id_page_kb">Politeness, KB of a page</a>: Give' in text
    assert 'data-reasons="2"' in text and 'id="id_at"' in text and 'id="id_page_kb"' in text
    assert "compared with <b>" not in text  # at which page is not known yet
    assert "compared with <b>" in post(site, sent, "restate", at="")
    assert set(LABELS) == set(NewExperimentForm.base_fields)


def test_topics_are_drawn_at_random_by_the_random_seed(site, sent, topics):
    first = post(site, sent, "random", draw="1", random_seed="3")
    assert first.count('name="topic" value') == 2 and "1</span> of 2 chosen" in first
    assert post(site, sent, "random", draw="1", random_seed="3").count("checked") == first.count(
        "checked"
    )
    assert "0</span> of 2 chosen" in post(site, sent, "none")
    assert "2</span> of 2 chosen" in post(site, sent, "all", topic=[])


def test_strategies_are_added_and_removed_without_a_script(site, sent):
    more = post(site, sent, "add:best_first")
    assert 'name="strategy-3" value="best_first"' in more
    less = post(site, sent, "remove:1")
    assert "strategy-1" not in less and "strategy-2" in less
    # One that does not exist changes nothing.
    assert post(site, sent, "add:nonsense").count('name="row"') == 3


def test_the_leaderboard_has_every_strategy_that_the_topics_meet_at_its_defaults(site, sent):
    text = post(site, sent, "leaderboard")
    ids = re.findall(r'name="strategy-\d+" value="(\w+)"', text)
    assert {"full_page", "apprentice", "hcla"} < {*ids}
    assert "recall_crawler" not in ids  # no crawl comes before those of an experiment


def test_a_need_that_topics_lack_is_named_with_where_to_give_it(site, sent, topics):
    Topic.objects.update(keywords=[])
    text = post(site, sent | {"strategy-2": ["fish_search"]}, "restate")
    assert "keywords: 2 topics without" in text
    assert reverse("topic:edit", args=[topics[0].pk]) in text
    assert "Fish-Search needs keywords, which the topics lack" in text
    text = post(site, sent | {"strategy-2": ["recall_crawler"]}, "restate")
    assert "Recall crawler needs" in text and "which the topics lack" in text


def test_a_script_gets_the_parts_that_it_asks_for(site, sent):
    answer = site.post(FORM, {**sent, "do": "restate", "parts": ["rail"]}, headers=JSON).json()
    assert list(answer["parts"]) == ["rail"] and "6 cells" in answer["parts"]["rail"]
    assert answer["rows"]["0"] == {"variants": 1, "errors": answer["rows"]["0"]["errors"]}
    bad = {**sent, "strategy-2": "tag_tree_combo", "value-2-beta": "0.2, 7"}
    answer = site.post(FORM, {**bad, "do": "restate", "parts": ["rail"]}, headers=JSON).json()
    assert "must lie between 0 and 1" in answer["rows"]["2"]["errors"]["value-2-beta"]
    assert 'data-reasons="1"' in answer["parts"]["rail"]


def test_the_same_as_a_file_makes_the_same_experiment(site, sent):
    sent |= {"strategy-2": ["tag_tree_combo"], "value-2-beta": ["0.25, 0.5"], "name": ["Mine"]}
    toml = post(site, sent, "toml")
    made = saved(site, sent)
    reports = read_design(toml)
    assert reports.model_dump(mode="json") == made.design
    answer = site.post(FILE, {"file": SimpleUploadedFile("a.toml", toml.encode())})
    text = text_of(answer)
    assert 'value="0.25, 0.5"' in text and 'value="Mine"' in text and 'value="40"' in text


def test_a_file_that_cannot_be_read_is_refused_with_the_line_and_kept(site, topics):
    text = text_of(site.post(FILE, {"text": 'name = "a"\nweb = = 3'}), 422)
    assert "line 2" in text and "web = = 3" in text
    text = text_of(site.post(FILE, {"text": 'name = "a"\nweb = "nowhere"'}), 422)
    assert "There is no web nowhere" in text
    assert "Choose a file" in text_of(site.post(FILE, {}), 422)
    wrong = 'name = "a"\nweb = "made"\n[[crawlers]]\nstrategy = "magic"'
    assert "no strategy magic" in text_of(site.post(FILE, {"text": wrong}), 422)
    assert "is not JSON" in text_of(site.post(FILE, {"text": "{ not json"}), 422)


def test_topics_of_a_file_that_are_not_here_are_named(site, topics):
    toml = (
        'name = "a"\nweb = "made"\ntopics = ["bread 0", "Gone"]\n[[crawlers]]\n'
        'strategy = "full_page"'
    )
    text = text_of(site.post(FILE, {"text": toml}))
    assert "Not chosen, since they are not ready on made: Gone." in text
    assert "1</span> of 2 chosen" in text


def test_a_recipe_becomes_a_draft_that_states_whether_its_run_agrees(site, owner, topics):
    done = work_through(started(owner))
    recipe = json.dumps(recipe_of(done))
    answer = site.post(FILE, {"file": SimpleUploadedFile("a.json", recipe.encode())})
    made = Experiment.objects.exclude(pk=done.pk).get()
    assert answer["Location"] == reverse("experiment:experiment", args=[made.pk])
    site.post(reverse("experiment:act", args=[made.pk]), {"do": "start"})
    made.refresh_from_db()
    work_through(made)
    text = text_of(site.get(reverse("experiment:experiment", args=[made.pk]) + "?part=recipe"))
    assert "<b>4</b> cells have the same numbers, to the last digit" in text


def test_an_earlier_one_is_copied_and_a_draft_is_changed(site, owner, sent):
    first = saved(site, {**sent, "value-1-T": ["30"]}, name="First")
    copied = text_of(site.get(f"{FORM}?copy={first.pk}"))
    assert 'value="First"' in copied and 'name="draft"' not in copied
    changed = text_of(site.get(f"{FORM}?draft={first.pk}"))
    assert f'name="draft" value="{first.pk}"' in changed
    second = saved(site, sent, name="Second", draft=str(first.pk))
    assert list(Experiment.objects.all()) == [second]


def test_a_baseline_among_variants_gets_a_row_of_its_own(site, owner, topics):
    from apps.experiments.services import create_experiment

    made = create_experiment(
        owner,
        design(
            baseline=2,
            crawlers=[{"strategy": "tag_tree_combo", "parameters": {"beta": [0.25, 0.5]}}],
        ),
    )
    text = text_of(site.get(f"{FORM}?copy={made.pk}"))
    assert re.search(r'name="baseline" value="1"[^>]* checked', text)
    assert 'value="0.25"' in text and 'value="0.5"' in text


def test_topics_and_strategies_are_added_and_finished_cells_stay(site, owner, topics):
    made = ended(owner, topics=["bread 0"])
    add = reverse("new_experiment:add", args=[made.pk])
    text = text_of(site.get(add))
    assert "bread 1" in text and 'data-topic="bread 0"' not in text
    sent = {"topics_sent": "yes", "topic": topics[1].pk, "row": "0", "strategy-0": "best_first"}
    answer = site.post(add, {**sent, "do": "restate", "parts": ["rail"]}, headers=JSON).json()
    assert "1 topic and 1 strategy more: 4 new cells." in answer["parts"]["rail"]
    assert site.post(add, {**sent, "do": "add_all"}).status_code == 302
    made.refresh_from_db()
    assert made.cells.count() == 6 and made.state == Experiment.State.RUNNING
    assert made.cells.filter(job_state="done").count() == 2


def test_adding_nothing_or_what_is_there_is_refused(site, owner, topics):
    made = ended(owner)
    add = reverse("new_experiment:add", args=[made.pk])
    assert "Choose a topic or a strategy to add." in text_of(
        site.post(add, {"topics_sent": "yes", "do": "add_all"}), 422
    )
    again = {"topics_sent": "yes", "row": "0", "strategy-0": "full_page", "do": "add_all"}
    assert "Full page is there twice" in text_of(site.post(add, again), 422)


def test_without_webs_and_topics_the_form_states_where_to_get_them(db, data_dir):
    text = text_of(site_of(person("new")).get(FORM))
    assert "No topic on live" in text and reverse("begin:new") in text


def test_what_belongs_to_others_is_as_if_it_were_not_there(owner, topics, web):
    made = made_experiment(owner, state="draft")
    eve = site_of(person("eve"))
    for query in (f"copy={made.pk}", f"draft={made.pk}", "copy=x", "web=999", f"copy={'9' * 40}"):
        assert eve.get(f"{FORM}?{query}").status_code == 404
    assert eve.get(reverse("new_experiment:add", args=[made.pk])).status_code == 404
    # A draft of another person stays, whatever a form says.
    eve.post(FORM, {"do": "draft", "draft": made.pk})
    assert Experiment.objects.filter(pk=made.pk).exists()


FIELDS = (
    "row",
    "topic",
    "baseline",
    "web",
    "draft",
    "pages",
    "draw",
    "strategy-0",
    "value-0-beta",
    "random_seed",
    "parents-0",
    "measure",
    "judge",
    "follow",
    "name",
    "note",
    "depth",
)


# Databases differ in what text and which numbers they take.
@pytest.mark.parametrize(
    "odd",
    [
        "-1",
        "🦀%00",
        "1e400",
        *(pytest.param(odd, marks=pytest.mark.stored) for odd in ("\0", "９" * 30, "a" * 3000)),
    ],
)
def test_no_input_is_too_odd(site, sent, odd):
    for do in ("restate", "random", odd):
        assert site.post(FORM, {"do": do, **dict.fromkeys(FIELDS, odd)}).status_code == 200
    for name in FIELDS:
        assert site.post(FORM, {**sent, "do": "draft", name: odd}).status_code in (302, 422)


def test_a_figure_that_lacks_crawlers_offers_them(site, owner, topics):
    made = ended(owner)
    figure = next(each for each in FIGURES if each.offer)
    add = reverse("new_experiment:add", args=[made.pk])
    text = text_of(site.get(f"{add}?figure={figure.id}"))
    assert text.count('name="row"') == len(figure.offer.crawlers)
    assert text_of(site.get(f"{add}?figure=nonsense")).count('name="row"') == 0


def test_one_button_starts_the_leaderboard_of_a_web_and_then_leads_to_it(site, web, topics):
    start = reverse("new_experiment:leaderboard", args=[web.pk])
    assert start in text_of(site.get(reverse("webs:labels", args=[web.pk])))
    first, second = site.post(start), site.post(start)
    (made,) = Experiment.objects.all()
    assert made.is_leaderboard and made.state == Experiment.State.PREPARING
    assert (
        first["Location"] == second["Location"] == reverse("experiment:experiment", args=[made.pk])
    )
    assert site_of(person("eve")).post(start).status_code in (302, 404)


def test_a_web_without_topics_and_labels_has_no_leaderboard_with_a_reason(site, owner):
    bare = made_experiment(owner, topics=1, web="bare").web
    Experiment.objects.all().delete()
    Topic.objects.all().delete()
    answer = site.post(reverse("new_experiment:leaderboard", args=[bare.pk]))
    assert answer["Location"] == reverse("webs:web", args=[bare.pk])
    assert not Experiment.objects.exists()


def test_a_form_sent_twice_makes_one_experiment(site, owner, sent):
    token = re.search(r'name="form_token" value="(\w+)"', text_of(site.get(FORM)))[1]
    first = saved(site, sent, do="start", form_token=token)
    assert saved(site, sent, do="start", form_token=token) == first
    assert first.state == Experiment.State.PREPARING
    assert Experiment.objects.count() == 1
    other = saved(site, {**sent, "pages": ["30"]}, do="start", form_token=token)
    assert other != first
    assert f'name="form_token" value="{token}"' not in text_of(site.get(FORM))
