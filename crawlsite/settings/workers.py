"""Workers and agents: how many of each, their queues, and how crawls are handed between them."""

from __future__ import annotations

import os
import socket
import warnings

import environ

from crawlsite.settings.storage import REDIS_PREFIX, REDIS_URL

env = environ.Env()

CRAWLS_AT_ONCE = env.int("CRAWLSITE_CRAWLS_AT_ONCE", default=2)
# At least two: one may be busy with an upload for long, the other takes all other tasks. The cells
# of experiments use all of them.
BACKGROUND_WORKERS = env.int(
    "CRAWLSITE_BACKGROUND_WORKERS", default=min(4, max(2, os.cpu_count() or 2))
)
# Processes that fetch and read pages for each crawl; 0: the crawl does so itself.
AGENTS = env.int("CRAWLSITE_AGENTS", default=min(4, (os.cpu_count() or 1) - 1))
# Agents that this machine lends to crawls of any machine (`up --agents`).
AGENT_REQUESTS = env.int("CRAWLSITE_AGENT_REQUESTS", default=32)
FETCH_WORKERS = env.int("CRAWLSITE_FETCH_WORKERS", default=1)
MACHINE = env.str("CRAWLSITE_MACHINE", default=socket.gethostname())
# The library that workers and agents are started with, by the name that the linker has.
ALLOCATOR = env.str("CRAWLSITE_ALLOCATOR", default="jemalloc")
# A slice intentionally has no time limit; django-q2 warns of tasks without one.
warnings.filterwarnings("ignore", message="Retry and timeout are misconfigured")
# Each tree of processes has a queue of its own: its tasks are signed with the key of its own data
# folder, and its agents end with it.
FETCH_CLUSTER = f"{REDIS_PREFIX}-fetch-{os.environ.get('CRAWLSITE_TREE', 'alone')}"
_BROKER = {"redis": REDIS_URL} if REDIS_URL else {"orm": "default"}
_CLUSTER = {
    **_BROKER,
    "timeout": None,
    # A crawl's slice may last for hours; the epoch makes a second delivery harmless.
    "retry": 30 * 24 * 3600,
    "max_attempts": 1,
    "ack_failures": True,
    "save_limit": 100,
    "poll": 0.2,
    "guard_cycle": 0.5,
    # A stored schedule names a function that the workers would call.
    "scheduler": False,
    "label": "Tasks",
}
Q_CLUSTER = {
    **_CLUSTER,
    "name": f"{REDIS_PREFIX}-crawl",
    "workers": CRAWLS_AT_ONCE,
    "ALT_CLUSTERS": {
        f"{REDIS_PREFIX}-background": {**_CLUSTER, "workers": BACKGROUND_WORKERS},
    },
}
Q_CLUSTER["ALT_CLUSTERS"][FETCH_CLUSTER] = {**_CLUSTER, "workers": FETCH_WORKERS}
CRAWL_CLUSTER = f"{REDIS_PREFIX}-crawl"
BACKGROUND_CLUSTER = f"{REDIS_PREFIX}-background"

# Times for handing crawls between workers, in seconds; tests shorten them.
LEASE_SECONDS = env.float("CRAWLSITE_LEASE_SECONDS", default=30)
HAND_OFF_SECONDS = env.float("CRAWLSITE_HAND_OFF_SECONDS", default=10)
KEEP_SECONDS = env.float("CRAWLSITE_KEEP_SECONDS", default=60)
WATCHDOG_SECONDS = env.float("CRAWLSITE_WATCHDOG_SECONDS", default=60)
