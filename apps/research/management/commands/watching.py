"""`manage.py watching`: a month of a changing web, watched by each policy."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.months.changing_web import WebScript
from apps.months.command_line import command_line
from apps.months.policies import POLICIES, BrokenMonth, PolicyRun
from apps.research.watching.document import policy_table
from apps.research.watching.results import WatchResult
from apps.schemas.refused import Refused

OF_SCRIPT = {
    "seed": "another web with the same numbers",
    "hosts": "hosts of the web",
    "pages": "pages at the start, a quarter of them on the topic",
    "new": "new pages a day, on the topic and off it each",
    "days": "simulated days, with a visit each",
}


class Command(BaseCommand):
    help = (
        "Crawls a made web once and watches it while it changes for a simulated month, by the"
        " adaptive policy, with and without the dates of sitemaps, by two of the literature and by"
        " a full recrawl, each in a process on a data folder of its own."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        usual = WebScript()
        for name, words in OF_SCRIPT.items():
            default = getattr(usual, name)
            parser.add_argument(
                f"--{name}",
                type=type(default),
                default=default,
                metavar="N",
                help=f"{words} (%(default)s)",
            )
        parser.add_argument(
            "--requests", type=int, default=120, metavar="N", help="most of a visit (%(default)s)"
        )
        parser.add_argument(
            "--policies",
            nargs="+",
            choices=list(POLICIES),
            default=list(POLICIES),
            metavar="NAME",
            help=f"of {', '.join(POLICIES)} (all)",
        )
        parser.add_argument(
            "--save",
            type=Path,
            metavar="FOLDER",
            help="keep the result there; what is there already is not run again",
        )
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")

    def handle(self, *args: Any, **options: Any) -> None:
        script = _script(options)
        try:
            result = self._run(script, options)
        except Refused as refused:
            raise CommandError(str(refused)) from None
        if options["json"]:
            self.stdout.write(result.model_dump_json(indent=1))
        else:
            self.stdout.write(policy_table(result))

    def _run(self, script: WebScript, options: Mapping[str, Any]) -> WatchResult:
        result = WatchResult(
            web=f"changing-{script.seed}",
            command=command_line(script, options["requests"]),
            pages=script.pages,
            days=script.days,
            new=script.new,
            hosts=script.hosts,
            budget=options["requests"],
        )
        folder = options["save"]
        result = result.resume(folder) if folder else result
        for name in options["policies"]:
            if name in result.policies:
                continue
            self.stderr.write(f"{result.web}: {name} …")
            try:
                ran = PolicyRun(name, script, options["requests"]).run_apart()
            except BrokenMonth as broken:
                raise CommandError(str(broken)) from None
            result = result.with_policy(name, ran)
            if folder:
                result.save(folder)
        return result


def _script(options: Mapping[str, Any]) -> WebScript:
    least = {"seed": 0, "hosts": 1, "pages": 40, "new": 0.1, "days": 2}
    for name, number in {**least, "requests": 5}.items():
        if options[name] < number:
            raise CommandError(f"--{name}: give {number} or more.")
    return WebScript(**{name: options[name] for name in OF_SCRIPT})
