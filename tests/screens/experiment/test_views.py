"""An experiment on its page: each state and part, what one can do, and who may."""

from __future__ import annotations

import csv
import re
from html import unescape
from io import BytesIO, StringIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.sharing import share
from apps.experiments.design.schema import Design
from apps.experiments.figures import FIGURES
from apps.experiments.folder import result_path
from apps.experiments.models import Cell, Experiment, ExperimentEvent
from apps.experiments.results.answer import answer
from apps.experiments.results.choice import choose
from apps.experiments.results.outcomes import outcomes
from apps.experiments.summaries import cell_summary
from apps.screens.experiment.parts import TITLES
from tests.experiment_rows import end, fail, finish, made_experiment
from tests.made_once import made_once
from tests.people import person, site_of

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
State = Experiment.State


@pytest.fixture
def owner(data_dir):
    return person("ada")


@pytest.fixture
def experiment(owner) -> Experiment:
    return made_experiment(owner)


@pytest.fixture
def site(owner) -> Client:
    return site_of(owner)


def address(experiment: Experiment, name: str = "experiment", *more: Any) -> str:
    return reverse(f"experiment:{name}", args=[experiment.pk, *more])


def page(site: Client, experiment: Experiment, query: str = "", status: int = 200) -> str:
    answer = site.get(address(experiment) + query)
    assert answer.status_code == status
    return unescape(answer.content.decode())


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("part", ["", *TITLES])
def test_every_part_can_be_seen_in_every_state(site, owner, state, part):
    experiment = made_experiment(owner, state=state)
    cells = list(experiment.cells.all())
    end(cells[0]), fail(cells[1])
    text = page(site, experiment, f"?part={part}")
    assert State(state).label in text and "Strategies on meadow" in text


def test_it_opens_on_the_matrix_while_it_runs_and_on_results_once_it_has_ended(site, experiment):
    assert 'aria-current="page">Matrix' in page(site, experiment)
    finish(experiment)
    assert 'aria-current="page">Results' in page(site, experiment)
    assert "6 of 6 cells in" in page(site, experiment)


def test_a_cell_shows_its_state_with_its_value_or_its_reason(site, experiment):
    cells = list(experiment.cells.all())
    end(cells[0], target_recall=0.25)
    fail(cells[1], "needs_taxonomy", "The strategy needs taxonomy.")
    Cell.objects.filter(pk=cells[2].pk).update(job_state=Cell.State.WORKING, pages=40)
    text = page(site, experiment)
    matrix = text[text.index("data-matrix") : text.index("</table>")]
    assert "25\u202f%" in matrix and "40\u202f%" in matrix and "needs taxonomy" in matrix
    assert matrix.count("is-waiting") == 3
    failed = text[text.index('id="failed"') :]
    assert "Try again" in failed and "The strategy needs taxonomy." in failed
    assert reverse("topic:edit", args=[cells[1].topic.topic_id]) in failed


def test_the_switch_changes_cells_and_means(site, experiment):
    for cell in experiment.cells.filter(topic__position=0):
        end(cell, target_recall=0.25, harvest_rate=0.75)
    recall = page(site, experiment, "?part=matrix&measure=recall")
    assert "Mean of 1 topic" in recall and recall.count("25\u202f%") == 6
    harvest = page(site, experiment, "?part=matrix&measure=harvest")
    assert harvest.count("75\u202f%") == 6 and "25\u202f%" not in harvest
    fetched = page(site, experiment, "?part=matrix&measure=pages")
    assert fetched.count("</span>100</a>") == 3


def test_a_measure_that_is_compared_but_is_none_of_the_usual_comes_first(site, owner):
    experiment = made_experiment(owner, measure="diversity")
    end(experiment.cells.first(), diversity=17)
    text = page(site, experiment)
    assert 'aria-current="true">Different sites' in text or 'aria-current="true">Divers' in text
    assert "17" in text[text.index("data-matrix") :]


def test_an_estimate_of_recall_that_is_too_vague_is_a_dash_in_cells_means_and_for_programs(
    site, owner
):
    experiment = made_experiment(owner, topics=2, measure="estimated_recall")
    estimate = {"estimated_recall": 0.82, "estimated_recall_high": 0.9, "relevant_soon": 3.0}
    first, second = experiment.topics.all()
    for cell in experiment.cells.filter(topic=first):
        end(cell, **estimate, estimated_recall_low=0.1)
    text = page(site, experiment, "?part=matrix")
    matrix = text[text.index("data-matrix") : text.index("</table>")]
    assert "no topic has all values" in matrix and "82\u202f%" not in matrix
    for cell in experiment.cells.filter(topic=second):
        end(cell, **estimate, estimated_recall_low=0.74)
    text = page(site, experiment, "?part=matrix")
    assert "Mean of 1 topic" in text and text.count("82\u202f%") == 6
    metrics = [
        cell_summary(cell)["metrics"] for cell in experiment.cells.order_by("topic__position")
    ]
    assert [each["estimated_recall"] for each in metrics] == [None] * 3 + [0.82] * 3


def test_repetitions_have_rows_of_their_own(site, owner):
    experiment = made_experiment(owner, topics=1, repetitions=2)
    assert "repetition 2" in page(site, experiment)


def live(site: Client, experiment: Experiment, shown: str = "") -> dict[str, Any]:
    answer = site.get(address(experiment, "live"), {"part": "matrix", "shown": shown})
    assert answer.status_code == 200
    return answer.json()


def test_only_what_differs_is_sent_as_it_is_drawn_at_load(site, experiment):
    first = live(site, experiment)
    stamps = dict(first["stamps"])

    def asked() -> dict[str, Any]:
        answer = live(site, experiment, ",".join(f"{k}:{v}" for k, v in stamps.items()))
        stamps.update(answer["stamps"])
        return answer

    assert len(first["rows"]) == 2 and "verbs" in first["pieces"]
    assert asked()["rows"] == {}
    end(experiment.cells.filter(topic__position=1).first())
    second = asked()
    (row,) = second["rows"].values()
    assert unescape(row).strip() in page(site, experiment)
    assert second["pieces"]["progress"].strip() and "state_badge" not in second["pieces"]
    finish(experiment)
    assert not asked()["moves"]


@pytest.mark.parametrize("shown", ["x", ",".join(f"a{n}:b" for n in range(101))])
def test_stamps_that_cannot_be_read_are_refused(site, experiment, shown):
    answer = site.get(address(experiment, "live"), {"shown": shown})
    assert answer.status_code == 400


def act(site: Client, experiment: Experiment, **sent: Any) -> str:
    answer = site.post(address(experiment, "act"), sent, follow=True)
    experiment.refresh_from_db()
    return unescape(answer.content.decode())


def test_it_is_paused_continued_and_stopped_which_asks_once(site, experiment):
    text = page(site, experiment)
    assert 'href="#stop-panel"' in text and "0 cells are kept; 6 will not run" in text
    act(site, experiment, do="pause")
    assert experiment.state == State.PAUSED
    assert 'value="continue"' in page(site, experiment)
    act(site, experiment, do="continue")
    assert experiment.state == State.RUNNING
    act(site, experiment, do="stop")
    assert experiment.state == State.STOPPED
    assert "It has ended already" in act(site, experiment, do="stop")


def test_failed_cells_are_tried_again_one_or_all(site, experiment):
    cells = [fail(cell) for cell in list(experiment.cells.all())[:3]]
    assert "1 cell is tried again" in act(site, experiment, do="try_again", cell=cells[0].pk)
    assert experiment.cells.filter(job_state=Cell.State.FAILED).count() == 2
    assert "2 cells are tried again" in act(site, experiment, do="try_again", cell="all")
    assert "No such cell" in act(site, experiment, do="try_again", cell=cells[0].pk)


def test_what_is_asked_wrongly_is_refused_in_words(site, experiment):
    assert "There is no such action" in act(site, experiment, do="explode")
    assert "No such cell" in act(site, experiment, do="try_again", cell="9" * 40)


def test_a_cell_has_a_page_with_its_numbers_or_its_reason(site, experiment):
    done, failed, waiting = list(experiment.cells.all())[:3]
    end(done, target_recall=0.25), fail(failed)
    text = site.get(address(experiment, "cell", done.pk)).content.decode()
    assert "25\u202f%" in text and "budget reached" in text and "Open as a crawl" in text
    text = site.get(address(experiment, "cell", failed.pk)).content.decode()
    assert "Worker lost" in text and "Its worker was lost." in text
    assert "Waiting" in site.get(address(experiment, "cell", waiting.pk)).content.decode()
    other = made_experiment(experiment.owner, topics=1, name="other")
    lost = address(experiment, "cell", other.cells.first().pk)
    assert site.get(lost).status_code == 404


def test_events_are_listed_newest_first_with_all_of_them_on_a_page(site, experiment):
    for number in range(7):
        ExperimentEvent.objects.create(
            experiment=experiment,
            kind="added",
            words=f"Number {number}. More.",
            by=experiment.owner,
        )
    text = page(site, experiment)
    assert "2 before these" in text and "by you" in text
    everything = site.get(address(experiment, "events")).content.decode()
    assert everything.index("Number 6") < everything.index("Number 0")


def test_it_is_deleted_after_a_question(site, experiment):
    Experiment.objects.update(state=State.STOPPED)
    assert "This cannot be undone" in site.get(address(experiment, "delete")).content.decode()
    site.post(address(experiment, "delete"))
    assert not Experiment.objects.exists()


def test_a_running_one_is_not_deleted(site, experiment):
    answer = site.post(address(experiment, "delete"), follow=True)
    assert "Stop the experiment first" in answer.content.decode()


def test_the_design_and_the_recipe_are_files(site, experiment):
    answer = site.get(address(experiment, "toml"))
    assert 'web = "meadow"' in answer.content.decode()
    assert "strategies-on-meadow.toml" in answer["Content-Disposition"]


NAMES = (
    "experiment",
    "live",
    "events",
    "toml",
    "recipe",
    "delete",
    "rows",
    "tests",
    "p_values",
    "figures_zip",
    "studied",
)


def test_to_an_outsider_it_is_not_there(experiment):
    eve, cell = site_of(person("eve")), experiment.cells.first()
    for name in NAMES:
        assert eve.get(address(experiment, name)).status_code == 404
    assert eve.get(address(experiment, "cell", cell.pk)).status_code == 404
    for sent in (address(experiment, "act"), address(experiment, "open_crawl", cell.pk)):
        assert eve.post(sent, {"do": "stop"}).status_code == 404
    assert Experiment.objects.get().state == State.RUNNING


def test_a_reader_sees_it_and_changes_nothing(experiment):
    eve = person("eve")
    share(experiment, "eve")
    text = page(site_of(eve), experiment)
    assert "Stop…" not in text and "Add topics" not in text and 'id="act"' not in text
    assert site_of(eve).post(address(experiment, "act"), {"do": "stop"}).status_code == 404
    # The recipe holds the topics, which are not shared.
    assert site_of(eve).get(address(experiment, "recipe")).status_code == 404
    share(experiment, "eve", may_edit=True)
    site_of(eve).post(address(experiment, "act"), {"do": "stop"})
    assert Experiment.objects.get().state == State.STOPPED


@pytest.fixture
def ended(owner) -> Experiment:
    """Six topics, three crawlers, all finished."""
    return made_once("six topics, ended", lambda: finish(made_experiment(owner, topics=6)), owner)


def test_results_have_the_sentence_the_table_and_what_they_cannot_carry(site, ended):
    text = page(site, ended)
    assert "than Full page at 50 pages" in text or "No crawler is shown to differ" in text
    assert text.count('class="table by-strategy"') == 1 and "Holm over 2" in text
    assert "chosen after the start" not in text
    assert "What these data cannot carry" in text and "a second web" in text
    assert "Topic by topic" in text and "hardest" not in text  # eight topics make quarters


def test_a_choice_stands_in_the_address_and_is_reported_to_be_made_later(site, ended):
    query = "?part=results&measure=harvest_rate&at=area&baseline=2&test=wilcoxon"
    text = page(site, ended, query)
    assert "chosen after the start: measure, at, baseline, test" in text
    assert 'aria-current="true">Harvest rate' in text
    assert '<option value="area" selected>' in text
    assert "Text window combo" in text[text.index("Topic by topic") :]


def test_topic_by_topic_opens_on_the_largest_gain_with_a_scale_in_round_numbers(site, ended):
    results = outcomes(ended)
    choice = choose(results)
    gains = {row.label: row.test.gain for row in answer(results, choice).rows if row.test}
    text = page(site, ended)
    part = text[text.index('id="topics"') : text.index('id="by-difficulty"')]
    assert f"{max(gains, key=gains.get)} minus" in part
    assert "percentage points of target recall at 50 pages" in part
    assert re.search(r'style="left: [\d.]+%">0</span>', part)
    # Also where nought is written with decimals.
    text = page(site, ended, "?measure=mean_tau")
    lines = text[text.index('id="topics"') : text.index('id="by-difficulty"')]
    assert lines.count('class="nought"') == lines.count('class="run"') > 0


@pytest.mark.parametrize(
    "query",
    ["measure=beauty", "at=0", "baseline=9", "test=guess", "at=" + "9" * 40, "baseline=%00"],
)
def test_a_choice_that_does_not_exist_is_refused_and_the_plan_is_shown(site, ended, query):
    text = page(site, ended, f"?part=results&{query}")
    assert "What was planned is shown instead" in text and "by-strategy" in text
    name = "tests"
    assert site.get(address(ended, name) + f"?{query}").status_code == 400


def test_of_many_crawlers_five_are_coloured_and_a_click_draws_another(site, owner):
    names = (
        "full_page",
        "text_window",
        "best_first",
        "breadth_first",
        "anchor_text",
        "backlink_count",
    )
    many = finish(made_experiment(owner, topics=2, strategies=names))
    text = page(site, many)
    assert "Draw 5 of 6" in text and "1 other in grey" in text
    assert "?part=results&drawn=1,2,3,4,6#trajectories" in text.replace("%2C", ",")
    assert page(site, many, "?part=results&drawn=6,2").count("in grey") == 1


def test_before_the_last_cell_there_are_means_and_no_p(site, experiment):
    for cell in experiment.cells.filter(topic__position=0):
        end(cell)
    text = page(site, experiment, "?part=results")
    assert "so far" in text and "p < 0.001" not in text
    assert "Tests wait until all cells have ended." in text
    assert "No cell has ended yet" in page(
        site, made_experiment(experiment.owner, name="new"), "?part=results"
    )


def test_a_result_that_cannot_be_read_is_reported(site, ended):
    result_path(ended.cells.first()).write_bytes(b"nonsense")
    for part in ("results", "figures"):
        assert "The results of a cell cannot be read." in page(site, ended, f"?part={part}")
    assert site.get(address(ended, "rows")).status_code == 409


def test_every_figure_has_a_title_a_file_or_what_it_needs(site, ended):
    text = page(site, ended, "?part=figures")
    for figure in FIGURES:
        assert address(ended, "figure", figure.id) in text
        box = text[text.index(f'data-figure="{figure.id}"') :]
        box = box[: box.index("</figure>")]
        assert ("CSV" in box) is (f'id="empty-{figure.id}"></div>' in box)
    of_lc = page(site, ended, "?part=figures&paper=LC")
    assert "Trajectories" in of_lc and "α over topics" not in of_lc


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.id)
def test_a_figure_is_shown_large_with_what_the_paper_shows(site, ended, figure):
    answer = site.get(address(ended, "figure", figure.id))
    text = unescape(answer.content.decode())
    assert answer.status_code == 200 and figure.published in text
    csv = site.get(address(ended, "figure_csv", figure.id))
    assert csv.status_code == 200 and csv["Content-Type"].startswith("text/csv")


@pytest.mark.stored
def test_odd_addresses_of_figures_are_as_if_nothing_was_asked(site, ended):
    for query in ("pages=x&drawn=a,b&view=none", "drawn=99&pages=" + "9" * 30, "paper=X"):
        assert site.get(address(ended) + f"?part=figures&{query}").status_code == 200
        assert site.get(address(ended, "figure", "trajectories") + f"?{query}").status_code == 200
    assert site.get(address(ended, "figure", "nonsense")).status_code == 404
    new = made_experiment(ended.owner, name="new")
    assert site.get(address(new, "figure", "trajectories")).status_code == 200
    assert "Drawn once the first cell has finished" in page(site, new, "?part=figures")


def test_the_numbers_are_files_from_which_the_means_can_be_computed(site, ended):
    answer = site.get(address(ended, "rows"))
    rows = list(csv.DictReader(StringIO(b"".join(answer.streaming_content).decode())))
    assert len(rows) == 18 * 100 // Design.read(ended.design).sample_every
    at_50 = [
        float(row["target_recall"])
        for row in rows
        if row["crawler"] == "Full page" and row["pages"] == "50"
    ]
    mean = f"{100 * sum(at_50) / 6:.1f}\u202f%"
    assert f"<b>{mean}</b>" in page(site, ended)
    for name in ("tests", "p_values"):
        assert b"".join(site.get(address(ended, name)).streaming_content).count(b"\n") > 2
    packed = ZipFile(BytesIO(site.get(address(ended, "figures_zip")).content))
    assert "trajectories-target-recall.csv" in packed.namelist()
