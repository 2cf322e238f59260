"""`manage.py watching`: a month of a changing web, watched by each policy."""

from __future__ import annotations

import shlex
import subprocess
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.research.watching.changing_web import WebScript
from apps.research.watching.document import policy_table
from apps.research.watching.results import WatchResult
from apps.research.watching.study import POLICIES, PolicyRun, run_alone
from apps.schemas.input import Refused

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
        parser.add_argument(
            "--alone", choices=list(POLICIES), help="one policy, on this data folder, as JSON"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        script = _script(options)
        if options["alone"]:
            run = PolicyRun(options["alone"], script, options["requests"])
            self.stdout.write(run_alone(run).model_dump_json())
            return
        try:
            result = self._run(script, options)
        except Refused as refused:
            raise CommandError(str(refused)) from None
        if options["json"]:
            self.stdout.write(result.model_dump_json(indent=1))
        else:
            self.stdout.write(policy_table(result))

    def _run(self, script: WebScript, options: Mapping[str, Any]) -> WatchResult:
        words = _words(options)
        result = WatchResult(
            web=f"changing-{script.seed}",
            command=shlex.join(["manage.py", "watching", *words]),
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
                ran = PolicyRun(name, script, options["requests"]).run_apart(words)
            except subprocess.CalledProcessError as error:
                raise CommandError(f"{name}: the month ended with {error.returncode}.") from None
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


def _words(options: Mapping[str, Any]) -> list[str]:
    """The options that differ from the usual ones, and the seed."""
    usual = WebScript()
    others = [name for name in OF_SCRIPT if options[name] != getattr(usual, name)]
    words = ["--seed", str(options["seed"])]
    words += [
        word for name in others if name != "seed" for word in (f"--{name}", str(options[name]))
    ]
    return [*words, "--requests", str(options["requests"])]
