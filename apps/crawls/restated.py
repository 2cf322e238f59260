"""A form's choices said back in sentences, and as the command that does the same."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html

from apps.crawls.forms import NewCrawlForm
from apps.crawls.models import Crawl, Web
from apps.crawls.scope_fields import THESE
from apps.dashboard.quantities import roughly, score
from apps.engine.errors import BadParameter, BadWebFile
from apps.engine.intelligence.quality import WEAK_F1
from apps.engine.model import Need
from apps.topics.classifier_view import guiding_f1
from apps.topics.models import Example
from apps.topics.provenance import source_words
from apps.topics.supplies import outlook

DEFAULT_PAUSE = {"live": "2 s", "served": "0.05 s"}
LAST_CRAWLS = 5
LEAST_PAGES = 100  # of a crawl whose speed is told of


@dataclass(frozen=True, slots=True)
class Restated:
    """`sentences` (HTML) in the order of the form, `warnings` that forbid nothing, `command`."""

    sentences: tuple[str, ...]
    warnings: tuple[str, ...]
    command: str


def restated(form: NewCrawlForm) -> Restated:
    """What the form says now; a new one is read as if its initial values had been sent."""
    if not form.is_bound:
        form = NewCrawlForm(form.topic, initial_data(form))
    form.is_valid()
    said = (_start(form), _scoring(form), _given(form), _learning(form), _judging(form),
            _recall(form), _scope(form), _time(form))
    return Restated(
        sentences=(*(sentence for sentence in said if sentence), _manners(form)),
        warnings=tuple(_warnings(form)),
        command=_command(form),
    )


def initial_data(form: NewCrawlForm) -> dict[str, Any]:
    """A new form's initial values by field."""
    values = {name: form.get_initial_for_field(f, name) for name, f in form.fields.items()}
    return {name: value for name, value in values.items() if value not in (None, False)}


def _start(form: NewCrawlForm) -> str:
    budget = form.cleaned_data.get("budget")
    return format_html(
        "Starting from <b>{}</b>, {} fetched from {}; never one more.",
        _number(form.topic.seeds.count(), "seed"),
        format_html("up to <b>{} pages</b> are", f"{budget:,}") if budget else "pages are",
        _where(form),
    )


def _where(form: NewCrawlForm) -> str:
    web = form.chosen_web
    if web is None:
        return format_html("the <b>{} web</b>", "live")
    over = " over HTTP" if _over_http(form) else ""
    return format_html("the recorded web <b>{}</b>{}", web.name, over)


def _scoring(form: NewCrawlForm) -> str:
    choice = form.chosen
    if choice is None:
        return ""
    doc = (choice.cls.__doc__ or "").strip().split("\n", 1)[0]
    return format_html("<b>{}</b>: {}", choice.cls.title, doc[:1].lower() + doc[1:])


def _given(form: NewCrawlForm) -> str:
    """Where what the strategy needs would come from."""
    choice = form.chosen
    try:
        built = choice.cls.build(form.parameters()) if choice else None
        told = outlook(form.topic, built.needed()) if built else {}
    except (BadParameter, BadWebFile):
        return ""
    words = "; ".join(source_words(name, part) for name, part in told.items())
    return format_html("It is given {}.", words) if words else ""


def _learning(form: NewCrawlForm) -> str:
    crawl = form.chosen_earlier
    if crawl is None:
        return ""
    pages = _number(crawl.pages, "page")
    return format_html("It learns from crawl <b>#{}</b>, its {}.", crawl.pk, pages)


def _judging(form: NewCrawlForm) -> str:
    if form["judge"].value() == "lc":
        return "Every page is judged by a committee trained on all your examples."
    examples = form.topic.examples.filter(role=Example.Role.EVALUATE).count()
    if not examples:
        return "Pages are judged by the classifier that steers: the topic has no other examples."
    return format_html(
        "Every page is judged by models trained on your <b>{}</b>, not by the one that steers.",
        _number(examples, "evaluation example"),
    )


def _recall(form: NewCrawlForm) -> str:
    targets = form.topic.targets.count()
    if not targets:
        return "Recall is not measured: the topic has no targets."
    sentence = "Recall is measured on <b>{}</b>, none of them a seed or an example."
    return format_html(sentence, _number(targets, "target"))


def _time(form: NewCrawlForm) -> str:
    """How long it takes at the speeds of the owner's last crawls of that web; empty without."""
    web, budget = form.chosen_web, form.cleaned_data.get("budget")
    over = Crawl.Over.HTTP if _over_http(form) else Crawl.Over.RECORD
    alike = Crawl.objects.filter(owner=form.topic.owner, over=over, pages__gte=LEAST_PAGES)
    alike = alike.filter(web=web) if web else alike.filter(web__source=Web.Source.LIVE)
    last = list(alike.order_by("-pk").values_list("seconds", "pages")[:LAST_CRAWLS])
    if not (last and budget):
        return ""
    times = sorted({seconds / pages * budget for seconds, pages in last})
    words = " to ".join(dict.fromkeys((roughly(times[0]), roughly(times[-1]))))
    crawls = "crawl" if len(last) == 1 else f"{len(last)} crawls"
    return format_html("It takes <b>{}</b> at the speed of your last {} there.", words, crawls)


def _scope(form: NewCrawlForm) -> str:
    scope = form.scope()
    hosts = scope["allow_hosts"]
    rules = ["Links to any host are followed"]
    if hosts:
        rules = [f"Only links to {_number(len(hosts), 'host')} are followed"]
    elif form["follow"].value() == THESE:
        rules = ["Only links to the hosts you name are followed"]
    if scope["depth"] is not None:
        rules.append(f"at most {_number(scope['depth'], 'link')} away from a seed")
    if scope["pages_per_host"] is not None:
        rules.append(f"at most {_number(scope['pages_per_host'], 'page')} of one host")
    if scope["frontier_cap"] is not None:
        rules.append(f"at most {_number(scope['frontier_cap'], 'link')} wait")
    never = [*scope["deny_hosts"], *scope["deny_patterns"]]
    if never:
        rules.append(f"never {', '.join(never)}")
    return format_html("{}.", ", ".join(rules))


def _manners(form: NewCrawlForm) -> str:
    robots = form.cleaned_data.get("obey_robots")
    obeyed = "robots.txt is obeyed" if robots else "robots.txt is not read"
    if form.chosen_web is not None and not _over_http(form):
        return f"Nobody is asked for anything, so there are no pauses; {obeyed}."
    delay = form.cleaned_data.get("delay")
    default = DEFAULT_PAUSE["live" if form.chosen_web is None else "served"]
    pause = default if delay is None else f"{delay:g} s"
    return f"No host is asked more than once in {pause}; {obeyed}."


def _warnings(form: NewCrawlForm) -> Iterator[str]:
    failed = form.topic.examples.filter(fetch=Example.Fetch.FAILED).count()
    if failed:
        were = "was" if failed == 1 else "were"
        yield f"{_number(failed, 'example')} {were} not fetched and will be left out of training."
    f1 = guiding_f1(form.topic)
    learns = form.chosen is not None and Need.EXAMPLES in form.chosen.cls.needs
    if learns and f1 is not None and f1 < WEAK_F1:
        yield (f"The classifier is weak: F1 {score(f1)}. Add examples to the topic, or label pages "
               "while the crawl runs.")
    waiting = form.topic.examples.filter(fetch=Example.Fetch.WAITING).count()
    if waiting:
        yield f"{_number(waiting, 'example')} not fetched yet; a crawl started now does without."
    if not form.topic.seeds.exists():
        yield "The topic has no seeds: there is nothing to start from."


def _command(form: NewCrawlForm) -> str:
    """`manage.py crawl …`, a line an option; what is at its default is left out."""
    data, web = form.cleaned_data, form.chosen_web
    lines = [f"manage.py crawl {shlex.quote(form.topic.name)}"]
    lines.append(f"--strategy {form.chosen.id if form.chosen else '…'}")
    lines += [f"--set {p.name}={value}" for p, value in form.changed_parameters()]
    lines.append(f"--pages {data.get('budget', '…')}")
    if web is not None:
        lines.append(f"--web {shlex.quote(web.name)}" + (" --over http" * _over_http(form)))
    if form.chosen_earlier is not None:
        lines.append(f"--earlier {form.chosen_earlier.pk}")
    lines.append(f"--seed-value {data.get('random_seed', '…')}")
    return " \\\n  ".join(lines)


def _over_http(form: NewCrawlForm) -> bool:
    web: Web | None = form.chosen_web
    return web is None or bool(form.cleaned_data.get("over_http"))


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
