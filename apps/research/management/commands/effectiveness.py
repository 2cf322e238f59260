"""`manage.py effectiveness`: all strategies on a web, and the learner with other weights."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from apps.accounts.services import account_named
from apps.engine.errors import EngineError, NeedsMissing
from apps.experiments.management.progress import prepare_topics
from apps.experiments.selectors import web_named
from apps.jobs.tables import make_tables
from apps.research.effectiveness.crawling import CrawlStudy, crawlers_of, experiment_of
from apps.research.effectiveness.labels.result import LabelResult
from apps.research.effectiveness.labels.study import SETTINGS, arms_of, run_arm, topics_of
from apps.research.effectiveness.made_web import MAKES, MadeWeb
from apps.research.effectiveness.main_text.result import TextResult
from apps.research.effectiveness.main_text.study import FIGURES, run_figure, text_experiment
from apps.research.effectiveness.main_text.study import PAGES as TEXT_PAGES
from apps.research.effectiveness.reachable import ReachableLinks
from apps.research.effectiveness.recall.result import RecallResult
from apps.research.effectiveness.recall.study import RECALL_PAGES, read_topic
from apps.research.effectiveness.saved_result import other_topics
from apps.research.effectiveness.schema import OWN, StudyPlan, read_plan
from apps.research.effectiveness.starts.result import StartResult
from apps.research.effectiveness.starts.study import ARMS, STARTS, Starts
from apps.research.effectiveness.status.study import (
    CRAWLERS,
    PAGES,
    empty_status,
    run_status,
    status_experiment,
)
from apps.schemas.refused import Refused
from apps.topics.named_vectors import named_vectors
from apps.webs.messages import error_words
from apps.webs.models import Web
from apps.webs.services import demo_web_named


class Command(BaseCommand):
    help = (
        "Compares all strategies, and the learner with other weights, on topics made of a web's"
        " labels."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "plan",
            nargs="?",
            type=Path,
            default=OWN,
            help="a TOML file (default: the one of the project)",
        )
        parser.add_argument(
            "--web",
            metavar="WEB",
            help="a recorded web with labels; demo-N is the demo web of seed N, demo-N-PAGES one of"
            " that size",
        )
        parser.add_argument("--topics", type=int, metavar="N", help="the most topics")
        parser.add_argument(
            "--save",
            type=Path,
            metavar="FOLDER",
            help="keep the result there; what is there already is not run again",
        )
        parser.add_argument(
            "--labels",
            action="store_true",
            help="what labels are worth, and weak topics, instead of strategies",
        )
        parser.add_argument(
            "--repeats",
            type=int,
            default=1,
            metavar="N",
            help="crawls of each topic, with --labels (%(default)s)",
        )
        parser.add_argument(
            "--status", action="store_true", help="status against topicality, instead of strategies"
        )
        parser.add_argument(
            "--recall",
            action="store_true",
            help="how well recall is estimated, instead",
        )
        parser.add_argument(
            "--main-text", action="store_true", help="main text against whole text, instead"
        )
        parser.add_argument(
            "--starts",
            action="store_true",
            help="crawls that start from a sentence, three pages or four front pages, instead",
        )
        parser.add_argument("--make", choices=sorted(MAKES), help="write a made web as JSON lines")
        parser.add_argument("--seed", type=int, default=1, help="of the made web (%(default)s)")
        parser.add_argument(
            "--write", type=Path, metavar="FILE", help="with --make: write the web there"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["make"]:
                self._make(options)
            else:
                self._run(options)
        except Refused as refused:
            raise CommandError(str(refused)) from None
        except EngineError as error:
            raise CommandError(error_words(error)) from None

    def _make(self, options: Mapping[str, Any]) -> None:
        if not options["write"]:
            raise Refused("write", "Give the file to write the web to.")
        lines = MadeWeb(MAKES[options["make"]], options["seed"]).lines()
        options["write"].write_text("".join(f"{line}\n" for line in lines), "utf-8")

    def _run(self, options: Mapping[str, Any]) -> None:
        if not options["web"] or not options["save"]:
            raise Refused("web", "Give a web and a folder to save to.")
        plan = read_plan(options["plan"])
        if options["recall"]:
            plan = plan.model_copy(update={"pages": RECALL_PAGES})
        if options["topics"]:
            plan = StudyPlan.read({**plan.model_dump(mode="json"), "topics": options["topics"]})
        make_tables()
        owner = account_named(None)
        web = demo_web_named(options["web"]) or web_named(owner, options["web"])
        if options["status"]:
            plan = plan.model_copy(update={"pages": PAGES})
            experiment = status_experiment(owner, web, plan, prepare_topics)
            self._run_status(options, CrawlStudy(experiment, plan), web)
            return
        if options["main_text"]:
            self._run_texts(options, plan.model_copy(update={"pages": TEXT_PAGES}), web, owner)
            return
        experiment = experiment_of(owner, web, plan, prepare_topics)
        study = CrawlStudy(experiment, plan)
        if options["labels"]:
            self._run_labels(options, study)
            return
        if options["recall"]:
            self._run_recall(options, study)
            return
        if options["starts"]:
            self._run_starts(options, study)
            return
        result = study.empty(options["web"], _command(options)).resume(options["save"])
        for crawler in crawlers_of(experiment, plan):
            if crawler.name in result.crawlers:
                continue
            recall = study.recall(crawler)
            if recall is None:
                self.stderr.write(f"{crawler.name}: the topics lack what it needs")
                continue
            result = result.with_crawler(crawler.name, crawler.kind, crawler.strategy, recall)
            result.save(options["save"])
            mean = sum(recall) / len(recall)
            self.stderr.write(f"{options['web']}: {crawler.name} {mean:.3f}")

    def _run_status(self, options: Mapping[str, Any], study: CrawlStudy, web: Web) -> None:
        empty = empty_status(study, web, _command(options, "--status"))
        result = empty.resume(options["save"])
        for name, id in CRAWLERS.items():
            if name in result.crawlers:
                continue
            crawler = run_status(study, id)
            result = result.with_crawler(name, crawler)
            result.save(options["save"])
            harvest, status = (sum(each) / len(each) for each in (crawler.harvest, crawler.status))
            self.stderr.write(
                f"{options['web']}: {name}, harvest {harvest:.3f}, status {status:.3f}"
            )

    def _run_texts(
        self, options: Mapping[str, Any], plan: StudyPlan, web: Web, owner: User
    ) -> None:
        experiment = text_experiment(owner, web, plan, prepare_topics)
        whole, main = (CrawlStudy(experiment, plan, text) for text in (False, True))
        result = TextResult(
            web=options["web"],
            command=_command(options, "--main-text"),
            pages=whole.design.pages,
            topics=tuple(topic.name for topic in whole.topics),
        ).resume(options["save"])
        for name in FIGURES:
            if name in result.figures:
                continue
            both = run_figure(name, whole, main, web)
            result = result.with_figure(name, both)
            result.save(options["save"])
            means = (sum(each) / len(each) for each in (both.whole, both.main))
            self.stderr.write(f"{options['web']}: {name} {' '.join(f'{m:.3f}' for m in means)}")

    def _run_labels(self, options: Mapping[str, Any], study: CrawlStudy) -> None:
        repeats = options["repeats"]
        result = LabelResult.read(
            {
                "web": options["web"],
                "pages": study.design.pages,
                "repeats": repeats,
                "command": _command(options, "--labels", *_repeated(repeats)),
                "topics": [topic.name for topic in study.topics],
            }
        ).resume(options["save"])
        for name, setting in SETTINGS.items():
            topics = topics_of(study, setting)
            for arm in arms_of(setting):
                if result.has(name, arm.name):
                    continue
                arm_result = run_arm(study, setting, arm, topics, repeats)
                result = result.with_arm(name, setting, arm.name, arm_result)
                result.save(options["save"])
                mean = sum(arm_result.after) / len(arm_result.after)
                self.stderr.write(f"{options['web']}, {name}: {arm.name} {mean:.2f}")

    def _run_starts(self, options: Mapping[str, Any], study: CrawlStudy) -> None:
        result = StartResult(
            web=options["web"],
            command=_command(options, "--starts"),
            pages=study.design.pages,
            topics=tuple(topic.name for topic in study.topics),
        ).resume(options["save"])
        vectors = named_vectors()
        starts = Starts(study, vectors.table if vectors else None)
        for start, arm in product(STARTS, ARMS):
            if result.has(start, arm.name):
                continue
            if arm.vectors and vectors is None:
                self.stderr.write(f"{arm.name}: no word vectors are installed or named")
                continue
            try:
                is_run = start == "B" and arm.crawls_alike and result.has("A", arm.name)
                shares = result.starts["A"][arm.name] if is_run else starts.run(start, arm)
            except NeedsMissing as error:
                self.stderr.write(f"{arm.name}: a topic {error}")
                continue
            result = result.with_crawler(start, arm.name, shares)
            result.save(options["save"])
            mean = sum(shares.recall) / len(shares.recall)
            self.stderr.write(f"{options['web']}, start {start}: {arm.name} {mean:.3f}")

    def _run_recall(self, options: Mapping[str, Any], study: CrawlStudy) -> None:
        result = RecallResult(
            web=options["web"],
            command=_command(options, "--recall"),
            pages=study.design.pages,
        ).resume(options["save"])
        done = {each.topic for each in result.topics}
        if done - {topic.name for topic in study.topics}:
            raise other_topics(result.path(options["save"], result.web))
        links = ReachableLinks(study.web)
        for topic in study.topics:
            if topic.name not in done:
                result = result.with_topic(read_topic(study, topic, links))
                result.save(options["save"])
                self.stderr.write(f"{options['web']}: {topic.name}")


def _repeated(repeats: int) -> Sequence[str]:
    return ["--repeats", str(repeats)] if repeats > 1 else []


def _command(options: Mapping[str, Any], *more: str) -> str:
    words = ["manage.py", "effectiveness", "--web", options["web"], *more]
    if options["topics"]:
        words += ["--topics", str(options["topics"])]
    return shlex.join(words)
