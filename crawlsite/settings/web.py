"""How the site answers browsers: hosts, apps, middleware, static files, sign-in and security."""

from __future__ import annotations

import environ

from crawlsite import folders
from crawlsite.static_address import static_address
from crawlsite.time_zone import valid_zone

env = environ.Env()

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
FORM_RENDERER = "apps.screens.form_renderer.FormRenderer"

CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    # What was counted of pages and holds until they change.
    "counts": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "counts",
        "TIMEOUT": None,
        "OPTIONS": {"MAX_ENTRIES": 300},
    },
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
