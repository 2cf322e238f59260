"""The engine's codes in words: what happened, and what to do about it.

Templates are filled from a crawl's row and its `reason_details`. A test compares this catalogue
with the codes of the engine.
"""

from __future__ import annotations

from dataclasses import dataclass

from apps.crawls.inputs.needs import strategy_needs
from apps.crawls.lifecycle.lease import is_unanswered
from apps.crawls.load import CrawlLoad
from apps.crawls.measures.estimates import RecallInterval
from apps.crawls.models import Crawl
from apps.crawls.script_warnings import script_warning
from apps.crawls.selectors import queue_position
from apps.engine.codes import Bottleneck, Exclusion, Need, State, StopReason
from apps.engine.evaluation.target_recall import TargetRecall, estimated_recall
from apps.figures.quantities import number_of
from apps.topics.messages import ADVICE
from apps.topics.selectors import is_at_chance
from apps.webs.messages import failure_words

NO_WORKER = "no worker answers. Start one: manage.py up"


@dataclass(frozen=True, slots=True)
class StateWords:
    """A crawl's state in words: `reason` is a sentence, `action` the next thing to do.

    `outlook` warns of pages that cannot be judged; of a crawl that ended with links waiting it says
    how much was probably missed.
    """

    state: str
    reason: str
    action: str
    action_label: str
    outlook: str = ""

    @property
    def in_full(self) -> str:
        """`finished: budget reached: … About 82 % …`: state, reason and outlook."""
        return f"{self.state}: {self.reason} {self.outlook}".rstrip()


NAMED_SEEDS = 3

REASONS: dict[StopReason, tuple[str, str, str]] = {
    StopReason.WAITING_FOR_A_WORKER: ("waiting for a worker; it starts by itself", "", ""),
    StopReason.LEARNING: ("learning as it goes", "pause", "Pause"),
    StopReason.BUDGET_REACHED: (
        "budget reached: {pages:,} of {budget:,} pages; {waiting:,} links still wait.",
        "budget",
        "Raise budget",
    ),
    StopReason.REQUEST_LIMIT: (
        "request limit reached: {requests:,} requests gave {fetched}. "
        "Look at the fetch errors; raise the budget to go on.",
        "budget",
        "Raise budget",
    ),
    StopReason.HOURS_REACHED: (
        "time limit reached: {hours:g} hours at work gave {fetched}.",
        "hours",
        "Raise time limit",
    ),
    StopReason.RECALL_ESTIMATE_REACHED: (
        "estimated recall reached after {fetched}{targets}.",
        "recall",
        "Raise recall limit",
    ),
    StopReason.LITTLE_LEFT: (
        "little is left after {fetched}: the next 1,000 requests should add fewer than {slope:g} "
        "relevant pages.",
        "slope",
        "Change the limit",
    ),
    StopReason.FRONTIER_EMPTY: (
        "frontier empty after {fetched}. Add seeds or widen the scope.",
        "seeds",
        "Add seeds",
    ),
    StopReason.PAUSED_BY_USER: (
        "at page {pages:,}. No requests are sent; the frontier is kept.",
        "resume",
        "Continue",
    ),
    StopReason.STOPPED_BY_USER: (
        "stopped at page {pages:,}. It can be continued.",
        "resume",
        "Continue",
    ),
    StopReason.DISK_FULL: (
        "disk nearly full. Free some space, then continue.",
        "resume",
        "Check again",
    ),
    StopReason.STORE_DOWN: (
        "{detail}. Nothing is lost; when the store is back, continue.",
        "resume",
        "Check again",
    ),
    StopReason.NO_NETWORK: (
        "no network: no host could be reached. Continue when it is back.",
        "resume",
        "Continue",
    ),
    StopReason.WEB_NOT_SERVED: (
        "the server of {web} does not answer. Start `crawlsite serve_web {web}`, then continue.",
        "resume",
        "Try again",
    ),
    StopReason.ALL_HOSTS_BLOCKED: (
        "every host with waiting links refuses the crawler, asked for a long pause or is excluded. "
        "The pages fetched are kept.",
        "resume",
        "Try again",
    ),
    StopReason.NO_SEEDS: (
        "no seed gave a page{failed_seeds}. Add seeds that can be fetched.",
        "seeds",
        "Add seeds",
    ),
    StopReason.NEEDS_MISSING: (
        "the strategy needs {need_words}, which the topic lacks. Add them, or choose another "
        "strategy.",
        "topic",
        "Open the topic",
    ),
    StopReason.NO_COUNTED_TARGETS: (
        "it was not begun. {detail}",
        "topic",
        "Open the topic",
    ),
    StopReason.PAGES_UNREADABLE: (
        "pages that it starts from cannot be read: {detail}. Upload the web again, or fetch the "
        "topic’s examples again; then try again.",
        "resume",
        "Try again",
    ),
    StopReason.ENGINE_ERROR: (
        "an internal error stopped it ({code}: {detail}). Its pages are kept; continue to try "
        "again.",
        "resume",
        "Try again",
    ),
}

EXCLUSIONS: dict[Exclusion, str] = {
    Exclusion.SCHEME: "not http or https",
    Exclusion.HOST_DENIED: "host excluded by the scope",
    Exclusion.HOST_NOT_ALLOWED: "host not among those allowed",
    Exclusion.PATTERN: "matches an excluded pattern",
    Exclusion.EXTENSION: "file type is not text",
    Exclusion.DEPTH: "too far from the seeds",
    Exclusion.HOST_LIMIT: "enough pages of that host",
    Exclusion.TRAP: "spider trap",
    Exclusion.REJECTED_BY_STRATEGY: "rejected by the strategy",
    Exclusion.FRONTIER_CAP: "frontier is full",
    Exclusion.ALIAS: "same page as another address",
    Exclusion.PATTERN_NOT_ALLOWED: "matches no allowed pattern",
    Exclusion.HOST_OUT: "host is out in the topic",
    Exclusion.HOST_NOT_IN: "too far from the hosts that are in",
    Exclusion.NOT_DUE: "not due at this visit",
}


BOTTLENECKS: dict[Bottleneck, tuple[str, str]] = {
    Bottleneck.COORDINATOR: ("coordinator", "the coordinator, always busy"),
    Bottleneck.COMMITS: ("commits", "the coordinator’s commits: the database or its disk"),
    Bottleneck.AGENTS: ("agents", "agents, always busy"),
    Bottleneck.POLITENESS: ("politeness", "politeness: {hosts} at {delay}"),
    Bottleneck.ROBOTS: ("robots.txt", "waits for robots.txt of {robots}"),
    Bottleneck.ANSWERS: ("hosts’ answers", "answers of {under_way}, one request at a time each"),
    Bottleneck.AT_ONCE: ("requests at once", "requests at once: all {load.allowed} are under way"),
    Bottleneck.PACE: ("pace", "the pace asked for{pace}"),
    Bottleneck.BUDGET: ("budget", "the budget: its last requests are under way"),
    Bottleneck.FRONTIER: ("frontier", "the frontier: every link is under way"),
    Bottleneck.UNKNOWN: ("not known", "not known: nothing has been measured yet"),
}
"""Each bottleneck by name, and in words filled from a crawl's load."""


@dataclass(frozen=True, slots=True)
class LimitWords:
    """The name of a crawl's bottleneck and a sentence about it; `wants_agents` if one more agent
    would help."""

    name: str
    words: str
    wants_agents: bool


def limit_words(crawl: Crawl) -> LimitWords:
    """The bottleneck of a running crawl, by its latest commits.

    A coordinator with agents does itself what only it can do; without any it fetches, too.
    """
    load = CrawlLoad.of(crawl.load)
    bottleneck = Bottleneck(load.bottleneck)
    name, words = BOTTLENECKS[bottleneck]
    delays = dict.fromkeys(f"{delay:g}" for delay in (load.least_delay, load.most_delay))
    rate = crawl.politeness.get("pages_per_second")
    alone = bottleneck is Bottleneck.COORDINATOR and not crawl.agents + crawl.lent_agents
    filled = words.format(
        load=load,
        hosts=number_of(load.resting + load.under_way, "host"),
        robots=number_of(load.robots, "host"),
        under_way=number_of(load.under_way, "host"),
        delay=f"{' to '.join(delays)} s",
        pace=f": {rate:g} pages/s" if rate else "",
    )
    if alone:
        filled = "the coordinator, which fetches alone"
    return LimitWords(name, filled, alone or bottleneck is Bottleneck.AGENTS)


def state_words(crawl: Crawl) -> StateWords:
    """The words of the crawl's state: pill, reason and button."""
    if crawl.state == State.DRAFT:
        return StateWords(crawl.state, "not started.", "start", "Start")
    if crawl.state == State.STOPPING:
        return StateWords(crawl.state, "finishing the requests under way; a few seconds.", "", "")
    template, action, label = REASONS[StopReason(crawl.reason)]
    if crawl.state == State.RUNNING and crawl.desired == Crawl.Desired.PAUSE:
        template, action = "pausing: finishing the requests under way.", ""
    script = script_warning(crawl)
    warning = script or chance_warning(crawl)
    if script and crawl.reason == StopReason.FRONTIER_EMPTY:
        template, warning = f"frontier empty after {{fetched}}. {script}", ""
    return StateWords(
        crawl.state,
        _waiting_words(crawl) or _fill(template, crawl),
        action,
        label if action else "",
        f"{warning} {_outlook(crawl)}".strip(),
    )


def _waiting_words(crawl: Crawl) -> str:
    """What the crawl waits for before its first request; empty once it runs."""
    if is_unanswered(crawl):
        return NO_WORKER
    if crawl.state == State.QUEUED and crawl.runner:
        return "preparing: a worker reads what its topic gives it and trains its models"
    if ahead := queue_position(crawl):
        noun = "crawl is" if ahead == 1 else "crawls are"
        return f"waiting for a worker: {ahead} {noun} ahead; it starts by itself"
    return ""


def chance_warning(crawl: Crawl) -> str:
    """A warning that the pages are not judged, because the classifier is no better than chance;
    else empty."""
    if crawl.judged_by != "none" or not crawl.pages or not is_at_chance(crawl.topic):
        return ""
    return "Pages are not judged: " + " ".join(ADVICE["at_chance"])


def _failed_seeds(crawl: Crawl) -> str:
    """`: http://a.test/ (host unknown), http://b.test/ (404 not found) and 3 more`."""
    last = {failed.url: failed.kind for failed in crawl.failed_requests.order_by("request")}
    named = [f"{url[:200]} ({failure_words(kind)})" for url, kind in last.items()][:NAMED_SEEDS]
    more = [f"{len(last) - len(named):,} more"] if len(last) > len(named) else []
    return ": " + " and ".join([", ".join(named), *more]) if named else ""


def _targets_reached(crawl: Crawl) -> str:
    """`: 8 of 10 targets found. If they …`; empty without targets."""
    reached, targets = (int(crawl.metrics.get(name) or 0) for name in TargetRecall.more)
    between = estimated_recall(reached, targets)
    if between is None:
        return ""
    low, high = between
    return (
        f": {reached:,} of {targets:,} targets found. If they are a fair sample, {low:.0%} to "
        f"{high:.0%} of the relevant pages are found"
    )


def _outlook(crawl: Crawl) -> str:
    estimated = RecallInterval.of(crawl.metrics) if crawl.state == State.FINISHED else None
    if estimated is None or not crawl.waiting:
        return ""
    words = estimated.words()
    return f"{words[0].upper()}{words[1:]}."


def _fill(words: str, crawl: Crawl) -> str:
    details = crawl.reason_details
    need = details.get("need")
    return words.format(
        pages=crawl.pages,
        fetched=number_of(crawl.pages, "page"),
        budget=crawl.budget,
        hours=crawl.hours or 0,
        slope=crawl.slope or 0,
        targets=_targets_reached(crawl)
        if crawl.reason == StopReason.RECALL_ESTIMATE_REACHED
        else "",
        waiting=crawl.waiting,
        requests=crawl.requests,
        need_words=strategy_needs()[Need(need)].words if need else "something",
        web=details.get("web", ""),
        code=details.get("code", ""),
        detail=details.get("detail", ""),
        failed_seeds=_failed_seeds(crawl) if crawl.reason == StopReason.NO_SEEDS else "",
    )
