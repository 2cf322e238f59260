"""The fields for the strategy of a crawl, its parameters, and the crawl that it learns from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from django import forms

from apps.crawls.models import Crawl
from apps.engine.codes import Need
from apps.engine.errors import BadParameter
from apps.engine.intelligence.strategies.parameters import Parameter
from apps.experiments.advice import Advice
from apps.screens.new_crawl.parameter_fields import parameter_field, parameter_name
from apps.screens.new_crawl.strategy_choices import Lack, PaperGroup, StrategyChoice, lacks
from apps.screens.new_crawl.suggestion import Suggestion, suggestion
from apps.screens.offers import offer_choices
from apps.topics.models import Topic
from apps.topics.selectors import ExampleCounts

FAVOURITE = "learner"


class StrategyFields(forms.Form):
    """The strategy; each has fields of its own for its parameters."""

    topic: Topic
    advice: Advice | None
    groups: Sequence[PaperGroup]
    earlier_crawls: Sequence[Crawl]
    examples: Mapping[str, ExampleCounts]

    strategy = forms.CharField(error_messages={"required": "Choose a strategy."})
    earlier = forms.ChoiceField(
        required=False,
        error_messages={"invalid_choice": "There is no such crawl. Choose one from the list."},
    )

    def add_parameter_fields(self) -> None:
        """Adds the fields that depend on the catalogue and on the topic's crawls."""
        offer_choices(self, "earlier", earlier_choices(self.earlier_crawls))
        lacking = {each.id: " and ".join(each.missing) for each in self.choices() if each.missing}
        for choice in self.choices():
            for parameter in choice.parameters:
                field = parameter_field(choice.id, parameter, lacking)
                self.fields[parameter_name(choice.id, parameter)] = field

    @cached_property
    def suggestion(self) -> Suggestion | None:
        """The suggested strategy with its reasons."""
        preset = str(self.initial["strategy"])
        return suggestion(self.topic, self.examples, self.choices(), preset, self.advice)

    @property
    def count(self) -> int:
        """How many strategies there are."""
        return sum(len(group.choices) for group in self.groups)

    @property
    def usable(self) -> list[StrategyChoice]:
        """The strategies whose needs the topic meets."""
        return [choice for choice in self.choices() if not choice.missing]

    @property
    def lacking_count(self) -> int:
        """How many strategies need more of the topic."""
        return self.count - len(self.usable)

    def lacks(self) -> list[Lack]:
        """The strategies that cannot run, by what the topic lacks."""
        return lacks(self.groups)

    def choices(self) -> Iterable[StrategyChoice]:
        """Every strategy of the form."""
        return (choice for group in self.groups for choice in group.choices)

    def _favourites(self) -> Iterator[str]:
        """The strategies to try first: first the best strategy on the same web, then the default
        one."""
        if self.advice and self.advice.same_web and self.advice.best:
            yield self.advice.best
        yield FAVOURITE
        yield from (choice.id for choice in self.choices())

    @property
    def selected_strategy(self) -> StrategyChoice | None:
        """The selected strategy, whether or not it can be used."""
        wanted = self["strategy"].value()
        return next((choice for choice in self.choices() if choice.id == wanted), None)

    def parameter_groups(self) -> list[tuple[StrategyChoice, list[Any]]]:
        """The bound fields of each strategy that has parameters."""
        return [
            (choice, [(p, self[parameter_name(choice.id, p)]) for p in choice.parameters])
            for choice in self.choices()
            if choice.parameters
        ]

    def clean_strategy(self) -> str:
        choice = self.selected_strategy
        if choice is None:
            raise forms.ValidationError("There is no such strategy. Choose one from the list.")
        if choice.missing:
            raise forms.ValidationError(
                f"{choice.cls.title} needs {' and '.join(choice.missing)}, which the topic lacks."
                " Add them to the topic or choose another strategy."
            )
        return choice.id

    def needs_earlier(self) -> bool:
        """Whether the selected strategy learns from an earlier crawl."""
        choice = self.selected_strategy
        try:
            built = choice.cls.build(self.parameters()) if choice else None
        except BadParameter:
            return False
        return built is not None and Need.CRAWL in built.needed()

    @property
    def always_earlier(self) -> str:
        """The ids of strategies that need an earlier crawl whatever their parameters, separated by
        spaces."""
        return " ".join(c.id for c in self.choices() if Need.CRAWL in c.cls.needs)

    @property
    def chosen_earlier(self) -> Crawl | None:
        """The earlier crawl, if one is needed and selected."""
        wanted = str(self["earlier"].value())
        chosen = (crawl for crawl in self.earlier_crawls if str(crawl.pk) == wanted)
        return next(chosen, None) if self.needs_earlier() else None

    def parameters(self) -> dict[str, Any]:
        """The valid parameters of the selected strategy."""
        choice, read = self.selected_strategy, getattr(self, "cleaned_data", {})
        values: dict[str, Any] = {}
        if choice is None:
            return values
        for parameter in choice.parameters:
            value = read.get(parameter_name(choice.id, parameter))
            if value is not None:
                values[parameter.name] = value
        return values

    def changed_parameters(self) -> list[tuple[Parameter, Any]]:
        """The parameters that are not at their default."""
        values = self.parameters()
        choice = self.selected_strategy
        return [
            (parameter, values[parameter.name])
            for parameter in (choice.parameters if choice else ())
            if parameter.name in values and values[parameter.name] != parameter.default
        ]

    def ignore_other_strategies(self) -> None:
        """Drops the errors in parameters of strategies that are not chosen."""
        chosen = self["strategy"].value()
        for choice in self.choices():
            for parameter in choice.parameters if choice.id != chosen else ():
                self.errors.pop(parameter_name(choice.id, parameter), None)

    def require_earlier(self, earlier: str | None) -> None:
        """Wants an earlier crawl if the strategy learns from one; else its field is ignored."""
        if not self.needs_earlier():
            self.errors.pop("earlier", None)
        elif not earlier and "earlier" not in self.errors:
            self.add_error("earlier", "Choose the crawl that it learns from.")


def earlier_choices(crawls: Iterable[Crawl]) -> list[tuple[str, str]]:
    """The crawls as options: number, topic, strategy and pages."""
    return [("", "choose a crawl")] + [
        (str(crawl.pk), f"#{crawl.pk} {crawl.topic}: {crawl.strategy}, {crawl.pages:,} pages")
        for crawl in crawls
    ]
