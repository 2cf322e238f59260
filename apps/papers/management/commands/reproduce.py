"""`manage.py reproduce PROTOCOL --web WEB`: a paper's claims tested again, beside its figures."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.services import account_named
from apps.engine.errors import EngineError
from apps.experiments.management.progress import run_with_progress
from apps.experiments.models import Experiment
from apps.experiments.results.outcomes import outcomes
from apps.experiments.selectors import web_named
from apps.experiments.summaries import summary
from apps.jobs.tables import make_tables
from apps.papers.catalogue import protocols
from apps.papers.command_line import command_line
from apps.papers.management.printing import protocol_text
from apps.papers.observing import observed_of
from apps.papers.result import (
    ProtocolResult,
    result_of,
    save,
)
from apps.papers.schema import PaperProtocol
from apps.papers.setting_up import Sizes, set_up
from apps.papers.table_run import TableOptions, run_table
from apps.schemas.refused import Refused
from apps.webs.messages import error_words
from apps.webs.services import demo_web_named

OF_EXPERIMENTS = ("topics", "examples", "labels", "processes", "owner")
OF_TABLES = ("categories", "universities", "crawlers", "redirects")


class Command(BaseCommand):
    help = (
        "Tests a paper's claims on a recorded web and prints the results beside the paper's"
        " figures."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("protocol", choices=sorted(protocols()))
        parser.add_argument(
            "--web",
            required=True,
            metavar="WEB",
            help="an imported web, for tables also a file of JSON lines; demo-N is the demo web of"
            " seed N, demo-N-PAGES one of that size",
        )
        parser.add_argument(
            "--pages",
            type=int,
            metavar="N",
            help="the most pages of a crawl (default: the protocol's)",
        )
        parser.add_argument("--json", action="store_true", help="print all numbers as JSON")
        parser.add_argument(
            "--save", type=Path, metavar="FOLDER", help="keep the result there, as JSON"
        )
        _add_of_experiments(parser)
        _add_of_tables(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self._run(protocols()[options["protocol"]], options)
        except Refused as refused:
            raise CommandError(str(refused)) from None
        except EngineError as error:
            raise CommandError(error_words(error)) from None

    def _run(self, protocol: PaperProtocol, options: Mapping[str, Any]) -> None:
        is_table = protocol.table is not None
        for name in OF_EXPERIMENTS if is_table else OF_TABLES:
            if options[name]:
                raise Refused("", f"{options['protocol']} takes no --{name}.")
        run = self._table if is_table else self._experiment
        result, more = run(protocol, options)
        if options["save"]:
            self.stderr.write(f"saved as {save(result, options['save'])}")
        if options["json"]:
            whole = result.model_dump(mode="json") | more.as_dict()
            json.dump(whole, sys.stdout, ensure_ascii=False, indent=1)
            self.stdout.write("")
        else:
            self.stdout.write(f"{more.text()}\n\n{protocol_text(protocol, result)}")

    def _table(
        self, protocol: PaperProtocol, options: Mapping[str, Any]
    ) -> tuple[ProtocolResult, More]:
        asked = TableOptions(**{name: options[name] for name in ("pages", *OF_TABLES)})
        assert protocol.table is not None
        reproduced = run_table(protocol.table, options["web"], asked, self.stderr.write)
        web, settings = (
            Path(options["web"]).name,
            {"command": _command(options)},
        )
        result = result_of(options["protocol"], protocol, web, reproduced.observed(), settings)
        return result, reproduced

    def _experiment(
        self, protocol: PaperProtocol, options: Mapping[str, Any]
    ) -> tuple[ProtocolResult, More]:
        make_tables()
        owner = account_named(options["owner"])
        web = demo_web_named(options["web"]) or web_named(owner, options["web"])
        sizes = Sizes(*(options[name] for name in ("topics", "pages", "examples", "labels")))
        run = _runner(options["processes"])
        experiment, settings = set_up(owner, web, options["protocol"], protocol, sizes, run)
        run(experiment)
        experiment.refresh_from_db()
        observed = observed_of(outcomes(experiment), protocol)
        settings = {
            "command": _command(options),
            **settings,
        }
        result = result_of(options["protocol"], protocol, web.name, observed, settings)
        return result, _Ended(experiment)


class More(Protocol):
    """Further output of a run besides its result."""

    def as_dict(self) -> dict[str, Any]: ...
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True)
class _Ended:
    """How an experiment ended."""

    experiment: Experiment

    def as_dict(self) -> dict[str, Any]:
        return {"experiment": summary(self.experiment)}

    def text(self) -> str:
        failed = self.experiment.cells.filter(job_state="failed")
        head = f"Experiment {self.experiment.pk}: {self.experiment.state}"
        return "\n".join([head, *(f"- {cell} failed: {cell.job_problem}" for cell in failed)])


def _runner(processes: int | None) -> Callable[[Any], None]:
    return lambda experiment: run_with_progress(experiment, processes)


def _command(options: Mapping[str, Any]) -> str:
    """The command that repeats a run."""
    return command_line(options["protocol"], Path(options["web"]).name, options)


def _add_of_experiments(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("protocols over topics made of a web's labels")
    group.add_argument("--topics", type=_positive, metavar="N", help="the most topics")
    group.add_argument(
        "--examples",
        type=_positive,
        metavar="N",
        help="URLs in each part that is drawn of a label (default: the protocol's)",
    )
    group.add_argument(
        "--labels",
        nargs="+",
        default=[],
        metavar="LABEL",
        help="these labels (default: drawn by the protocol's seed)",
    )
    group.add_argument(
        "--processes",
        type=_positive,
        metavar="N",
        help="how many cells run at once (default: one for each core)",
    )
    group.add_argument(
        "--owner",
        metavar="NAME",
        help="the account that the experiment belongs to (default: the owner’s)",
    )


def _add_of_tables(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("protocols that name a table")
    group.add_argument(
        "--redirects",
        metavar="FILE",
        help="default: NAME.redirects.json beside NAME.jsonl.gz, if there",
    )
    group.add_argument(
        "--categories", nargs="+", default=[], metavar="NAME", help="default: the table's"
    )
    group.add_argument(
        "--universities",
        nargs="+",
        default=[],
        metavar="NAME",
        help="parts of the web that have a department page (default: all)",
    )
    group.add_argument(
        "--crawlers",
        nargs="+",
        default=[],
        metavar="ID",
        help="lines of the table; a wrong name lists the right ones",
    )


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number
