"""A form's choices in sentences, and as the equivalent command."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.html import format_html

from apps.crawls.commands.limits.stop_rules import STOP_RULES
from apps.crawls.schemas import CrawlSettings
from apps.crawls.sources.catalogue import source_of
from apps.engine.codes import Need
from apps.engine.errors import BadParameter, BadWebFile
from apps.engine.frontier.host_decisions import Reach
from apps.engine.frontier.orders import ORDERS
from apps.engine.frontier.parents import POLICIES
from apps.engine.intelligence.quality import WEAK_F1
from apps.figures.quantities import number_of, score
from apps.screens.new_crawl.cost import CostLine, costs
from apps.screens.new_crawl.forms import NewCrawlForm
from apps.screens.new_crawl.parameter_fields import label_of
from apps.screens.new_crawl.parameter_words import choice_words
from apps.screens.new_crawl.scope_summary import politeness_of, where_to
from apps.screens.topic.classifier import guiding_f1
from apps.topics.inputs.freezing import expected_origins, origin_words
from apps.topics.inputs.relevant_set import pages_at_hand
from apps.topics.messages import ADVICE
from apps.topics.models import Topic
from apps.topics.selectors import has_gathered_negatives_only, is_at_chance
from apps.webs.selectors import LIVE

LEARN = frozenset({Need.EXAMPLES, Need.SUBJECT})
"""Needs of strategies that use the topic's classifier where there is one."""


@dataclass(frozen=True, slots=True)
class FormSummary:
    """`sentences` (HTML) in the order of the form, the expected cost, `warnings` that do not
    prevent the crawl, and the equivalent `command`. `fold` lists the settings besides the strategy,
    in one line; `further` the strategy, if it is none of those listed above the fold of all."""

    sentences: tuple[str, ...]
    costs: tuple[CostLine, ...]
    warnings: tuple[str, ...]
    command: str
    fold: str
    further: str

    @property
    def amounts(self) -> str:
        """The costs in one line."""
        return " · ".join(f"{cost.what.lower()} {cost.amount}" for cost in self.costs)


def form_summary(form: NewCrawlForm) -> FormSummary:
    """The summary of the form; a new one is read as if its initial values had been sent."""
    if not form.is_bound:
        form = form.sent_with(initial_data(form))
    form.is_valid()
    sentences = (
        _start(form),
        _scoring(form),
        _changed(form),
        _input_words(form),
        _learning(form),
        _judging(form),
        _recall(form),
        _stopping(form),
        where_to(form),
        _parents(form),
        _pick_order(form),
        politeness_of(form),
        _order(form),
    )
    return FormSummary(
        sentences=tuple(sentence for sentence in sentences if sentence),
        costs=costs(form),
        warnings=tuple(_warnings(form)),
        command=_command(form),
        fold=_fold(form),
        further=_further(form),
    )


def _further(form: NewCrawlForm) -> str:
    """The title of the chosen strategy; empty if it is the suggested one or an alternative."""
    choice, best = form.selected_strategy, form.suggestion
    return choice.cls.title if choice and not (best and choice.id in best.ids) else ""


def initial_data(form: NewCrawlForm) -> dict[str, Any]:
    """A new form's initial values by field."""
    values = {name: form.get_initial_for_field(f, name) for name, f in form.fields.items()}
    return {name: value for name, value in values.items() if value not in (None, False)}


def _start(form: NewCrawlForm) -> str:
    budget = form.cleaned_data.get("budget")
    return format_html(
        "Starting from <b>{}</b>, {} fetched from {}; never one more.",
        number_of(len(form.seed_urls), "seed"),
        format_html("up to <b>{} pages</b> are", f"{budget:,}") if budget else "pages are",
        _where(form),
    )


def _where(form: NewCrawlForm) -> str:
    web = form.chosen_web
    if web is None:
        return format_html("the <b>{} web</b>", "live")
    over = " over HTTP" if form.source.sends_requests else ""
    return format_html("the recorded web <b>{}</b>{}", web.name, over)


def _scoring(form: NewCrawlForm) -> str:
    choice = form.selected_strategy
    if choice is None:
        return ""
    doc = (choice.cls.__doc__ or "").strip().split("\n", 1)[0]
    return format_html("<b>{}</b>: {}", choice.cls.title, doc[:1].lower() + doc[1:])


def _input_words(form: NewCrawlForm) -> str:
    """Where the inputs of the strategy would come from."""
    choice = form.selected_strategy
    try:
        built = choice.cls.build(form.parameters()) if choice else None
        expected = expected_origins(form.topic, built.all_needs()) if built else {}
    except (BadParameter, BadWebFile):
        return ""
    words = "; ".join(origin_words(expected).values())
    return format_html("It is given {}.", words) if words else ""


def _learning(form: NewCrawlForm) -> str:
    crawl = form.chosen_earlier
    if crawl is None:
        return ""
    pages = number_of(crawl.pages, "page")
    return format_html("It learns from crawl <b>#{}</b>, its {}.", crawl.pk, pages)


def _judging(form: NewCrawlForm) -> str:
    if form["judge"].value() == "lc":
        return _judging_by_all(form.topic)
    examples = form.examples["evaluation"].all
    if not examples and (form.topic.quality or {}).get("judged_by") == "none":
        return format_html(
            "Pages are <b>not judged</b>: the topic has too few examples on it and off it. Each has"
            ' its topicality, by which the list is ordered. <a href="{}#id_positives">Add'
            " examples</a>",
            reverse("topic:edit", args=[form.topic.pk]),
        )
    if not examples:
        return format_html(
            "Pages are judged by the <b>same classifier that steers</b>: the harvest looks better"
            ' than it is. <a href="{}#id_evaluation_positives">Add judge’s examples</a>',
            reverse("topic:edit", args=[form.topic.pk]),
        )
    return format_html(
        "Every page is judged by models trained on your <b>{}</b>, not by the one that steers.",
        number_of(examples, "evaluation example"),
    )


def _judging_by_all(topic: Topic) -> str:
    """LC's judges, and how many of the targets they can learn from now."""
    own = "Every page is judged by a committee trained on all your examples, those that steer too"
    gathered, targets = pages_at_hand(topic)
    if not targets:
        return f"{own}; the topic has no targets to add."
    if gathered == targets:
        return format_html(f"{own}, and on <b>{{}}</b>.", number_of(targets, "target"))
    return format_html(
        own + ', and on <b>{} of {}</b> whose pages are here. <a href="{}#topic-targets">'
        "Fetch the others</a> before you start.",
        gathered,
        number_of(targets, "target"),
        reverse("topic:detail", args=[topic.pk]),
    )


def _recall(form: NewCrawlForm) -> str:
    targets = form.targets
    if not targets:
        return "Recall is not measured: the topic has no targets."
    sentence = "Recall is measured on <b>{}</b>, none of them a seed or an example."
    return format_html(sentence, number_of(targets, "target"))


def _stopping(form: NewCrawlForm) -> str:
    """The stop rules of the crawl besides its budget."""
    limits = [(rule, form.cleaned_data.get(rule.name)) for rule in STOP_RULES]
    ends = [rule.ends(limit) for rule, limit in limits if limit]
    return format_html("It ends earlier <b>{}</b>.", " or ".join(ends)) if ends else ""


def _changed(form: NewCrawlForm) -> str:
    """The parameters that are not at their default, with their values."""
    strategy = form.selected_strategy.id if form.selected_strategy else ""
    changes = [
        f"{label_of(strategy, p)}: {choice_words(p.name, value) if p.choices else value}"
        for p, value in form.changed_parameters()
    ]
    return format_html("Changed: {}.", "; ".join(changes)) if changes else ""


def _fold(form: NewCrawlForm) -> str:
    """`Learner has 6; all as shipped. Random seed 63731`."""
    choice, seed = form.selected_strategy, form.cleaned_data.get("random_seed")
    parts = [] if seed is None else [f"Random seed {seed}"]
    if choice is not None and choice.parameters:
        changed = len(form.changed_parameters())
        how = f"{changed:,} changed" if changed else "all as shipped"
        parts.insert(0, f"{choice.cls.title} has {len(choice.parameters):,}; {how}")
    return ". ".join(parts)


def _parents(form: NewCrawlForm) -> str:
    """How scores of several links to one page are combined: a parent policy applies only where
    links, not whole addresses, have scores."""
    if form.selected_strategy and form.selected_strategy.cls.scores == "urls":
        return "Where several pages link to one, the strategy weighs them in its own way."
    policy = POLICIES.get(str(form["parent_policy"].value()))
    sentence = "Where several pages link to one, <b>{}</b> counts."
    return format_html(sentence, policy.title) if policy else ""


def _pick_order(form: NewCrawlForm) -> str:
    order = ORDERS.get(str(form["pick_order"].value()))
    return format_html("Pages are fetched <b>{}</b>.", order.title) if order else ""


def _order(form: NewCrawlForm) -> str:
    """The random seed, and what it determines on this web."""
    seed = form.cleaned_data.get("random_seed")
    if seed is None:
        return ""
    again = "the same crawl again, page for page" if form.chosen_web else "the same order of ties"
    return format_html("Random seed <b>{}</b> gives {}.", seed, again)


def _warnings(form: NewCrawlForm) -> Iterator[str]:
    if is_at_chance(form.topic):
        yield " ".join(ADVICE["at_chance"])
    elif has_gathered_negatives_only(form.topic):
        yield " ".join(ADVICE["gathered_only"])
    failed = sum(each.failed for each in form.examples.values())
    if failed:
        were = "was" if failed == 1 else "were"
        yield f"{number_of(failed, 'example')} {were} not fetched and will be left out of training."
    f1 = guiding_f1(form.topic)
    learns = form.selected_strategy is not None and bool(LEARN & form.selected_strategy.cls.needs)
    if learns and f1 is not None and f1 < WEAK_F1 and not is_at_chance(form.topic):
        yield (
            f"The classifier is weak: F1 {score(f1)}. Add examples to the topic, or label pages "
            "while the crawl runs."
        )
    waiting = sum(each.waiting for each in form.examples.values())
    if waiting:
        yield f"{number_of(waiting, 'example')} not fetched yet; a crawl started now ignores them."
    if not form.seed_urls:
        yield "The topic has no seeds: there is nothing to start from."


def _command(form: NewCrawlForm) -> str:
    """`crawlsite crawl …`, one option a line, without defaults."""
    data, web = form.cleaned_data, form.chosen_web
    lines = [f"crawlsite crawl {shlex.quote(form.topic.name)}"]
    lines.append(f"--strategy {form.selected_strategy.id if form.selected_strategy else '…'}")
    lines += [f"--set {shlex.quote(f'{p.name}={value}')}" for p, value in form.changed_parameters()]
    lines.append(f"--pages {data.get('budget', '…')}")
    if data.get("hours"):
        lines.append(f"--hours {_exact(data['hours'])}")
    if data.get("recall"):
        lines.append(f"--recall {_exact(data['recall'])}")
    if data.get("slope"):
        lines.append(f"--slope {_exact(data['slope'])}")
    if web is not None:
        over = "" if form.source == source_of(web) else f" --over {form.source.over}"
        lines.append(f"--web {shlex.quote(web.name)}" + over)
    elif form.topic.web is not None and form.topic.web.is_recorded:
        lines.append(f"--web {LIVE}")
    for option, name in _CHOICES.items():
        preset = CrawlSettings.model_fields[name].default
        if data.get(name, preset) != preset:
            lines.append(f"--{option} {data[name]}")
    lines += _rules(form)
    if form.chosen_earlier is not None:
        lines.append(f"--earlier {form.chosen_earlier.pk}")
    lines.append(f"--seed-value {data.get('random_seed', '…')}")
    return " \\\n  ".join(lines)


def _exact(number: float) -> str:
    """The number with all its digits, and no decimal point if it is whole."""
    return f"{number:.15g}"


_CHOICES = {"parents": "parent_policy", "order": "pick_order", "judge": "judge"}
_LISTS = {
    "only-host": "allow_hosts",
    "never-host": "deny_hosts",
    "never": "deny_patterns",
    "only": "allow_patterns",
}
_LIMITS = {
    "depth": "depth",
    "host-pages": "pages_per_host",
    "waiting": "frontier_cap",
    "links": "links_per_page",
    "listed": "listed_per_host",
    "delay": "delay",
    "at-once": "concurrent",
    "hosts-per-domain": "hosts_per_domain",
    "hosts-per-address": "hosts_per_address",
    "redirects": "redirects",
    "page-kb": "page_kb",
    "pace": "pages_per_second",
}


def _rules(form: NewCrawlForm) -> Iterator[str]:
    """The options of scope and politeness."""
    scope, data = form.scope(), form.cleaned_data
    for option, name in _LISTS.items():
        # With a sign between, since a word may begin with a dash.
        yield from (f"--{option}={shlex.quote(word)}" for word in scope[name])
    if scope["reach"] != Reach.ALL:
        yield f"--reach={scope['reach']}"
    yield from (f"--header={shlex.quote(line)}" for line in data.get("headers") or ())
    if contact := data.get("contact"):
        yield f"--contact={shlex.quote(contact)}"
    for option, name in _LIMITS.items():
        if (limit := data.get(name)) is not None:
            yield f"--{option} {_exact(limit)}"
    if not data.get("site_lists"):
        yield "--no-sitemaps"
    if not data.get("obey_robots"):
        yield "--ignore-robots"
    if form.source.is_live and not scope["documents"]:
        yield "--no-documents"
    yield from (f"--language {code}" for code in scope["languages"])
    if scope["main_text"]:
        yield "--main-text"
    if scope["opt_out_files"]:
        yield "--opt-out-files"
    if scope["obey_opt_outs"]:
        yield "--obey-opt-outs"
    if scope["render"]:
        yield "--render"
