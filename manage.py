#!/usr/bin/env python
"""Crawlsite's commands: `manage.py help` lists them."""

import os
import sys

from crawlsite import freed_memory


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "crawlsite.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))


if __name__ == "__main__":
    freed_memory.keep_in_pieces()
    main()
