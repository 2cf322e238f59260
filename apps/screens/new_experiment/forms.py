"""The form of an experiment: its topics, strategies, web, budget and comparison."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.forms import BoundField
from django.http import QueryDict

from apps.crawls.schemas import PolitenessRules
from apps.engine.evaluation import MEASURES
from apps.experiments.design.schema import BY_TOPIC, Design
from apps.experiments.design.variants import Variant, variants
from apps.schemas.input import bound
from apps.schemas.refused import Refused
from apps.screens.new_crawl.forms import JUDGE_WORDS
from apps.screens.new_crawl.scope_fields import ANY, THESE, ScopeFields
from apps.screens.new_experiment.strategy_rows import StrategyRow, number_of_crawler, read_rows
from apps.screens.new_experiment.topic_rows import TopicTable, topic_table
from apps.screens.schema_fields import text, whole, words
from apps.topics.models import Topic
from apps.webs.models import Web
from apps.webs.selectors import live_web, recorded_webs

LIVE = "live"
NO_TOPIC = "Choose at least one topic."
NO_STRATEGY = "Choose at least one strategy."
SAME = ("seeds", "targets", "examples", "background", "judge")
HOLD_OUT_WORDS = {
    BY_TOPIC: "as each topic has it",
    Topic.HoldOut.BY_ADDRESS.value: "taken out by their addresses",
    Topic.HoldOut.REGARDLESS.value: "left in, and not counted",
}
SCOPE = (
    "hosts",
    "never",
    "only",
    "languages",
    "main_text",
    "depth",
    "pages_per_host",
    "frontier_cap",
    "links_per_page",
    "delay",
    "concurrent",
    "page_kb",
    "pages_per_second",
    "retries",
    "redirects",
    "hosts_per_domain",
    "hosts_per_address",
    "contact",
    "headers",
)
LABELS = {
    "web": "Web",
    "pages": "Pages a cell",
    "measure": "Measure",
    "at": "Measure, at",
    "judge": "Judge",
    "hold_out": "Targets in the background",
    "follow": "Follow links to",
    "hosts": "Follow links to, hosts",
    "depth": "Follow links to, links away from a seed",
    "pages_per_host": "Follow links to, pages of one host",
    "frontier_cap": "Follow links to, links waiting",
    "links_per_page": "Follow links to, first links of a page",
    "never": "Never",
    "only": "Only addresses like",
    "languages": "Languages",
    "main_text": "Judge by the main text",
    "delay": "Politeness, one request a host every",
    "retries": "Politeness, repeated at most",
    "page_kb": "Politeness, KB of a page",
    "obey_robots": "Politeness, obey robots.txt",
    "concurrent": "Politeness, requests at once",
    "pages_per_second": "Politeness, pages a second",
    "redirects": "Politeness, redirects of an address",
    "hosts_per_domain": "Politeness, hosts of one domain at once",
    "hosts_per_address": "Politeness, hosts of one address at once",
    "contact": "Politeness, contact",
    "headers": "Politeness, headers",
    "repetitions": "Repetitions",
    "random_seed": "Random seed",
    "at_once": "At once",
    "name": "Name",
    "note": "Note",
}
"""What the screen calls each field."""


class NewExperimentForm(ScopeFields):
    """All of an experiment; always bound, a new one to the values it starts with.

    `without` are the names of topics that are not offered.
    """

    name = forms.CharField(
        required=False,
        max_length=bound(Design, "name", "maxLength"),
        error_messages=words(Design, "name"),
    )
    note = text(Design, "note", strip=False)
    web = forms.CharField(error_messages={"required": "Choose a web."})
    measure = forms.ChoiceField(choices=[(each.id, each.title) for each in MEASURES])
    pages = whole(Design, "pages")
    at = whole(Design, "at", shown="all")
    judge = forms.ChoiceField(choices=list(JUDGE_WORDS.items()))
    hold_out = forms.ChoiceField(
        choices=list(HOLD_OUT_WORDS.items()), initial=BY_TOPIC, required=False
    )
    repetitions = whole(Design, "repetitions")
    random_seed = whole(Design, "random_seed")
    at_once = whole(Design, "at_once", shown="all")
    follow = forms.ChoiceField(
        choices=[(ANY, "any host"), (THESE, "these hosts")], initial=ANY, required=False
    )
    retries = whole(PolitenessRules, "retries")

    def __init__(
        self, sent: QueryDict, person: User, without: frozenset[str] = frozenset()
    ) -> None:
        super().__init__(sent)
        self.person = person
        self.webs = list(recorded_webs(person))
        self.rows: list[StrategyRow] = read_rows(sent)
        chosen = set(sent.getlist("topic")) if "topics_sent" in sent else None
        self.topics: TopicTable = topic_table(person, self.chosen_web, chosen, without)
        self.draft = sent.get("draft", "")
        self.token = sent.get("form_token", "")
        self.fields["name"].widget.attrs["placeholder"] = self.usual_name

    @property
    def chosen_web(self) -> Web:
        """The web selected; the live Web unless a recorded one is."""
        wanted = self.data.get("web", "")
        return next((web for web in self.webs if str(web.pk) == wanted), None) or live_web()

    @property
    def usual_name(self) -> str:
        """The default name."""
        web = self.chosen_web
        return f"Strategies on {web.name if web.is_recorded else 'the live Web'}"

    @property
    def same(self) -> tuple[str, ...]:
        """The settings that all cells of a topic share."""
        return SAME

    @property
    def scope_fields(self) -> list[BoundField]:
        return [self[name] for name in SCOPE]

    @property
    def has_scope(self) -> bool:
        """Whether any rule of scope or politeness is given."""
        return any(self.data.get(name) for name in SCOPE) or "obey_robots" not in self.data

    @property
    def baseline(self) -> str:
        """The key of the baseline's row: the first one unless another is selected."""
        keys = [row.key for row in self.rows]
        wanted = self.data.get("baseline", "")
        return wanted if wanted in keys else next(iter(keys), "")

    @property
    def crawler_count(self) -> int:
        return sum(row.variants for row in self.rows)

    @property
    def row_errors(self) -> list[str]:
        """The errors that concern all rows together."""
        return [str(error) for error in self.errors.get("crawlers", ())]

    @property
    def topic_errors(self) -> list[str]:
        return [str(error) for error in self.errors.get("topics", ())]

    def clean_web(self) -> str:
        value: str = self.cleaned_data["web"]
        if value != LIVE and not self.chosen_web.is_recorded:
            raise forms.ValidationError("There is no such web. Choose one from the list.")
        return value

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        pages, at = cleaned.get("pages"), cleaned.get("at")
        if pages and at and at > pages:
            self.add_error(
                "at",
                f"A cell has {pages:,} pages: give a page up to there, or"
                " leave it empty for the last.",
            )
        if not self.topics.selected:
            self.report_error("topics", NO_TOPIC)
        if not self.rows:
            self.report_error("crawlers", NO_STRATEGY)
        elif any(row.is_bad for row in self.rows):
            self.report_error("crawlers", "Correct the values marked below.")
        return cleaned

    def report_error(self, name: str, message: str) -> None:
        """Adds an error, of topics and crawlers too, which are no fields."""
        if name in self.fields or not name:
            self.add_error(name or None, message)
        else:
            self.errors.setdefault(name, self.error_class()).append(message)

    def crawlers(self) -> tuple[Variant, ...]:
        """The crawlers of the rows. Raises Refused for two alike or too many."""
        return variants(self.design())

    def design(self) -> Design:
        """The design that the form describes, with the defaults of fields that are wrong.

        Raises Refused.
        """
        data = self.cleaned_data
        given = {
            name: data.get(name)
            for name in ("measure", "pages", "at", "judge", "repetitions", "random_seed", "at_once")
        }
        given["hold_out"] = data.get("hold_out") or None
        rules = self.politeness() | (
            {"retries": data["retries"]} if data.get("retries") is not None else {}
        )
        web = self.chosen_web
        return Design.read(
            {
                "name": data.get("name") or self.usual_name,
                "note": data.get("note") or "",
                "web": web.name if web.is_recorded else LIVE,
                "topics": list(self.topics.names),
                "crawlers": [row.design() for row in self.rows if not row.is_bad],
                "baseline": number_of_crawler(self.rows, self.baseline),
                "scope": self.scope(),
                "politeness": rules if self._has_politeness(rules) else {},
                **{name: value for name, value in given.items() if value is not None},
            }
        )

    def _has_politeness(self, rules: dict[str, Any]) -> bool:
        """Whether any rule differs from the web's defaults."""
        return not rules.get("obey_robots") or len(rules) > 1

    def refuse(self, refused: Refused) -> None:
        """Shows a refusal at its field, or above the form if it has none."""
        name = refused.field.partition(".")[0]
        has_field = name in self.fields or name in ("topics", "crawlers")
        self.report_error(name if has_field else "", refused.message)
