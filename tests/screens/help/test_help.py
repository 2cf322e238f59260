"""Every screen, strategy, measure and word has its help, and it can be found."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from apps.engine.codes import Exclusion, Failure, Need, State, StopReason
from apps.engine.evaluation import MEASURES
from apps.engine.intelligence.strategies import CATALOGUE
from apps.figures.units import UNITS
from apps.papers.deviations import deviations
from apps.screens.help import codes
from apps.screens.help.catalogue import strategy_help
from apps.screens.help.docstrings import explained, html_of
from apps.screens.help.glossary import TERMS
from apps.screens.help.reference import reference
from apps.screens.help.screens import SCREENS
from apps.screens.help.searching import entries, find
from apps.screens.help.vocabulary import vocabularies
from apps.screens.templatetags.quantities import powers
from tests.people import person, site_of

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


@pytest.fixture
def site() -> Client:
    return site_of(person("ada"))


def text_of(site: Client, address: str) -> str:
    answer = site.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.slug)
def test_every_screen_has_its_page_whose_links_lead_somewhere(site: Client, screen) -> None:
    text = text_of(site, reverse("help:screen", args=[screen.slug]))
    assert screen.title in text and len(text) > 1500
    article = text[text.index("<article") : text.index("</article>")]
    for address in set(re.findall(r'href="(/[^"#]*)', article)):
        assert site.get(address).status_code in (200, 302), address


def test_every_departure_from_a_paper_is_there_with_its_reason(site: Client) -> None:
    text = text_of(site, reverse("help:screen", args=["deviations"]))
    for paper, every in deviations().items():
        assert f'<h2 id="{paper}">' in text
        for each in every:
            for words in (each.where, each.paper, each.here, each.why):
                assert html_of(words) in text


@pytest.mark.parametrize("cls", CATALOGUE, ids=lambda cls: cls.id)
def test_every_strategy_has_its_page(site: Client, cls) -> None:
    text = text_of(site, reverse("help:strategy", args=[cls.id]))
    described = strategy_help(cls.id)
    for message in (cls.title, cls.advice, cls.section):
        assert escape(message) in text
    assert powers(described.text.summary) in text
    for parameter in cls.parameters():
        assert escape(parameter.effect) in text
    assert text.count('class="tag">Choice') == (cls.__doc__ or "").count("**Choice**")
    assert text.count('class="tag">Erratum') == (cls.__doc__ or "").count("**Erratum**")
    assert "**" not in text and "Parameters:" not in text


@pytest.mark.parametrize("cls", MEASURES, ids=lambda cls: cls.id)
def test_every_measure_has_its_page(site: Client, cls) -> None:
    text = text_of(site, reverse("help:measure", args=[cls.id]))
    for message in (escape(cls.title), explained(cls).summary, escape(UNITS[cls.unit].meaning)):
        assert message in text


def test_every_code_has_its_words(site: Client) -> None:
    text = text_of(site, reverse("help:codes"))
    groups = (
        (codes.states(), State),
        (codes.reasons(), StopReason),
        (codes.exclusions(), Exclusion),
        (codes.needs(), Need),
    )
    for entry, every in groups:
        assert [code.id for code in entry] == [*every]
    assert [code.id for code in codes.failures()] == [*Failure, "http_404"]
    for entry in (*(group for group, _ in groups), codes.failures()):
        for code in entry:
            assert code.words and code.meaning.endswith(".") and "{" not in code.words
            assert f'id="{code.id}"' in text


def test_the_glossary_has_every_letter_of_the_charts(site: Client) -> None:
    text = text_of(site, reverse("help:glossary"))
    assert all(f'id="{term.anchor}"' in text for term in TERMS)
    assert {"τ", "σ", "α", "δ"} <= {term.letter for term in TERMS}
    assert len({term.anchor for term in TERMS}) == len(TERMS)
    assert [t.word.lower() for t in TERMS] == sorted(t.word.lower() for t in TERMS)


def test_the_vocabulary_has_every_name_with_its_sentence(site: Client) -> None:
    text = text_of(site, reverse("help:vocabulary"))
    names = [name for each in vocabularies() for name in each.names]
    assert len({name.anchor for name in names}) == len(names) > 40
    for name in names:
        assert f'id="{name.anchor}"' in text and name.sentence.endswith(".")


def test_the_api_reference_has_every_operation(site: Client) -> None:
    text = text_of(site, reverse("help:api"))
    groups = reference()
    operations = [operation for group in groups for operation in group.operations]
    assert {group.name for group in groups} >= {"topics", "crawls", "pages", "exports", "recipes"}
    for operation in operations:
        assert operation.path in text and f'id="{operation.id}"' in text
    assert len({operation.id for operation in operations}) == len(operations)
    make = next(o for o in operations if (o.method, o.path) == ("POST", "/api/v1/crawls"))
    fields = {field.name: field for field in make.sent}
    assert (fields["topic"].type, fields["topic"].required) == ("whole number", True)
    assert (fields["over"].type, fields["over"].required) == ("http, record or null", False)
    assert make.example == '{"strategy": "…", "budget": 1, "topic": 1}'


def test_every_operation_of_the_api_shows_an_answer_made_of_its_schema(site: Client) -> None:
    operations = [operation for group in reference() for operation in group.operations]
    for operation in operations:
        if operation.answered:
            answer = json.loads(operation.answer)
            shown = answer[0] if isinstance(answer, list) else answer
            assert [*shown] == [field.name for field in operation.answered], operation.id
    crawl = next(o for o in operations if (o.method, o.path) == ("GET", "/api/v1/crawls"))
    listed = json.loads(crawl.answer)
    assert listed["count"] == 1 and listed["items"][0]["created_at"] == "2026-05-01T12:00:00Z"
    assert escape(crawl.answer) in text_of(site, reverse("help:api"))


def test_words_find_their_pages(site: Client) -> None:
    for query, title in (
        ("harvest rate", "Harvest rate"),
        ("HCLA", "HCLA"),
        ("certificate", "certificate not valid"),
        ("shark search original", "Shark-Search (original)"),
        ("recorded web", "Recorded web"),
        ("api tokens", "Accounts and sharing"),
        ("delta", "Delta δ"),
        ("repeat a paper", "Experiments"),
        ("reproduction", "Experiments"),
        ("near-duplicates", "Near-duplicates"),
        ("excel", "Excel"),
        ("near duplicates", "Near-duplicates"),
        ("import_web", "crawlsite import_web"),
        ("budget_reached", "budget reached: … of … pages; … links still wait."),
    ):
        assert title in [hit.entry.title for hit in find(query)][:5], query
    assert find("") == find("xyzzy") == []
    text = text_of(site, reverse("help:index") + "?q=harvest+rate")
    assert "found" in text and reverse("help:measure", args=["harvest_rate"]) in text
    assert "Nothing found" in text_of(site, reverse("help:index") + "?q=xyzzy")


def test_every_title_finds_its_page() -> None:
    for entry in entries():
        assert entry in [hit.entry for hit in find(entry.title)], entry.title


def test_everything_found_is_there(site: Client) -> None:
    anchors = {a for e in entries() for a in [e.address.partition("#")[0]]}
    assert len(entries()) > 120
    for address in anchors:
        assert site.get(address).status_code == 200, address


def test_a_hostile_query_stays_text(site: Client) -> None:
    text = text_of(site, reverse("help:index") + "?q=%3Cscript%3Ealert(1)%3C/script%3E")
    assert "<script>alert" not in text
    assert site.get(reverse("help:index"), {"q": "a" * 100_000 + "\0"}).status_code == 200


@pytest.mark.parametrize("address", ["/help/nonsense/", "/help/strategies/x/", "/help/measures/x/"])
def test_what_there_is_no_help_for_is_not_found(site: Client, address: str) -> None:
    assert site.get(address).status_code == 404


def test_help_is_for_those_who_sign_in() -> None:
    assert site_of(None).get("/help/").status_code == 302


def test_a_docstring_is_taken_apart() -> None:
    class Sample:
        """Gives a <b> what `x` says.

        How it **really** works,
        over two lines. **Choice** (why): this one. **Erratum**: that one.

        Parameters:
            x: what it does
                over two lines.

        The end.
        """

    described = explained(Sample)
    assert described.summary == "Gives a &lt;b&gt; what <code>x</code> says."
    assert described.paragraphs == ("How it <b>really</b> works, over two lines.", "The end.")
    assert [(n.kind, n.words) for n in described.notes] == [
        ("Choice", "(why): this one."),
        ("Erratum", "That one."),
    ]
    assert explained(type("Bare", (), {})()).summary == ""


class Tags(HTMLParser):
    """Notes tags that are closed in the wrong order."""

    VOID = frozenset({"meta", "link", "input", "br", "img", "use", "hr"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []

    def handle_starttag(self, tag, attrs) -> None:
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


@pytest.mark.parametrize("name", ["index", "codes", "glossary", "vocabulary", "api"])
def test_the_pages_close_what_they_open(site: Client, name: str) -> None:
    tags = Tags()
    tags.feed(re.sub(r"<(use|path)[^>]*/>", "", text_of(site, reverse(f"help:{name}"))))
    assert tags.wrong == [] and tags.open == []
