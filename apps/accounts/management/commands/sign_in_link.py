"""`crawlsite sign_in_link`: a new link for whoever may use this machine's command line."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from apps.accounts import services
from apps.jobs import site


class Command(BaseCommand):
    help = "Print a link that signs in once, within ten minutes."
    requires_system_checks = ["crawlsite"]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", help="the account (default: the owner's)")

    def handle(self, *args: Any, **options: Any) -> None:
        user = _account(options["name"])
        path = services.link_path(services.make_link(user))
        self.stdout.write(site.address(settings.DATA_DIR) + path)


def _account(name: str | None) -> Any:
    if not name:
        return services.ensure_owner()
    user = get_user_model().objects.filter(username=name, is_active=True).first()
    if user is None:
        raise CommandError(f"There is no active account named {name!r}.")
    return user
