"""The command `crawlsite`, in a checkout `manage.py`: `crawlsite help` lists what it can do."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Runs the command of the command line. What is wrong with the settings is one sentence."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "crawlsite.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))
