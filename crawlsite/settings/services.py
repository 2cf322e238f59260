"""How crawls reach the Web, and the services that topics, watches and monitors use."""

from __future__ import annotations

from urllib.parse import urlsplit

import environ

from apps.engine.networking.proxy import Proxy
from crawlsite.settings.paths import VERSION

env = environ.Env()

# Milliseconds before each answer of the demo web, so that its crawl lasts long enough to watch.
DEMO_LATENCY = env.float("CRAWLSITE_DEMO_LATENCY", default=100)

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

METRICS_TOKEN = env.str("CRAWLSITE_METRICS_TOKEN", default="")
