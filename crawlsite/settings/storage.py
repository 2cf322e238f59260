"""The database, the files, Redis, and the caches."""

from __future__ import annotations

import environ

from crawlsite.data_folder import private_database
from crawlsite.settings.paths import DATA_DIR

env = environ.Env()

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
