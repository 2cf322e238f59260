#!/usr/bin/env python
"""Crawlsite's commands in a checkout: `manage.py help` lists them."""

from crawlsite.command_line import main

if __name__ == "__main__":
    main()
