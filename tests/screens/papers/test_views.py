"""Repeat a paper: one press begins a protocol, the second opens it, and verdicts stand beside."""

from __future__ import annotations

from html import unescape

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from apps.experiments.models import Cell, Experiment
from apps.experiments.services import create_experiment
from apps.figures.quantities import roughly
from apps.jobs import queue
from apps.papers.catalogue import design_of, in_order, protocols
from apps.papers.claims import ClaimVerdict
from apps.papers.models import PaperRun
from apps.papers.result import result_of
from apps.papers.schema import PaperDesign
from apps.papers.setting_up import Sizes
from apps.papers.suiting import suits
from apps.papers.tables.observed import Observed
from apps.screens.papers.state import run_state
from apps.webs.models import Web
from tests.background import work_on
from tests.experiment_fixtures import labelled, owner  # noqa: F401
from tests.papers.made_protocols import make_small
from tests.people import Program, person, site_of

pytestmark = pytest.mark.django_db
LIST, REPEAT = reverse("papers:list"), reverse("papers:repeat")
STATES = reverse("papers:states")
SLC = "slc-crawlers"


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    make_small(monkeypatch, "slc-crawlers")


@pytest.fixture
def site(owner: User) -> Client:
    return site_of(owner)


def press(site: Client, web: Web, protocol: str = SLC, **sizes: object):
    return site.post(REPEAT, {"web": web.pk, "protocol": protocol, **sizes})


def test_every_protocol_of_the_five_papers_has_a_row(site: Client, labelled: Web) -> None:
    text = unescape(site.get(LIST).content.decode())
    assert "5 papers" in text and f"{len(protocols())} protocols" in text
    for id, protocol in protocols().items():
        assert f'id="{id}"' in text and protocol.title in text
        assert all(claim.sentence in text for claim in protocol.claims)
    assert "manage.py reproduce slc-crawlers --web labelled" in text


def test_a_papers_protocols_are_begun_by_one_press_and_once(site: Client, labelled: Web) -> None:
    fitting = {
        id
        for id, each in protocols().items()
        if each.paper == "SLC" and not suits(each, labelled, Sizes()).lacks
    }
    address = reverse("papers:repeat_all")
    assert 'value="SLC">Run it<' in site.get(LIST).content.decode()
    pages = [
        site.post(address, {"web": labelled.pk, "paper": "SLC"}, follow=True).content.decode()
        for _ in range(2)
    ]
    assert f"{len(fitting)} protocol begun." in pages[0] or f"{len(fitting)} protocols" in pages[0]
    assert "All of them are begun already." in pages[1] and 'value="SLC">Run' not in pages[1]
    assert set(PaperRun.objects.values_list("protocol", flat=True)) == fitting
    refused = site.post(address, {"web": labelled.pk, "paper": "XYZ"})
    assert refused.status_code == 422 and "There is no paper XYZ" in refused.content.decode()


def test_a_protocol_opens_as_an_experiment_of_ones_own(site: Client, labelled: Web) -> None:
    asked = {"protocol": SLC, "web": labelled.pk, "pages": 25}
    answer = site.get(reverse("new_experiment:form"), asked)
    form = answer.content.decode()
    plan = protocols()[SLC].experiment
    assert plan is not None
    assert "Choose its topics: the protocol makes its own" in form and 'value="25"' in form
    rows = [row.cls.id for row in answer.context["form"].rows]
    assert rows == [crawler.strategy for crawler in plan.crawlers]
    link = f"?protocol={SLC}&amp;web={labelled.pk}&amp;pages=25"
    assert link in site.get(LIST, {"web": labelled.pk, "pages": 25}).content.decode()
    table = next(id for id, each in protocols().items() if each.table)
    refused = site.get(reverse("new_experiment:form"), {**asked, "protocol": table})
    assert "is a table over a whole web: no experiment." in refused.content.decode()


def test_programs_repeat_a_whole_paper_and_read_a_protocols_design(owner, labelled: Web) -> None:
    program = Program(owner)
    answers = [program.send("post", "papers/all/SLC/runs", {"web": "labelled"}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 200]
    assert [run["protocol"] for run in answers[0].json()] == [SLC]
    design = program.get(f"papers/{SLC}/design", web="labelled", pages=25).json()
    assert (design["pages"], design["topics"]) == (25, [])
    plan = protocols()[SLC].experiment
    assert plan is not None and len(design["crawlers"]) == len(plan.crawlers)


def test_the_papers_figures_stand_beside_ours(site: Client, labelled: Web) -> None:
    text = unescape(site.get(LIST).content.decode())
    claim = protocols()[SLC].claims[0]
    assert f'<span class="of">The paper</span>{claim.published}</div>' in text


def test_protocols_stand_in_the_order_of_the_papers_and_the_webs_below(
    site: Client, labelled: Web
) -> None:
    text = site.get(LIST).content.decode()
    at = [text.index(f'<li class="protocol" id="{id}"') for id in in_order()]
    assert at == sorted(at)
    assert [protocols()[id].paper for id in in_order()][:1] == ["LC"]
    below = text[text.index('class="paper-webs"') :]
    assert reverse("webs:web", args=[labelled.pk]) in below


def test_a_time_is_named_once_cells_on_the_web_have_measured_it(
    site: Client, owner: User, labelled: Web
) -> None:
    topics = str(suits(protocols()[SLC], labelled, Sizes()).topics)
    before = site.get(STATES, {"web": labelled.pk}).json()["pieces"][f"state-{SLC}"]["html"]
    assert "about" not in before
    # Seven crawlers of 500 pages on each topic, a second of processor time a page.
    draft = create_experiment(owner, design_of(plan_of(SLC), "x", labelled.name, []))
    topic = draft.topics.create(position=1, name="t")
    crawler = draft.crawlers.first()
    Cell.objects.create(
        experiment=draft,
        topic=topic,
        crawler=crawler,
        repetition=1,
        random_seed=1,
        job_state="done",
        pages=10,
        seconds=10,
        cpu_seconds=10,
    )
    html = site.get(STATES, {"web": labelled.pk}).json()["pieces"][f"state-{SLC}"]["html"]
    seconds = int(topics) * 7 * 500 / settings.BACKGROUND_WORKERS
    assert f"about {roughly(seconds)}" in html


def plan_of(id: str) -> PaperDesign:
    plan = protocols()[id].experiment
    assert plan is not None
    return plan


def test_one_press_begins_it_and_the_second_opens_it(site: Client, labelled: Web) -> None:
    answer = press(site, labelled, topics="2", pages="60")
    assert answer.status_code == 302 and answer.url.endswith("topics=2&pages=60#slc-crawlers")
    (run,) = PaperRun.objects.all()
    assert (run.protocol, run.topics, run.pages) == (SLC, 2, 60)
    assert 'value="slc-crawlers"' not in site.get(answer.url).content.decode()
    work_on(run)
    run.refresh_from_db()
    assert press(site, labelled, topics="2", pages="60").url == reverse(
        "experiment:experiment", args=[run.experiment.pk]
    )
    assert PaperRun.objects.count() == Experiment.objects.count() == 1


def test_what_a_web_lacks_links_to_webs_and_is_refused_at_its_row(site, labelled: Web) -> None:
    text = unescape(site.get(LIST).content.decode())
    assert "with the label department" in text and "needs webkb" in text
    answer = press(site, labelled, "hcla-table-3")
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode() and not PaperRun.objects.exists()


def test_a_table_stands_whole_on_the_screen_and_for_programs(site, owner, labelled: Web) -> None:
    run = PaperRun.objects.create(
        owner=owner,
        protocol="sl-locality",
        web=labelled,
        job_state=PaperRun.State.DONE,
        text="1 link away     +0.31 < .36",
    )
    text = site.get(LIST, {"web": labelled.pk}).content.decode()
    assert "All figures on labelled" in text and "1 link away     +0.31 &lt; .36" in text
    assert Program(owner).get(f"papers/runs/{run.pk}").json()["text"] == run.text
    assert "All figures on" not in site_of(person("ben")).get(LIST).content.decode()


@pytest.mark.parametrize("number", ["0", "many", "-3", "9" * 50])
def test_a_size_that_is_not_a_number_is_marked_at_its_field(site, labelled, number: str) -> None:
    answer = press(site, labelled, pages=number)
    text = unescape(answer.content.decode())
    assert answer.status_code == 422 and "Give a number from 1 to 100,000" in text
    assert 'aria-describedby="error-pages"' in text and not PaperRun.objects.exists()


def test_verdicts_stand_beside_the_papers_figures(site, owner, labelled: Web) -> None:
    run, protocol = ended_run(owner, labelled)
    text = unescape(site.get(LIST).content.decode())
    assert "verdict-bar" in text and f"on {labelled.name}" in text
    assert run_state(run).words == "ended"
    other = unescape(site_of(person("ben")).get(LIST).content.decode())
    assert "verdict-bar" not in other
    counts = {finding["verdict"] for finding in run.result["findings"]}
    assert counts <= {verdict.value for verdict in ClaimVerdict}
    assert all(claim.published in text for claim in protocol.claims)


def ended_run(owner: User, web: Web):
    protocol = protocols()[SLC]
    assert protocol.experiment is not None
    observed = Observed(
        "topic", 3, tuple(each.name for each in protocol.experiment.crawlers), {}, 6
    )
    result = result_of(SLC, protocol, web.name, observed, {"command": "reproduce"})
    run = PaperRun.objects.create(
        owner=owner,
        protocol=SLC,
        web=web,
        result=result.model_dump(mode="json"),
        ended_at="2026-01-01T00:00Z",
        job_state="done",
    )
    return run, protocol


def test_states_change_in_place(site, labelled: Web) -> None:
    before = site.get(STATES, {"web": labelled.pk}).json()["pieces"][f"state-{SLC}"]
    assert ">Run<" in before["html"]
    press(site, labelled)
    after = site.get(STATES, {"web": labelled.pk}).json()["pieces"][f"state-{SLC}"]
    assert "preparing" in after["html"] and after["stamp"] != before["stamp"]
    shown = f"state-{SLC}:{after['stamp']}"
    again = site.get(STATES, {"web": labelled.pk, "shown": shown}).json()["pieces"]
    assert again and f"state-{SLC}" not in again


def test_a_failure_is_named_and_may_be_tried_again(site, labelled: Web) -> None:
    press(site, labelled)
    (run,) = PaperRun.objects.all()
    queue.claim(PaperRun, run.pk, run.job_attempt)
    run.refresh_from_db()
    queue.fail(run, "The web is damaged.")
    html = site.get(STATES, {"web": labelled.pk}).json()["pieces"][f"state-{SLC}"]["html"]
    assert "failed: The web is damaged." in html and "Try again" in html


def test_a_deleted_experiment_takes_its_run_along(site, labelled: Web) -> None:
    press(site, labelled)
    (run,) = PaperRun.objects.all()
    work_on(run)
    Experiment.objects.all().delete()
    assert not PaperRun.objects.exists()
    assert "Run" in site.get(STATES, {"web": labelled.pk}).json()["pieces"][f"state-{SLC}"]["html"]


def test_without_a_web_there_is_a_way_to_one(owner: User, data_dir) -> None:
    Web.objects.exclude(source=Web.Source.LIVE).delete()
    text = site_of(owner).get(LIST).content.decode()
    assert "No recorded web yet" in text
