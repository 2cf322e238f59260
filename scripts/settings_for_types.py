"""The site's settings as mypy's plugin for Django reads them: with a data folder of its own in the
cache, so that checking types never opens that of a site."""

from __future__ import annotations

import os
from pathlib import Path

os.environ["CRAWLSITE_DATA"] = str(Path(__file__).parents[1] / ".mypy_cache" / "data")
for name in ("DATABASE_URL", "REDIS_URL", "CRAWLSITE_S3_BUCKET"):
    os.environ.pop(name, None)

from crawlsite.settings import *  # noqa: E402, F403
