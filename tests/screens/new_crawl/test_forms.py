"""The form for a new crawl."""

from __future__ import annotations

import re
import shlex

import pytest
from django.contrib.auth import get_user_model
from django.core.management import load_command_class
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from apps.crawls.inputs.needs import met_needs
from apps.crawls.management.commands.crawl import web_named
from apps.crawls.management.crawl_options import settings_of
from apps.crawls.models import Crawl
from apps.crawls.services import create_crawl
from apps.engine.codes import Need, State
from apps.engine.intelligence.strategies import CATALOGUE
from apps.experiments.advice import Advice
from apps.experiments.models import Experiment
from apps.figures.quantities import share
from apps.screens.new_crawl import forms
from apps.screens.new_crawl.cost import CostLine
from apps.screens.new_crawl.form_summary import form_summary, initial_data
from apps.screens.new_crawl.forms import NewCrawlForm
from apps.screens.new_crawl.suggestion import AS_GOOD
from apps.topics.messages import ADVICE
from apps.topics.models import HostDecision, InlinkCount, Target, Topic
from apps.webs.models import Web
from apps.webs.selectors import LIVE, live_web
from tests.crawl_rows import grow, made_crawl, made_topic
from tests.running_site import ROOT

pytestmark = pytest.mark.alike


@pytest.fixture
def owner(db):
    return get_user_model().objects.create_user("ada")


@pytest.fixture
def topic(owner) -> Topic:
    return made_topic(owner)


@pytest.fixture
def web(db) -> Web:
    return Web.objects.create(name="coast", source=Web.Source.FOLDER, folder="webs/coast")


def filled(topic: Topic, **changes: object) -> NewCrawlForm:
    """The form as it is offered, with some fields changed."""
    form = NewCrawlForm(topic)
    return form.sent_with({**initial_data(form), **changes})


def test_what_is_offered_can_be_sent_as_it_is(topic: Topic) -> None:
    form = filled(topic)
    assert form.is_valid(), form.errors
    crawl = form.create(topic.owner)
    assert (crawl.state, crawl.strategy, crawl.budget) == (State.DRAFT, "learner", 1000)
    assert crawl.web.source == Web.Source.LIVE and crawl.over == "http"


def test_http_is_not_offered_for_a_web_that_is_not_served_and_the_reason_is_reported(
    client: Client, owner, topic: Topic, web: Web
) -> None:
    client.force_login(owner)
    topic.web = web
    topic.save()
    address = reverse("new_crawl:form", args=[topic.pk])
    page = " ".join(client.get(address).content.decode().split())
    choice = page[page.index('name="over" value="http"') :].partition(">")[0]
    assert " disabled" in choice
    assert "Not now: coast is not served: start `crawlsite serve_web coast` first." in page
    web.served_port = 8091
    web.save()
    page = " ".join(client.get(address).content.decode().split())
    choice = page[page.index('name="over" value="http"') :].partition(">")[0]
    assert " disabled" not in choice and "Not now" not in page


def test_every_strategy_is_offered_once_with_all_its_parameters(topic: Topic) -> None:
    form = NewCrawlForm(topic)
    assert sorted(c.id for c in form.choices()) == sorted(cls.id for cls in CATALOGUE)
    for choice, fields in form.parameter_groups():
        assert [p.name for p, _ in fields] == [p.name for p in choice.cls.parameters()]


def test_every_strategy_whose_needs_are_met_makes_a_crawl_of_its_defaults(topic: Topic) -> None:
    usable = [c.id for c in NewCrawlForm(topic).choices() if not c.missing]
    assert len(usable) > 3
    for strategy in usable:
        form = filled(topic, strategy=strategy)
        assert form.is_valid(), form.errors
        crawl = form.create(topic.owner)
        cls = next(c for c in CATALOGUE if c.id == strategy)
        assert crawl.parameters == {p.name: p.default for p in cls.parameters()}


def test_parameters_are_checked_at_their_fields(topic: Topic) -> None:
    form = filled(topic, strategy="text_window_combo", **{"text_window_combo-beta": "1.5"})
    assert not form.is_valid()
    assert "between 0 and 1" in form.errors["text_window_combo-beta"][0]


def test_members_are_check_boxes_and_too_few_are_refused_at_their_field(topic: Topic) -> None:
    form = filled(topic, strategy="experts", **{"experts-members": ["full_page", "best_first"]})
    assert form.is_valid(), form.errors
    assert form.create(topic.owner).parameters["members"] == "best_first full_page"
    restated = " ".join(map(str, form_summary(form).sentences))
    assert "Best-first, Full page" in restated
    assert "--set 'members=best_first full_page'" in form_summary(form).command
    form = filled(topic, strategy="experts", **{"experts-members": ["full_page"]})
    assert "Members must be at least 2 of learner, " in form.errors["experts-members"][0]
    topic.keywords = []
    page = str(NewCrawlForm(topic)["experts-members"])
    assert page.count("checked") == 4 and "Text window combo" in page
    assert 'HCLA <small class="nothing">lacks keywords' in page


def test_parameters_of_strategies_not_chosen_do_not_count(topic: Topic) -> None:
    form = filled(topic, strategy="full_page", **{"text_window_combo-beta": "nonsense"})
    assert form.is_valid(), form.errors
    assert "beta" not in form.parameters()


def test_a_need_that_is_not_met_is_named_and_refused(topic: Topic) -> None:
    topic.examples.all().delete()
    assert met_needs(topic) == {Need.SUBJECT, Need.KEYWORDS}
    form = filled(topic, strategy="full_page")
    assert not form.is_valid()
    assert form.errors["strategy"][0].startswith(
        "Full page needs positive examples and either negative ones or a background, which the"
        " topic lacks."
    )
    (row,) = [c for c in form.choices() if c.id == "full_page"]
    assert row.missing and row.in_form and row.mend == "id_positives"


def test_the_learner_needs_no_examples_where_there_are_words(topic: Topic) -> None:
    topic.examples.all().delete()
    topic.keywords, topic.description = [], "Bread that is raised by sourdough."
    assert met_needs(topic) == {Need.SUBJECT}
    assert NewCrawlForm(topic)["strategy"].value() == "learner"
    assert filled(topic, strategy="learner").is_valid()
    topic.description = ""
    form = filled(topic, strategy="learner")
    assert form.errors["strategy"][0].startswith(
        "Learner needs a description, keywords or examples, which the topic lacks."
    )


def test_in_link_counts_of_positive_examples_meet_a_need(topic: Topic) -> None:
    for i in range(4):
        InlinkCount.objects.create(topic=topic, url=f"http://example{i}.test/", count=i)
    assert Need.INLINKS in met_needs(topic)
    topic.inlink_counts.first().delete()
    assert Need.INLINKS not in met_needs(topic)


def test_scope_in_plain_words_becomes_rules(topic: Topic) -> None:
    form = filled(
        topic,
        follow="these",
        hosts="a.test, b.test",
        depth="4",
        pages_per_host="100",
        never="*/login*, bad.test /calendar/",
        only="/wiki/ *owl*",
        headers="X-Project: Owls",
        contact="owls@example.org",
        documents="",
        languages="de, French",
        main_text="on",
    )
    assert form.is_valid(), form.errors
    crawl = form.create(topic.owner)
    crawl.refresh_from_db()
    assert crawl.scope == {
        "allow_hosts": ["a.test", "b.test"],
        "deny_hosts": ["bad.test"],
        "deny_patterns": ["*/login*", "*/calendar/*"],
        "allow_patterns": ["*/wiki/*", "*owl*"],
        "depth": 4,
        "pages_per_host": 100,
        "frontier_cap": None,
        "links_per_page": 10_000,
        "languages": ["de", "fr"],
        "main_text": True,
        "reach": "all",
        "site_lists": True,
        "listed_per_host": 1_000,
        "documents": False,
        "opt_out_files": False,
        "obey_opt_outs": False,
        "render": False,
    }
    assert crawl.politeness["headers"] == ["X-Project: Owls"]
    assert crawl.politeness["contact"] == "owls@example.org"
    assert "headers" in filled(topic, headers="Cookie: a=b").errors


def test_the_seeds_sites_are_their_hosts(topic: Topic) -> None:
    form = filled(topic, follow="seeds")
    assert form.is_valid()
    assert form.scope()["allow_hosts"] == ["seed0.test", "seed1.test", "seed2.test"]


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("budget", "0", "from 1 to"),
        ("budget", "lots", "whole number"),
        ("budget", "", "whole number"),
        ("depth", "-1", "leave it empty"),
        ("languages", "Klingon", "by code or English name"),
        ("delay", "soon", "seconds"),
        ("concurrent", "5000", "from 1 to 100"),
        ("page_kb", "0", "from 1 to 10,240"),
        ("random_seed", "x", "whole number"),
        ("web", "99", "no such web"),
        ("strategy", "magic", "no such strategy"),
        ("strategy", "", "Choose a strategy"),
    ],
)
def test_errors_advise_what_to_do_at_the_field(
    topic: Topic, field: str, value: str, message: str
) -> None:
    form = filled(topic, **{field: value})
    assert not form.is_valid()
    assert message in form.errors[field][0]


def test_the_kilobytes_of_a_page_are_a_limit_of_the_crawl(topic: Topic) -> None:
    form = filled(topic, page_kb="10")
    assert form.is_valid(), form.errors
    assert "of a page the first 10 KB are read" in " ".join(form_summary(form).sentences)
    assert form.create(topic.owner).politeness["page_kb"] == 10
    whole = filled(topic)
    assert whole.is_valid() and "page_kb" not in whole.create(topic.owner).politeness


def test_hosts_must_be_named_and_be_hosts(topic: Topic) -> None:
    assert "Name at least one" in filled(topic, follow="these").errors["hosts"][0]
    form = filled(topic, follow="these", hosts="http://a.test/x good.test")
    assert "http://a.test/x" in form.errors["hosts"][0]


def test_a_recorded_web_is_read_and_over_http_only_when_served(topic: Topic, web: Web) -> None:
    form = filled(topic, web=str(web.pk))
    assert form.is_valid()
    assert form.create(topic.owner).over == "record"
    form = filled(topic, web=str(web.pk), over="http")
    assert "not served" in form.errors["web"][0]
    Web.objects.filter(pk=web.pk).update(served_port=8123)
    form = filled(topic, web=str(web.pk), over="http")
    assert form.is_valid()
    assert form.create(topic.owner).over == "http"


def test_the_command_names_the_live_web_where_the_topic_has_a_recorded_one(
    topic: Topic, web: Web
) -> None:
    assert "--web" not in form_summary(filled(topic)).command
    assert web_named(None, topic) == live_web()
    topic.web = web
    assert "--web live" in form_summary(filled(topic, web=LIVE)).command
    assert web_named(None, topic) == web, "without --web the topic's own web is crawled"
    assert web_named(LIVE, topic) == live_web()


def test_a_topic_of_a_recorded_web_is_offered_that_web(topic: Topic, web: Web) -> None:
    topic.web = web
    assert NewCrawlForm(topic).initial["web"] == str(web.pk)
    topic.web = None
    assert NewCrawlForm(topic).initial["web"] == LIVE


def test_the_rail_restates_every_choice_and_gives_the_command(topic: Topic, web: Web) -> None:
    form = filled(
        topic,
        budget="500",
        web=str(web.pk),
        depth="3",
        random_seed="42",
        languages="German",
        **{"learner-window": "20"},
    )
    message = form_summary(form)
    text = " ".join(message.sentences)
    for words in ("3 seeds", "500 pages", "coast", "4 targets", "3 links away", "robots.txt"):
        assert words in text
    assert message.command.split(" \\\n  ") == [
        "crawlsite crawl Sourdough",
        "--strategy learner",
        "--set window=20",
        "--pages 500",
        "--web coast",
        "--depth 3",
        "--language de",
        "--seed-value 42",
    ]


def row_of(crawl: Crawl) -> dict[str, object]:
    """What a crawl is set to, as its row has it; robots.txt is obeyed unless it says otherwise."""
    row = Crawl.objects.filter(pk=crawl.pk).values().get()
    row["politeness"] = {"obey_robots": True, **row["politeness"]}
    return {name: value for name, value in row.items() if name not in ("id", "created_at")}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {
            "strategy": "text_window_combo",
            "text_window_combo-beta": "0.4",
            "hours": "1.5",
            "recall": "80",
            "slope": "5",
            "parent_policy": "mean",
            "pick_order": "shallow_first",
            "judge": "lc",
        },
        {
            "follow": "these",
            "hosts": "example.org, example.net",
            "never": "ads.example.org *?print=*",
            "depth": "3",
            "pages_per_host": "40",
            "frontier_cap": "2000000",
            "links_per_page": "50",
        },
        {
            "follow": "seeds",
            "delay": "0.5",
            "concurrent": "4",
            "page_kb": "10",
            "pages_per_second": "2.5",
            "obey_robots": "",
            "hours": "1234.567",
        },
        {"never": "-x/y*", "main_text": "on"},
    ],
)
def test_the_command_makes_the_same_crawl(topic: Topic, changes: dict[str, str]) -> None:
    form = filled(topic, **changes)
    assert form.is_valid(), form.errors
    _, command, *words = shlex.split(form_summary(form).command.replace("\\\n", " "))
    options = vars(
        load_command_class("apps.crawls", command).create_parser("", command).parse_args(words)
    )
    made = create_crawl(
        topic.owner, topic, web_named(options["web"], topic), **settings_of(options)
    )
    wanted = form.create(topic.owner)
    assert row_of(made) == row_of(wanted)


def test_the_rail_names_what_the_strategy_is_given(topic: Topic) -> None:
    text = " ".join(form_summary(filled(topic, strategy="hcla")).sentences)
    assert "It is given corpus: the topic’s examples, without their labels, 8 pages." in text
    text = " ".join(form_summary(filled(topic, strategy="taxonomy_baseline")).sentences)
    assert "It is given classes: your topics." in text
    assert "It is given" not in " ".join(form_summary(filled(topic, strategy="ss1")).sentences)


def test_a_name_is_quoted_in_the_command_and_escaped_in_the_rail(owner) -> None:
    topic = made_topic(owner, "rm -rf; <b>x</b>")
    message = form_summary(NewCrawlForm(topic))
    assert "'rm -rf; <b>x</b>'" in message.command
    assert "<b>x" not in " ".join(message.sentences)


def test_a_new_form_and_the_same_form_sent_have_the_same_rail(topic: Topic) -> None:
    new = NewCrawlForm(topic)
    sent = NewCrawlForm(topic, initial_data(new))
    assert form_summary(new) == form_summary(sent)
    assert not new.is_bound and new["budget"].value() == sent["budget"].value() == 1000


def test_a_new_form_reads_its_topic_once(topic: Topic, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Topic] = []
    monkeypatch.setattr(forms, "met_needs", lambda topic: asked.append(topic) or met_needs(topic))
    browser = Client()
    browser.force_login(topic.owner)
    assert browser.get(reverse("new_crawl:form", args=[topic.pk])).status_code == 200
    assert asked == [topic]


# Through the browser's eyes ------------------------------------------------------------------


@pytest.fixture
def site(client: Client, owner) -> Client:
    client.force_login(owner)
    return client


def test_the_page_groups_strategies_by_paper(site: Client, topic: Topic) -> None:
    text = site.get(reverse("new_crawl:form", args=[topic.pk])).content.decode()
    for words in ("Link contexts", "Tag tree combo", "What will happen"):
        assert words in text


def test_what_the_form_says_several_times_is_read_once(site: Client, topic: Topic) -> None:
    for pages in (1, 2):
        grow(made_crawl(topic, state=State.FINISHED), pages)
    with CaptureQueriesContext(connection) as asked:
        site.get(reverse("new_crawl:form", args=[topic.pk]))
    statements = [query["sql"] for query in asked.captured_queries]
    assert len(statements) <= 46
    assert sum("COUNT" in sql and "topics_target" in sql for sql in statements) == 1
    (listed,) = (sql for sql in statements if f"LIMIT {forms.MOST_EARLIER}" in sql)
    assert "queue_head" not in listed and "judging" not in listed


def test_strategies_that_cannot_run_stand_together_by_what_they_lack(
    site: Client, topic: Topic
) -> None:
    topic.examples.all().delete()
    text = site.get(reverse("new_crawl:form", args=[topic.pk])).content.decode()
    assert text.count("Add positive examples and either negative ones or a background</a> for") == 1
    assert " disabled" not in text[: text.index("Where to go")]
    form = NewCrawlForm(topic)
    assert sum(len(lack.choices) for lack in form.lacks()) == form.count - len(form.usable)


def test_one_strategy_is_suggested_with_reasons_and_alternatives_that_can_run(
    site: Client, topic: Topic
) -> None:
    form = NewCrawlForm(topic)
    best = form.suggestion
    assert best is not None and best.choice.id == "learner"
    fact, wish = best.reasons
    assert fact.words.startswith("The topic has ") and "keyword" in fact.words
    assert wish.asks and wish.link.endswith("#id_positives")
    others = [other.choice.id for other in best.alternatives]
    assert others == ["experts", "full_page", "breadth_first"]
    crawl = grow(made_crawl(topic, strategy="learner"), 100, harvest_rate=0.25)
    reasons = NewCrawlForm(topic).suggestion.reasons
    assert reasons[1].words == f"In crawl #{crawl.pk} {share(0.25)} of 100 pages were relevant."
    text = site.get(reverse("new_crawl:form", args=[topic.pk])).content.decode()
    offered = re.findall(r'name="strategy"[^>]* value="(\w+)"', text)
    assert len(offered) == len(set(offered)) == len(form.usable), "each is offered once"


def test_one_that_is_called_as_good_differed_from_the_suggested_one_on_no_web() -> None:
    rows = re.findall(r"^\| Experts \|.*$", (ROOT / "docs/effectiveness.md").read_text(), re.M)
    against = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    compared = [cells for cells in against if len(cells) == 8]
    assert len(compared) == 5 and all("(Learner)" in cells[3] for cells in compared)
    assert all(float(cells[-1]) >= 0.05 for cells in compared)
    assert AS_GOOD["learner"][0] == "experts" and "on five webs neither" in AS_GOOD["learner"][1]


def test_without_examples_and_keywords_the_alternatives_can_run_too(topic: Topic) -> None:
    topic.examples.all().delete()
    topic.keywords = []
    best = NewCrawlForm(topic).suggestion
    assert best is not None
    usable = {choice.id for choice in NewCrawlForm(topic).usable}
    assert {best.choice.id, *(other.choice.id for other in best.alternatives)} <= usable
    assert best.reasons[0].words.startswith("It starts from the topic’s seeds")


def test_where_to_go_explains_each_choice(topic: Topic) -> None:
    means = {value: words for value, _, words in NewCrawlForm(topic).follow_choices()}
    assert means["seeds"] == "3 hosts now: seed0.test, seed1.test, seed2.test"


def test_saving_as_a_draft_starts_nothing(site: Client, topic: Topic) -> None:
    data = {**initial_data(NewCrawlForm(topic)), "do": "draft"}
    answer = site.post(reverse("new_crawl:form", args=[topic.pk]), data)
    crawl = Crawl.objects.get()
    assert answer.url == reverse("live:crawl", args=[crawl.pk])
    assert crawl.state == State.DRAFT


def test_starting_queues_the_crawl(site: Client, topic: Topic) -> None:
    data = {**initial_data(NewCrawlForm(topic)), "do": "start"}
    site.post(reverse("new_crawl:form", args=[topic.pk]), data)
    assert Crawl.objects.get().state == State.QUEUED


def test_a_form_sent_twice_starts_one_crawl(site: Client, topic: Topic) -> None:
    address = reverse("new_crawl:form", args=[topic.pk])
    token = re.search(r'name="form_token" value="(\w+)"', site.get(address).content.decode())
    assert token
    data = {**initial_data(NewCrawlForm(topic)), "do": "start", "form_token": token[1]}
    first, second = (site.post(address, data).url for _ in range(2))
    assert first == second == reverse("live:crawl", args=[Crawl.objects.get().pk])
    site.post(address, {**data, "budget": "7"})
    assert Crawl.objects.count() == 2


def test_errors_keep_what_was_typed(site: Client, topic: Topic) -> None:
    data = {**initial_data(NewCrawlForm(topic)), "budget": "0", "never": "*/cart/*"}
    page = site.post(reverse("new_crawl:form", args=[topic.pk]), data)
    text = page.content.decode()
    assert "from 1 to" in text and "*/cart/*" in text
    assert not Crawl.objects.exists()


def test_restating_answers_with_the_rail_alone(site: Client, topic: Topic) -> None:
    data = {**initial_data(NewCrawlForm(topic)), "budget": "321", "do": "restate"}
    text = site.post(reverse("new_crawl:form", args=[topic.pk]), data).content.decode()
    assert "321 pages" in text and "<html" not in text
    assert not Crawl.objects.exists()


def test_the_rail_shows_the_time_of_crawls_alike_and_warns_of_a_weak_classifier(
    topic: Topic, web: Web
) -> None:
    for seconds in (10, 30):
        crawl = made_crawl(topic, web=web, over="record")
        Crawl.objects.filter(pk=crawl.pk).update(pages=100, seconds=seconds)
    Topic.objects.filter(pk=topic.pk).update(quality={"models": [{"f1": {"mean": 0.3}}]})
    topic.refresh_from_db()
    message = form_summary(filled(topic, web=str(web.pk), budget="1200"))
    (time,) = [cost for cost in message.costs if cost.what == "Time"]
    assert time.amount == "2 min to 6 min"
    assert time.basis.endswith("of this topic, of 100 pages")
    assert any("F1 0.30" in warning for warning in message.warnings)
    live = form_summary(filled(topic, strategy="breadth_first"))
    assert CostLine("Time", "not known yet", "the first crawl there measures it") in live.costs
    assert not live.warnings


def test_hours_and_estimated_recall_end_a_crawl_too(topic: Topic) -> None:
    Target.objects.create(topic=topic, url="http://a.test/held-back")
    form = filled(topic, hours="1.5", recall="80", slope="5")
    assert form.is_valid(), form.errors
    crawl = form.create(topic.owner)
    assert (crawl.hours, crawl.recall, crawl.slope) == (1.5, 0.8, 5)
    reports = form_summary(filled(topic, hours="1.5", recall="80", slope="5"))
    ends = (
        "after 1.5 hours at work or at an estimated recall of 80 % or when 1,000 requests should"
        " add fewer than 5 relevant pages"
    )
    assert any(ends in sentence for sentence in reports.sentences)
    for option in ("--hours 1.5", "--recall 0.8", "--slope 5"):
        assert option in reports.command
    wrong = filled(topic, hours="0", recall="101")
    assert {*wrong.errors} == {"hours", "recall"}


@pytest.mark.parametrize(
    ("strategy", "sentence"),
    [
        ("full_page", "Where several pages link to one, <b>the best of them</b> counts."),
        ("learner", "Where several pages link to one, the strategy weighs them in its own way."),
    ],
)
def test_a_parent_policy_is_named_only_where_links_have_scores(
    topic: Topic, strategy: str, sentence: str
) -> None:
    assert sentence in form_summary(filled(topic, strategy=strategy)).sentences


def test_without_targets_recall_is_estimated_otherwise(client: Client, owner, topic: Topic) -> None:
    topic.targets.all().delete()
    assert filled(topic, recall="80").is_valid()
    client.force_login(owner)
    page = client.get(reverse("new_crawl:form", args=[topic.pk])).content.decode()
    assert "estimated by the rate at which relevant pages become rarer" in page


def test_a_leaderboard_of_the_same_web_is_reported_beside_each_strategy(topic, monkeypatch):
    words = {"best_first": "9 % more targets 3–15 %"}
    advice = Advice(Experiment(pk=7), True, "best_first", "On made, it did best.", words)
    monkeypatch.setattr(forms, "advice_for", lambda user, web: advice)
    form = NewCrawlForm(topic)
    assert form.initial["strategy"] == "best_first"
    reports = {choice.id: choice.evidence for choice in form.choices()}
    assert reports["best_first"] == "9 % more targets 3–15 %"
    assert reports["full_page"] == ""


def test_the_order_of_fetching_and_the_parents_are_chosen_and_described(topic: Topic) -> None:
    form = filled(topic, pick_order="shallow_first", parent_policy="mean")
    assert form.is_valid(), form.errors
    crawl = form.create(topic.owner)
    assert (crawl.pick_order, crawl.parent_policy) == ("shallow_first", "mean")
    reports = form_summary(filled(topic, pick_order="shallow_first", parent_policy="mean"))
    assert "Pages are fetched <b>shallow first</b>." in reports.sentences
    assert "--parents mean" in reports.command and "--order shallow_first" in reports.command
    assert {*filled(topic, pick_order="nonsense").errors} == {"pick_order"}


@pytest.mark.parametrize(
    ("code", "models"), [("at_chance", [{"f1": {"mean": 0.3}}]), ("gathered_only", [])]
)
def test_a_classifier_without_evidence_is_warned_of_first_and_has_no_f1(
    topic: Topic, code: str, models: list[object]
) -> None:
    quality = {"models": models, "advice": [code]}
    Topic.objects.filter(pk=topic.pk).update(quality=quality)
    topic.refresh_from_db()
    first, *others = form_summary(filled(topic, strategy="learner")).warnings
    assert first == " ".join(ADVICE[code])
    assert not any("F1" in words for words in others)


def test_the_fold_of_all_strategies_names_the_chosen_one_unless_it_is_listed_above(
    topic: Topic,
) -> None:
    form = filled(topic)
    assert form_summary(form).further == ""
    listed = form.suggestion.ids if form.suggestion else frozenset()
    other = next(c for c in form.choices() if c.id not in listed and not c.missing)
    assert form_summary(filled(topic, strategy=other.id)).further == other.cls.title


def test_hosts_that_are_in_limit_a_crawl_as_soon_as_there_are_any(topic: Topic) -> None:
    assert "no host is in yet" in str(filled(topic, follow="in").errors["follow"])
    HostDecision.objects.create(topic=topic, name="a.test", state="in", at=timezone.now())
    form = filled(topic, follow="one_link")
    assert form.is_valid() and form.scope()["reach"] == "one_link"
    means = {value: words for value, _, words in form.follow_choices()}
    assert means["in"] == "1 host now" and form.impossible_follows == ()
