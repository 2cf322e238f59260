"""What every test needs: a data folder of its own, set before the settings are read."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from pathlib import Path

import django
import hypothesis
import pytest

# Nothing of the tests may land in the checkout's data folder.
_DATA = tempfile.mkdtemp(prefix="crawlsite-tests-")
os.environ["CRAWLSITE_DATA"] = _DATA
os.environ["CRAWLSITE_AGENTS"] = "0"  # tests of agents start their own
os.environ["CRAWLSITE_WORD_VECTORS"] = "none"  # tests of vectors name their own
# Each worker of pytest-xdist is a process: its own data folder, database and Redis prefix.
if "PYTEST_XDIST_WORKER" in os.environ and "CRAWLSITE_REDIS_PREFIX" in os.environ:
    os.environ["CRAWLSITE_REDIS_PREFIX"] += f"_{os.environ['PYTEST_XDIST_WORKER']}"
os.environ["DJANGO_SETTINGS_MODULE"] = "crawlsite.settings"
django.setup()

from django.conf import settings  # noqa: E402
from django.core.cache import caches  # noqa: E402
from django.db import connection  # noqa: E402

from apps.engine.garbage import freeze_for_good  # noqa: E402
from tests.emptied_tables import empty_quickly  # noqa: E402
from tests.static_once import list_once  # noqa: E402
from tests.tables import begin_with_tables  # noqa: E402
from tests.trained_once import train_once  # noqa: E402

# Hashes are slow on purpose; here nobody guesses passwords.
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
train_once()
list_once()
empty_quickly()

# No test depends on time, and none fails because the machine is busy.
hypothesis.settings.register_profile(
    "untimed", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("untimed")

# The fixtures `register`, for a thing of any catalogue; `on` and `s3`, for a store of files; and
# `parsed_once`.
pytest_plugins = (
    "tests.catalogues",
    "tests.shared_store",
    "tests.s3_server",
    "tests.engine.parsed_once",
)

TESTS = Path(__file__).parent
BROWSER = TESTS / "browser"
ENGINE = TESTS / "engine"
STORED_FIXTURES = {"db", "transactional_db", "django_db_setup", "live_server"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--stored", action="store_true", help="only what touches database, workers or live feed"
    )
    parser.addoption(
        "--browser", choices=("only", "without"), help="only the tests in Chromium, or all others"
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What an option leaves out is not even imported. Nothing of the engine is stored."""
    wanted = config.getoption("--browser")
    left_out = (
        (collection_path == ENGINE and config.getoption("--stored"))
        or (collection_path == BROWSER and wanted == "without")
        or (collection_path.parent == TESTS and collection_path != BROWSER and wanted == "only")
    )
    return True if left_out else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what is repeated on PostgreSQL and Redis, and with --stored keep only that: of several
    cases of a test the first, since it is the same code that asks the database."""
    repeated = set()
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        tree = item.get_closest_marker("tree")
        touches = tree or fixtures & STORED_FIXTURES or item.get_closest_marker("django_db")
        if touches and not item.get_closest_marker("alike"):
            if ENGINE in item.path.parents:
                raise pytest.UsageError(f"{item.nodeid}: the engine's tests use no database")
            test = item.nodeid.partition("[")[0]
            if tree or test not in repeated:
                item.add_marker("stored")
            repeated.add(test)
    # Playwright keeps an event loop in this thread, in which no other asynchronous test can run.
    # Files that wait for process trees come first, so that several workers end together.
    waiting = {item.path for item in items if item.get_closest_marker("tree")}
    items.sort(key=lambda item: (BROWSER in item.path.parents, item.path not in waiting))
    if config.getoption("--stored"):
        left_out = [item for item in items if not item.get_closest_marker("stored")]
        items[:] = [item for item in items if item.get_closest_marker("stored")]
        config.hook.pytest_deselected(items=left_out)


def pytest_collection_finish() -> None:
    """What is imported and collected stays to the end: no collection of garbage looks at it."""
    gc.collect()
    freeze_for_good()


def pytest_unconfigure() -> None:
    shutil.rmtree(_DATA, ignore_errors=True)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """The test database begins with tables that were made before."""
    begin_with_tables(connection)


@pytest.fixture
def data_dir(tmp_path: Path, settings) -> Path:
    """A data folder for one test, in the settings too."""
    settings.DATA_DIR = tmp_path
    return tmp_path


@pytest.fixture(autouse=True)
def nothing_cached() -> None:
    """No test sees what another one has had computed: row numbers begin anew with each."""
    for cache in caches.all():
        cache.clear()
