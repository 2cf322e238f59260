"""All settings, a module each subject. What differs between machines comes from the environment.

CRAWLSITE_DATA          folder of everything stored (default: data/ of a checkout; of an installed
                        crawlsite the user's own, as ~/.local/share/crawlsite)
CRAWLSITE_DEBUG         1: tracebacks in the browser
CRAWLSITE_HOSTS         host names the site answers to, with commas between
CRAWLSITE_ALLOWED_ADDRESSES
                        private networks that a live crawl may enter (default: none)
CRAWLSITE_CONTACT       address or page named in the user agent
CRAWLSITE_CRAWL_PROXY   http://host:port or http://user:password@host:port, also on this machine or
                        a private network: the HTTP proxy that all requests of live crawls go
                        through, those for https:// by CONNECT (default: none)
CRAWLSITE_CRAWLS_AT_ONCE
                        workers for crawls (default: 2)
CRAWLSITE_AGENTS        processes beside each crawl that fetch and read its pages (default: one
                        for each core but one, at most 4; 0: none)
CRAWLSITE_AGENT_REQUESTS
                        requests that an agent lent by `up --agents` has out at once (default:
                        32)
CRAWLSITE_ALLOCATOR     the library whose allocator workers and agents use where it is installed,
                        with which a page takes about a tenth less CPU (default: jemalloc; empty:
                        the C library's)
CRAWLSITE_MACHINE       the name of this machine on screen (default: its host name)
CRAWLSITE_BACKGROUND_WORKERS
                        workers for topics, uploads and the cells of experiments (default: one
                        for each core, from 2 to 4)
CRAWLSITE_DEMO_LATENCY  milliseconds before each answer of the demo web (default: 100)
CRAWLSITE_FETCH_WORKERS, CRAWLSITE_TREE
                        set by `up` for its own processes: the agents it lends, the name of the
                        queue between them
CRAWLSITE_HTTPS         1: only over HTTPS, behind a server that sets X-Forwarded-Proto
CRAWLSITE_PROXIES       addresses or networks of the servers before this one, whose X-Forwarded-For
                        says who asks (default: none)
CRAWLSITE_ORIGINS       addresses of the site as browsers see it (https://…), with commas
CRAWLSITE_MOST_TOPICS, CRAWLSITE_MOST_CRAWLS, CRAWLSITE_MOST_UPLOADS
                        how many one account may have (default: 10000, 10000, and 100 files that
                        wait to be read)
CRAWLSITE_REPLAYS_BYTES disk space for webs kept parsed for experiments (default: 4 GiB)
CRAWLSITE_LEAST_FREE_DISK
                        crawls pause if the data folder has less free space, in bytes (default:
                        200 MiB)
CRAWLSITE_LEASE_SECONDS how long a worker keeps its crawl without a sign of life (default: 30)
CRAWLSITE_HAND_OFF_SECONDS
                        how long a queued crawl may wait for a free worker before it is queued
                        again (default: 10)
CRAWLSITE_KEEP_SECONDS  how long a worker keeps its crawl while others wait (default: 60)
CRAWLSITE_WATCHDOG_SECONDS
                        how long a crawl may wait before the workers are started again, which
                        a free one should have taken (default: 60)
CRAWLSITE_METRICS_TOKEN
                        a token that may read /metrics, besides administrators'
CRAWLSITE_SEARCH_ENGINE https://… of a SearXNG with JSON, also on this machine or a private network,
                        that a new topic's words are sent to for first pages (default: none)
CRAWLSITE_WEB_ARCHIVE   https://… of a web archive's CDX index, asked for addresses that hold a new
                        topic's words, as https://web.archive.org/cdx/search/cdx (default: none)
CRAWLSITE_ADVISER       https://… of an endpoint with OpenAI's interface, also on this machine, as
                        http://127.0.0.1:8080/v1, which a person may ask for words and queries of a
                        new topic; it never sees pages (default: none)
CRAWLSITE_ADVISER_MODEL, CRAWLSITE_ADVISER_KEY
                        the name of its model; its key, if it wants one
CRAWLSITE_WORD_VECTORS  for words of like use and for crawls that begin with words: a file in
                        word2vec's text format or the folder of model2vec's or of WordLlama's two
                        files, on this machine, or the name of an installed package with these
                        files; none: no vectors (default: those of the extra `vectors` where it is
                        installed)
CRAWLSITE_WORD_VECTORS_LICENCE
                        their licence, shown beside what they propose (default: what their package
                        or the folder's README.md states)
CRAWLSITE_DICTIONARIES  a folder of FreeDict's dictionaries as dictd keeps them, as
                        /usr/share/dictd, or one's .index file, on this machine: the words of a new
                        topic are translated by them (default: none)
CRAWLSITE_ADDRESS       https://… of this site as people reach it, which links in digests of a watch
                        lead to; mail and webhooks refuse to start without it (default: none)
CRAWLSITE_MAIL          smtp://user:password@host:port of a mail server for digests; smtp+tls://
                        with STARTTLS, smtp+ssl:// over TLS (default: none)
CRAWLSITE_MAIL_FROM     who its mails are from (default: crawlsite@ and the host of the address)
CRAWLSITE_WEBHOOK_ORIGINS
                        https://… origins that webhooks may reach although they are on this machine
                        or a private network, with commas (default: none)
DATABASE_URL            postgres://… (default: SQLite in the data folder)
REDIS_URL               redis://… (default: the database carries the queue)
CRAWLSITE_REDIS_PREFIX  first word of every Redis key
CRAWLSITE_S3_BUCKET     a bucket for the files, so that machines need no common data folder
                        (default: the data folder; with a bucket it is a cache)
CRAWLSITE_S3_ENDPOINT   https://… of another server than Amazon's with the same interface
CRAWLSITE_S3_KEY, CRAWLSITE_S3_SECRET
                        the key (default: where Amazon's own programs find theirs)
CRAWLSITE_S3_REGION, CRAWLSITE_S3_PREFIX
                        the bucket's region; what all names in it begin with
CRAWLSITE_S3_CACHE_GB   how much of the crawls' pages a machine keeps of those in the bucket
                        (default: 20)
CRAWLSITE_SECRET_KEY    signs sessions and tasks (default: made in the data folder); with a
                        bucket the same on every machine
CRAWLSITE_TIME_ZONE     in which times are shown where a browser names no zone, as
                        Europe/Berlin (default: UTC)
"""

from __future__ import annotations

import gc

from crawlsite.settings.limits import *  # noqa: F403
from crawlsite.settings.logs import *  # noqa: F403
from crawlsite.settings.paths import *  # noqa: F403
from crawlsite.settings.services import *  # noqa: F403
from crawlsite.settings.storage import *  # noqa: F403
from crawlsite.settings.web import *  # noqa: F403
from crawlsite.settings.workers import *  # noqa: F403

# What is imported next stays: Python need not search it for garbage until the apps are ready.
gc.disable()
