"""`crawlsite watch`: the watches and their visits, at any moment."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Max
from django.utils import timezone

from apps.jobs.tables import make_tables
from apps.topics.management.named import topic_named
from apps.topics.models import Topic
from apps.watches import selectors, services
from apps.watches.errors import WatchRefused
from apps.watches.foreground import run_due, run_visit, send_digests
from apps.watches.models import SearchNews, Watch, WatchVisit

ACTIONS = ("list", "start", "run", "visit", "pause", "resume", "next", "delete")
SETTINGS = ("rhythm", "hours", "cron", "time_zone", "requests", "versions")


class Command(BaseCommand):
    help = (
        "Watches topics: list them, start, pause, resume or delete one, run the visits that are due"
        " in the foreground (run), make one at once (visit), or show the next ones (next)."
    )
    requires_system_checks = ["crawlsite"]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", nargs="?", choices=ACTIONS, default="list")
        parser.add_argument("topic", nargs="?", help="a topic’s name or number")
        parser.add_argument(
            "--at", type=_moment, metavar="TIME", help="take this for the present moment (ISO 8601)"
        )
        parser.add_argument("--rhythm", choices=Watch.Rhythm.values)
        parser.add_argument("--hours", type=int, metavar="N", help="hours between two visits")
        parser.add_argument("--cron", metavar="LINE", help="a cron expression of five fields")
        parser.add_argument("--time-zone", metavar="ZONE", help="the time zone of --cron")
        parser.add_argument("--requests", type=int, metavar="N", help="the most requests a visit")
        parser.add_argument("--versions", type=int, metavar="N", help="the most versions of a page")

    def handle(self, *args: Any, **options: Any) -> None:
        make_tables()
        now = options["at"] or timezone.now()
        action, named = options["action"], options["topic"]
        try:
            if action == "list":
                self._list()
            elif action == "run":
                self._run(now, _watch_of(named) if named else None)
            elif not named:
                raise CommandError(f"Name a topic: crawlsite watch {action} TOPIC")
            elif action == "start":
                self._start(topic_named(named), now, options)
            else:
                self._act(action, _watch_of(named), now)
        except WatchRefused as refused:
            raise CommandError(f"{refused.field}: {refused.message}") from None

    def _list(self) -> None:
        watches = Watch.objects.select_related("topic").order_by("pk")
        for watch in watches:
            self.stdout.write(_line(watch))
        if not watches:
            self.stderr.write("No topic is watched. Start with: crawlsite watch start TOPIC")

    def _start(self, topic: Topic, now: datetime, options: dict[str, Any]) -> None:
        given = {name: options[name] for name in SETTINGS if options[name] is not None}
        if "rhythm" not in given and ("cron" in given or "hours" in given):
            given["rhythm"] = "cron" if "cron" in given else "hours"
        watch = services.start_watch(topic, topic.owner, now, **given)
        self.stdout.write(_line(watch))

    def _run(self, now: datetime, watch: Watch | None) -> None:
        visits = run_due(now, watch)
        for visit in visits:
            self.stdout.write(_visit_line(visit))
        if not visits:
            self.stderr.write("No visit is due.")
        self._send(now)

    def _send(self, now: datetime) -> None:
        before = SearchNews.objects.aggregate(pk=Max("pk"))["pk"] or 0
        for delivery in send_digests(now):
            last = delivery.log.first()
            to = delivery.subscription
            answer = last.answer if last else delivery.job_problem
            self.stdout.write(f"digest by {to.carrier} to {to.target}: {answer}")
        for news in SearchNews.objects.filter(pk__gt=before).select_related("person"):
            self.stdout.write(f"{len(news.seen):,} in “{news.name}” of {news.person.username}")

    def _act(self, action: str, watch: Watch, now: datetime) -> None:
        if action == "visit":
            self.stdout.write(_visit_line(run_visit(services.visit_now(watch, now))))
            self._send(now)
            return
        if action == "pause":
            services.pause_watch(watch)
        elif action == "resume":
            services.resume_watch(watch, now)
        elif action == "delete":
            services.delete_watch(watch, watch.owner)
            self.stdout.write(f"{watch.topic} is no longer watched; its pages stay.")
            return
        elif action == "next":
            for moment in selectors.coming_visits(watch, now, 3):
                self.stdout.write(f"{moment:%Y-%m-%d %H:%M} UTC")
        self.stdout.write(_line(watch))


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _watch_of(text: str) -> Watch:
    topic = topic_named(text)
    watch = selectors.watch_of(topic)
    if watch is None:
        raise CommandError(f"{topic} is not watched: crawlsite watch start {topic.pk}")
    return watch


def _line(watch: Watch) -> str:
    coming = f"next visit {watch.next_visit_at:%Y-%m-%d %H:%M} UTC" if watch.next_visit_at else ""
    state = "paused" if watch.is_paused else coming or "ended"
    problem = f" · {watch.problem}" if watch.problem else ""
    pages = watch.pages.filter(is_watched=True).count()
    return (
        f"#{watch.pk} {watch.topic} · {watch.visits} visits, {pages:,} pages · at most"
        f" {watch.requests:,} requests a visit · {state}{problem}"
    )


def _visit_line(visit: WatchVisit) -> str:
    return (
        f"visit {visit.number} of {visit.watch.topic}: {visit.requests:,} requests ·"
        f" {visit.new_pages} new, {visit.changed_pages} changed, {visit.gone_pages} gone,"
        f" {visit.same_pages} the same, {visit.not_reached_pages} not reached"
        f"{' · ' + visit.problem if visit.problem else ''}"
    )
