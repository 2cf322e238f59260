"""All settings. Those that differ between machines come from the environment.

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

import os
import secrets
import socket
import sys
import warnings
from pathlib import Path
from urllib.parse import urlsplit

import environ

from apps.engine.networking.proxy import Proxy
from crawlsite import __version__, folders
from crawlsite.data_folder import KEY_FILE, open_folder, private_database, write_once
from crawlsite.static_address import static_address
from crawlsite.time_zone import valid_zone

BASE_DIR = folders.BASE
folders.share_with_children()
# Begins the command lines of programs that are started here. Without -P a file of the folder that
# it is started in could stand for a module.
COMMAND_LINE = (sys.executable, "-P", "-m", "crawlsite")
env = environ.Env()

VERSION = __version__

DATA_DIR = open_folder(
    Path(env.str("CRAWLSITE_DATA", default="") or folders.default_data()).resolve()
)
SECRET_KEY = env.str("CRAWLSITE_SECRET_KEY", default="") or write_once(
    DATA_DIR / KEY_FILE, secrets.token_urlsafe(50)
)
DEBUG = env.bool("CRAWLSITE_DEBUG", default=False)
ALLOWED_HOSTS = env.list("CRAWLSITE_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
TRUSTED_PROXIES = env.list("CRAWLSITE_PROXIES", default=[])
CSRF_TRUSTED_ORIGINS = env.list("CRAWLSITE_ORIGINS", default=[])

INSTALLED_APPS = [
    "crawlsite",
    "crawlsite.admin_site.OwnTablesConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "django_q",
    "apps.accounts",
    "apps.jobs",
    "apps.machines",
    "apps.webs",
    "apps.directories",
    "apps.backgrounds",
    "apps.topics",
    "apps.uploads",
    "apps.crawls",
    "apps.watches",
    "apps.months",
    "apps.begin",
    "apps.background_sources",
    "apps.agreement",
    "apps.collection",
    "apps.hosts",
    "apps.dossiers",
    "apps.exports",
    "apps.recipes",
    "apps.experiments",
    "apps.papers",
    "apps.screens",
    "apps.api",
    "apps.research",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "crawlsite.security.ContentSecurityPolicy",
    "crawlsite.security.PrivatePages",
    "crawlsite.refused.UnreadableFile",
    "crawlsite.saved_drafts.SavedDrafts",
    "crawlsite.reader_zone.ReaderZone",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "crawlsite.urls"
ASGI_APPLICATION = "crawlsite.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [folders.SCREENS / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASE_URL = env.str("DATABASE_URL", default="")
if DATABASE_URL:
    DATABASES = {"default": env.db_url("DATABASE_URL")}
    # Under ASGI each request has its own thread, so nobody would reuse an open connection.
    DATABASES["default"]["CONN_MAX_AGE"] = 0
else:
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": private_database(DATA_DIR),
            # A file as in production, since threads cannot share a database in memory.
            "TEST": {"NAME": DATA_DIR / "test.sqlite3"},
            "OPTIONS": {
                # Deferred transactions of two writers fail with "database is locked".
                "transaction_mode": "IMMEDIATE",
                # Longer than a backup or an import may hold the lock.
                "timeout": 60,
                "init_command": (
                    "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
                    "PRAGMA mmap_size=134217728; PRAGMA journal_size_limit=67108864;"
                ),
            },
        }
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Behind apps/stored_files: where the files of the data folder are.
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    "data": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": DATA_DIR},
    },
}
S3_BUCKET = env.str("CRAWLSITE_S3_BUCKET", default="")
if S3_BUCKET:
    STORAGES["data"] = {
        "BACKEND": "apps.stored_files.s3.S3Store",
        "OPTIONS": {
            "bucket_name": S3_BUCKET,
            "endpoint_url": env.str("CRAWLSITE_S3_ENDPOINT", default="") or None,
            "access_key": env.str("CRAWLSITE_S3_KEY", default="") or None,
            "secret_key": env.str("CRAWLSITE_S3_SECRET", default="") or None,
            "region_name": env.str("CRAWLSITE_S3_REGION", default="") or None,
            "location": env.str("CRAWLSITE_S3_PREFIX", default=""),
        },
    }

S3_CACHE_BYTES = int(env.float("CRAWLSITE_S3_CACHE_GB", default=20) * 2**30)

REDIS_URL = env.str("REDIS_URL", default="")
REDIS_PREFIX = env.str("CRAWLSITE_REDIS_PREFIX", default="crawlsite")

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

# Milliseconds before each answer of the demo web, so that its crawl lasts long enough to watch.
DEMO_LATENCY = env.float("CRAWLSITE_DEMO_LATENCY", default=100)

# Times for handing crawls between workers, in seconds; tests shorten them.
LEASE_SECONDS = env.float("CRAWLSITE_LEASE_SECONDS", default=30)
HAND_OFF_SECONDS = env.float("CRAWLSITE_HAND_OFF_SECONDS", default=10)
KEEP_SECONDS = env.float("CRAWLSITE_KEEP_SECONDS", default=60)
WATCHDOG_SECONDS = env.float("CRAWLSITE_WATCHDOG_SECONDS", default=60)

# Crawls pause if the data folder has less free space (bytes).
LEAST_FREE_DISK = env.int("CRAWLSITE_LEAST_FREE_DISK", default=200 * 2**20)

# Prepared webs of experiments may take so much space in the data folder (bytes).
REPLAYS_BYTES = env.int("CRAWLSITE_REPLAYS_BYTES", default=4 * 2**30)

# Private networks that live crawls may enter. Shown on screen if not empty.
ALLOWED_ADDRESSES = env.list("CRAWLSITE_ALLOWED_ADDRESSES", default=[])
# Its password is in no text of it.
_CRAWL_PROXY = env.str("CRAWLSITE_CRAWL_PROXY", default="").strip()
CRAWL_PROXY = Proxy(_CRAWL_PROXY) if _CRAWL_PROXY else None
CONTACT = env.str("CRAWLSITE_CONTACT", default="")
SEARCH_ENGINE = env.str("CRAWLSITE_SEARCH_ENGINE", default="")
WEB_ARCHIVE = env.str("CRAWLSITE_WEB_ARCHIVE", default="")
ADVISER = env.str("CRAWLSITE_ADVISER", default="")
ADVISER_MODEL = env.str("CRAWLSITE_ADVISER_MODEL", default="")
ADVISER_KEY = env.str("CRAWLSITE_ADVISER_KEY", default="")
WORD_VECTORS = env.str("CRAWLSITE_WORD_VECTORS", default="")
DICTIONARIES = env.str("CRAWLSITE_DICTIONARIES", default="")
WORD_VECTORS_LICENCE = env.str("CRAWLSITE_WORD_VECTORS_LICENCE", default="")
# Digests of watches, and where they go.
ADDRESS = env.str("CRAWLSITE_ADDRESS", default="").rstrip("/")
WEBHOOK_ORIGINS = env.list("CRAWLSITE_WEBHOOK_ORIGINS", default=[])
MAIL_SERVER = env.str("CRAWLSITE_MAIL", default="")
if MAIL_SERVER:
    vars().update(env.email_url_config(MAIL_SERVER))
    EMAIL_TIMEOUT = 30
DEFAULT_FROM_EMAIL = (
    env.str("CRAWLSITE_MAIL_FROM", default="")
    or f"crawlsite@{urlsplit(ADDRESS).hostname or 'localhost'}"
)
USER_AGENT = f"crawlsite/{VERSION}" + (f" (+{CONTACT})" if CONTACT else "")

# How many an account may have, so that one does not fill the site for all.
MOST_TOPICS = env.int("CRAWLSITE_MOST_TOPICS", default=10_000)
MOST_CRAWLS = env.int("CRAWLSITE_MOST_CRAWLS", default=10_000)
MOST_UPLOADS = env.int("CRAWLSITE_MOST_UPLOADS", default=100)

METRICS_TOKEN = env.str("CRAWLSITE_METRICS_TOKEN", default="")

CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    # More names than anybody can try in the five minutes that a count lasts.
    "guesses": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "guesses",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    },
}

LANGUAGE_CODE = "en-gb"
TIME_ZONE = valid_zone(env.str("CRAWLSITE_TIME_ZONE", default="") or "UTC")
USE_I18N = False
USE_TZ = True

STATICFILES_DIRS = [folders.SCREENS / "static"]
STATIC_URL = static_address(folders.SCREENS / "static")
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG
# Which addresses browsers keep for good: none while files are being changed.
WHITENOISE_IMMUTABLE_FILE_TEST = "(?!)" if DEBUG else ""

LOGIN_URL = "/sign-in/"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/sign-in/"
AUTHENTICATION_BACKENDS = [
    "apps.accounts.guessing.SlowGuesses",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
SIGN_IN_LINK_SECONDS = 600

# Behind a server that speaks HTTPS and sets X-Forwarded-Proto.
HTTPS = env.bool("CRAWLSITE_HTTPS", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
# Only stored copies of pages may be framed; their view allows it.
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 20 * 2**20
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "line"},
        "nowhere": {"class": "logging.NullHandler"},
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "crawlsite": {"level": "INFO"},
        "django-q": {"level": "WARNING"},
        # A wrong Host header is answered with 400 and needs no traceback.
        "django.security.DisallowedHost": {"handlers": ["nowhere"], "propagate": False},
    },
}
