"""Limits of disk space, and of what one account may have."""

from __future__ import annotations

import environ

env = environ.Env()

# Crawls pause if the data folder has less free space (bytes).
LEAST_FREE_DISK = env.int("CRAWLSITE_LEAST_FREE_DISK", default=200 * 2**20)

# Prepared webs of experiments may take so much space in the data folder (bytes).
REPLAYS_BYTES = env.int("CRAWLSITE_REPLAYS_BYTES", default=4 * 2**30)

# How many an account may have, so that one does not fill the site for all.
MOST_TOPICS = env.int("CRAWLSITE_MOST_TOPICS", default=10_000)
MOST_CRAWLS = env.int("CRAWLSITE_MOST_CRAWLS", default=10_000)
MOST_UPLOADS = env.int("CRAWLSITE_MOST_UPLOADS", default=100)
