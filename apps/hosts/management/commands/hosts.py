"""`crawlsite hosts TOPIC`: the hosts of a topic, and decisions on them."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.hosts import services
from apps.hosts.downloads import cells
from apps.hosts.filters.unit import UNIT
from apps.hosts.listing import HostListing, HostSearch
from apps.hosts.models import HostGrouping
from apps.hosts.tasks import count_here
from apps.jobs.tables import make_tables
from apps.schemas.refused import Refused
from apps.topics.hosts import STATES
from apps.topics.models import Topic


class Command(BaseCommand):
    help = (
        "List the hosts of a topic as JSON, counted over all its crawls, after taking those that"
        " --in, --out and --undecided name as decided; crawls under way obey at once."
    )
    requires_system_checks = ["crawlsite"]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("topic", type=int, help="the number of the topic")
        parser.add_argument("--unit", choices=HostGrouping.values, default=HostGrouping.HOST.value)
        for state in STATES:
            parser.add_argument(
                f"--{state}",
                dest=state,
                action="append",
                metavar="HOST",
                help="a.example, *.a.example or a.example/~name; may be given several times",
            )

    def handle(self, *args: Any, **options: Any) -> None:
        make_tables()
        topic = Topic.objects.filter(pk=options["topic"]).first()
        if topic is None:
            raise CommandError(f"There is no topic {options['topic']}.")
        count_here(topic)
        try:
            for state in STATES:
                if options[state]:
                    services.decide(topic, options[state], state, None)
        except Refused as refused:
            raise CommandError(refused.message) from None
        rows = HostListing(topic, HostSearch().having(UNIT, options["unit"])).matches
        self.stdout.write(
            json.dumps(list(cells(topic, rows)), ensure_ascii=False, default=str, indent=1)
        )
