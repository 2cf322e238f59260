"""What is logged, and where."""

from __future__ import annotations

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
