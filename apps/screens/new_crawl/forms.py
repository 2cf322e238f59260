"""The form that sets up a crawl."""

from __future__ import annotations

import random
from collections.abc import Mapping
from copy import copy
from functools import cached_property
from typing import Any, Self

from django import forms
from django.contrib.auth.models import User

from apps.crawls import services
from apps.crawls.errors import CrawlRefused
from apps.crawls.inputs.needs import met_needs, strategy_needs
from apps.crawls.inputs.previous_crawl import earlier_crawls
from apps.crawls.models import Crawl
from apps.crawls.schemas import CrawlSettings, ScopeRules
from apps.engine.frontier.orders import ORDERS
from apps.engine.frontier.parents import POLICIES
from apps.engine.frontier.scope import LISTED_PER_HOST
from apps.engine.parsing.rendering.availability import missing
from apps.experiments.advice import advice_for
from apps.figures.quantities import number_of
from apps.screens.new_crawl.scope_fields import NO_HOST_IN, ScopeFields
from apps.screens.new_crawl.strategy_choices import strategy_groups
from apps.screens.new_crawl.strategy_costs import strategy_costs
from apps.screens.new_crawl.strategy_fields import StrategyFields
from apps.screens.new_crawl.web_fields import WebFields
from apps.screens.offers import offer_choices
from apps.screens.schema_fields import number, whole
from apps.topics.models import Topic
from apps.topics.selectors import example_counts
from apps.webs.selectors import LIVE, live_web, webs_of_both

OF_PARAMETERS = frozenset({"random_seed", "parent_policy", "pick_order", "judge"})
OF_LIMITS = frozenset(
    {
        "depth",
        "pages_per_host",
        "frontier_cap",
        "links_per_page",
        "listed_per_host",
        "concurrent",
        "page_kb",
        "pages_per_second",
        "slope",
    }
)
MOST_EARLIER = 200
JUDGE_WORDS = {
    "separate": "committee on your evaluation examples",
    "lc": "committee on all examples and targets (LC)",
    "sl": "one SVM on held-out examples (SL)",
}


def parent_policies() -> list[tuple[str, str]]:
    """The choices of how several links to one page are combined."""
    return [(policy.id, policy.title) for policy in POLICIES.values()]


def pick_orders() -> list[tuple[str, str]]:
    """The choices of which waiting link is fetched next."""
    return [(order.id, order.title) for order in ORDERS.values()]


class NewCrawlForm(StrategyFields, WebFields, ScopeFields):
    """Strategy with its parameters, web, scope, politeness, budget. `create` makes the draft."""

    budget = whole(CrawlSettings, "budget", initial=1000)
    hours = number(CrawlSettings, "hours")
    recall = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=100,
        widget=forms.NumberInput(),
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), "Give a whole number of per cent from 1 to 100."
        ),
    )
    slope = number(CrawlSettings, "slope")
    site_lists = forms.BooleanField(required=False, initial=True)
    listed_per_host = whole(ScopeRules, "listed_per_host", shown=f"{LISTED_PER_HOST:,}")
    random_seed = whole(CrawlSettings, "random_seed")
    parent_policy = forms.ChoiceField(choices=parent_policies)
    pick_order = forms.ChoiceField(choices=pick_orders)
    judge = forms.ChoiceField(choices=list(JUDGE_WORDS.items()))
    documents = forms.BooleanField(required=False, initial=True)
    opt_out_files = forms.BooleanField(required=False)
    obey_opt_outs = forms.BooleanField(required=False)
    render_pages = forms.BooleanField(required=False)

    def __init__(
        self,
        topic: Topic,
        data: Mapping[str, Any] | None = None,
        *,
        user: User | None = None,
    ) -> None:
        self.topic = topic
        self.user = user or topic.owner
        self.webs = list(webs_of_both(self.user, topic.owner))
        self.advice = advice_for(self.user, topic.web)
        self.costs = strategy_costs(self.user, topic.web or live_web())
        self.groups = strategy_groups(
            met_needs(topic),
            lambda need: strategy_needs()[need].anchor(topic),
            self.advice.words if self.advice else {},
            self.costs,
        )
        self.earlier_crawls = _newest_earlier(topic)
        self.examples = example_counts(topic)
        super().__init__(data, initial=self._start_values())
        if not self.examples["evaluation"].all:
            words = JUDGE_WORDS | {"separate": "the guiding classifier: no examples for judging"}
            offer_choices(self, "judge", list(words.items()))
        self.render_missing = missing()
        self.fields["render_pages"].disabled = bool(self.render_missing)
        self.add_parameter_fields()

    def sent_with(self, data: dict[str, Any]) -> Self:
        """This new form as if the data had been sent; the topic is not read once more."""
        sent = copy(self)
        sent.suggestion, sent.targets = self.suggestion, self.targets
        sent.seed_urls, sent.hosts_in = self.seed_urls, self.hosts_in
        sent.data, sent.is_bound = data, True
        sent._bound_fields_cache = {}  # type: ignore[attr-defined]  # fields are bound to data
        return sent

    @property
    def has_fold_errors(self) -> bool:
        """Whether a field among the parameters has an error."""
        return any("-" in name or name in OF_PARAMETERS for name in self.errors)

    @property
    def has_limit_errors(self) -> bool:
        """Whether a field among the further limits has an error."""
        return any(name in OF_LIMITS for name in self.errors)

    def topic_facts(self) -> list[str]:
        """The topic in a few words: its examples, and its last crawl."""
        yes, no = (self.examples[kind].all for kind in ("positive", "negative"))
        last = Crawl.objects.filter(topic=self.topic).order_by("-pk").only("pages").first()
        crawled = f"#{last.pk}, {number_of(last.pages, 'page')}" if last else "none"
        return [f"{yes:,} yes, {no:,} no", f"last crawl: {crawled}"]

    @cached_property
    def targets(self) -> int:
        """How many pages recall can be estimated by."""
        return self.topic.targets.count()

    def _start_values(self) -> dict[str, Any]:
        usable = [choice.id for choice in self.choices() if not choice.missing]
        web = self.topic.web
        return {
            "strategy": next((id for id in self._favourites() if id in usable), ""),
            "web": str(web.pk) if web is not None and web.is_recorded else LIVE,
            "random_seed": random.SystemRandom().randrange(1, 100_000),
            "parent_policy": "max",
            "pick_order": "best_first",
            "judge": "separate",
        }

    def scope(self) -> dict[str, Any]:
        """The rules, with sitemaps and feeds, which are read on a recorded web only if asked for,
        and with documents, which are on the live Web only."""
        data = self.cleaned_data
        return super().scope() | {
            "documents": self.source.is_live and bool(data.get("documents")),
            "site_lists": None if data.get("site_lists") else False,
            "listed_per_host": data.get("listed_per_host") or LISTED_PER_HOST,
            "opt_out_files": bool(data.get("opt_out_files")),
            "obey_opt_outs": bool(data.get("obey_opt_outs")),
            "render": self.source.sends_requests and bool(data.get("render_pages")),
        }

    def clean_follow(self) -> str:
        follow: str = self.cleaned_data["follow"]
        if follow in self.impossible_follows:
            raise forms.ValidationError(f"Choose another: {NO_HOST_IN}.")
        return follow

    def clean_recall(self) -> float | None:
        """The share that the per cent are."""
        per_cent = self.cleaned_data["recall"]
        return None if per_cent is None else per_cent / 100

    def clean(self) -> dict[str, Any]:
        """Ignores the fields of strategies that are not chosen."""
        cleaned: dict[str, Any] = super().clean() or {}
        self.ignore_other_strategies()
        if self.chosen_web is not None and (refusal := self.source.refusal(self.chosen_web)):
            self.add_error("web", refusal)
        self.require_earlier(cleaned.get("earlier"))
        return cleaned

    def create(self, owner: User, form_token: str = "") -> Crawl:
        """The draft that this valid form describes. Raises CrawlRefused, IntegrityError if it was
        made of this form before."""
        data = self.cleaned_data
        return services.create_crawl(
            owner,
            self.topic,
            self.chosen_web or live_web(),
            strategy=data["strategy"],
            parameters=self.parameters(),
            budget=data["budget"],
            hours=data["hours"],
            recall=data["recall"],
            slope=data["slope"],
            random_seed=data["random_seed"],
            scope=self.scope(),
            politeness=self.politeness(),
            over=self.source.over,
            parent_policy=data["parent_policy"],
            pick_order=data["pick_order"],
            judge=data["judge"],
            earlier=self.chosen_earlier,
            form_token=form_token,
        )

    def refuse(self, refusal: CrawlRefused) -> None:
        """Shows a refusal at its field, or above the form if it has none."""
        choice = self.selected_strategy
        names = [refusal.field.rpartition(".")[2]]
        if choice is not None:
            names.append(f"{choice.id}-{names[0]}")
        field = next((name for name in names if name in self.fields), None)
        self.add_error(field, refusal.message)


def _newest_earlier(topic: Topic) -> list[Crawl]:
    """The crawls that one of the topic may learn from, with what the list of them shows."""
    crawls = earlier_crawls(topic.owner, topic).prefetch_related(None).select_related(None)
    shown = crawls.select_related("topic").only("topic__name", "strategy", "pages")
    return list(shown[:MOST_EARLIER])
