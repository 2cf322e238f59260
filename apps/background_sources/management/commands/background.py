"""`crawlsite background`: backgrounds listed, built here, and chosen for a topic."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.files import File
from django.core.management.base import BaseCommand, CommandError

from apps.accounts.services import ensure_owner
from apps.background_sources import services
from apps.background_sources.services import BackgroundSent
from apps.background_sources.tasks import build
from apps.backgrounds.models import Background, BackgroundVersion
from apps.jobs import queue
from apps.jobs.bar import progress_bar
from apps.jobs.models import Job
from apps.jobs.tables import make_tables
from apps.schemas.refused import Refused
from apps.topics import tasks
from apps.topics.models import Topic
from apps.topics.services import choose_background
from apps.webs.models import Web


class Command(BaseCommand):
    help = (
        "Without a source: list the backgrounds. With one: build a background in this process"
        " (topics: examples of topics; web: a sample of a recorded web; crawls: pages of crawls;"
        " corpus: texts of a file; addresses: pages fetched politely). Options are set by --set"
        " name=value: web (a name), size, seed, crawls and addresses (with commas), further. With"
        " --topic: give it to that topic, or `none` or `drawn` as --name, and --hold-out says what"
        " becomes of targets that lie in it. Answers with JSON."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", nargs="?", choices=list(services.buildable()))
        parser.add_argument("--name", default="", help="its name (default: that of its source)")
        parser.add_argument("--set", nargs="+", default=[], metavar="NAME=VALUE")
        parser.add_argument("--file", type=Path, help="a file of texts, or of addresses")
        parser.add_argument("--topic", metavar="NAME", help="the topic that is to use it")
        parser.add_argument(
            "--hold-out",
            choices=Topic.HoldOut.values,
            default="",
            help="with --topic: take targets out of it by their addresses, or draw it regardless of"
            " labels and count only targets outside it",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        make_tables()
        owner = ensure_owner()
        try:
            if options["source"]:
                background = self._build(owner, options)
                if options["topic"]:
                    _give(owner, options["topic"], background.name, options["hold_out"])
            elif options["topic"]:
                _give(owner, options["topic"], options["name"], options["hold_out"])
        except Refused as refused:
            raise CommandError(str(refused)) from None
        rows = [_row(background) for background in Background.objects.select_related("owner")]
        self.stdout.write(json.dumps(rows, ensure_ascii=False, indent=1))

    def _build(self, owner: User, options: dict[str, Any]) -> Background:
        sent = BackgroundSent.read(
            {
                "name": options["name"],
                "source": options["source"],
                "options": _options(options),
            }
        )
        if sent.source == "corpus" and options["file"]:
            with _opened(options["file"]) as file:
                made = services.make_background(owner, sent, file)
        else:
            made = services.make_background(owner, sent)
        version = made.newest
        assert version is not None
        _build_here(version)
        version.refresh_from_db()
        if version.job_state != Job.State.DONE:
            problem = version.job_problem
            services.delete_background(made)
            raise CommandError(problem)
        return made


def _build_here(version: BackgroundVersion) -> None:
    queue.claim_here(version)
    with progress_bar(unit="text") as bar:

        def report(done: int, wanted: int) -> None:
            bar.total = wanted
            bar.update(done - bar.n)

        build(version, report)


def _opened(path: Path) -> File[bytes]:
    try:
        return File(path.open("rb"), name=path.name)
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None


def _options(options: dict[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for pair in options["set"]:
        name, equals, value = pair.partition("=")
        if not equals:
            raise CommandError(f"{pair}: write name=value.")
        values[name] = _value(name, value)
    if options["source"] == "addresses" and options["file"]:
        with _opened(options["file"]) as file:
            values["addresses"] = file.read().decode("utf-8", "replace").split()
    return values


def _value(name: str, value: str) -> Any:
    if name == "web":
        web = Web.objects.filter(name=value).first()
        if web is None:
            raise CommandError(f"There is no web {value}.")
        return web.pk if web.is_recorded else None
    if name in ("crawls", "addresses"):
        parts = [part for part in value.split(",") if part]
        return [int(part) if name == "crawls" and part.isdecimal() else part for part in parts]
    return int(value) if value.isdecimal() else value


def _give(owner: User, topic_name: str, name: str, hold_out: str) -> None:
    topic = Topic.objects.filter(owner=owner, name=topic_name).first()
    if topic is None:
        raise CommandError(f"There is no topic {topic_name}.")
    if name in Topic.BackgroundUse.values:
        choose_background(topic, None, name, hold_out)
    elif hold_out and not name:
        choose_background(topic, topic.background, topic.background_use, hold_out)
    else:
        background = Background.objects.filter(owner=owner, name=name).first()
        if background is None:
            raise CommandError(f"There is no background {name}.")
        choose_background(topic, background, hold_out=hold_out)
    tasks.run_here(topic)


def _row(background: Background) -> dict[str, Any]:
    ready, newest = background.ready, background.newest
    return {
        "id": background.pk,
        "name": background.name,
        "owner": background.owner.get_username(),
        "source": background.source,
        "options": background.options,
        "state": newest.job_state if newest else "",
        "problem": newest.job_problem if newest else "",
        "version": ready.number if ready else None,
        "made_of": ready.made_of if ready else "",
        "texts": ready.texts if ready else 0,
        "words": ready.words if ready else 0,
        "directions": ready.directions if ready else 0,
        "digest": ready.digest if ready else "",
        "topics": list(background.topics.values_list("name", flat=True)),
    }
