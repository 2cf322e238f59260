"""Runs the tests with every database that is installed here: `python -m tests.set_ups`.

First the rules of the house. Then, side by side, every test on SQLite, those in Chromium apart, and
what touches the database, the workers or the live feed once more on PostgreSQL and Redis, in a
database and a Redis prefix of their own. Arguments go to pytest; with arguments the rules are left
out. A soak runs one set-up after the other, so that none is slowed down by another.

    CI                     if set, a missing PostgreSQL, Redis, Chromium, node or
                           eslint is a failure
    CRAWLSITE_SOAK         if set, a soak
    CRAWLSITE_TEST_POSTGRES, CRAWLSITE_TEST_REDIS
                           where the servers are, if not on their usual ports of 127.0.0.1
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from tests import stores

POSTGRES = os.environ.get("CRAWLSITE_TEST_POSTGRES", "postgres://postgres@127.0.0.1:5432/test")
REDIS = os.environ.get("CRAWLSITE_TEST_REDIS", "redis://127.0.0.1:6379/0")
# What is compiled once is read by the processes of every test after it, and by the second run.
NOT_PASSED_ON = (
    "DATABASE_URL",
    "REDIS_URL",
    "CRAWLSITE_REDIS_PREFIX",
    "CRAWLSITE_DATA",
    "PYTHONDONTWRITEBYTECODE",
)
RULES = (("ruff", "check"), ("ruff", "format", "--check"), ("mypy",), ("lint-imports",))
JAVASCRIPT = Path(__file__).resolve().parents[1] / "scripts" / "javascript.sh"
NOTHING_COLLECTED = 5
# Two processes for what computes; browser and databases mostly wait for others. A file's tests stay
# together, since they share what is dear to make.
SEVERAL = ("--numprocesses=2", "--dist=loadfile", "--no-loadscope-reorder")

# The slowest tests are named, so that one sees what makes everybody wait.
SHOWN = ("-q", "--durations=15", "--durations-min=5")
# A page is driven from outside while it loads: what fails is tried once more, and named.
TWICE = ("--reruns=1", "-rR")


@dataclass(frozen=True)
class Outcome:
    """How one run of pytest ended; an error counts as failed."""

    name: str
    seconds: float
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    failures: Sequence[str] = ()
    """The tests that failed, by their ids."""

    def line(self) -> str:
        return (
            f"{self.name}: {self.passed} passed, {self.failed} failed, "
            f"{self.skipped} skipped in {self.seconds:.0f} s"
        )


@dataclass(frozen=True)
class SetUp:
    """One run of pytest: its name in the report, its options, and whether on real stores."""

    name: str
    options: Sequence[str] = ()
    on_stores: bool = False


def set_ups(is_whole: bool, has_stores: bool) -> list[SetUp]:
    """What is run: of a part of the tests one process each is enough."""
    here = [SetUp("SQLite")]
    if is_whole:
        here = [
            SetUp("SQLite", ("--browser=without", *SEVERAL)),
            SetUp("Chromium", ("--browser=only", *TWICE)),
        ]
    return here + [SetUp("PostgreSQL and Redis", ("--stored",), on_stores=True)] * has_stores


def main(arguments: Sequence[str]) -> int:
    missing = what_is_missing()
    outcomes = [] if arguments else [rules()]
    has_stores = not any("PostgreSQL" in what or "Redis" in what for what in missing)
    planned = set_ups(not arguments, has_stores)
    with ThreadPoolExecutor(1 if os.environ.get("CRAWLSITE_SOAK") else len(planned)) as threads:
        outcomes += threads.map(lambda set_up: run(set_up, arguments), planned)
    print("\nWhat ran:")
    for outcome in outcomes:
        print("  " + outcome.line())
        for failure in outcome.failures:
            print("    failed: " + failure)
    strict = bool(os.environ.get("CI"))
    for what in missing:
        print(f"  {'FAILED' if strict else 'left out'}: {what}")
    passed = sum(outcome.passed for outcome in outcomes)
    failed = sum(outcome.failed for outcome in outcomes) + (len(missing) if strict else 0)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def rules() -> Outcome:
    """Ruff, mypy, the import contracts, the checks of the JavaScript; one that is broken counts as
    one failed test."""
    begun, codes = time.monotonic(), []
    for rule in RULES:
        print("\n--- " + " ".join(rule), flush=True)
        program = Path(sys.executable).with_name(rule[0])
        codes.append(subprocess.run([program, *rule[1:]], check=False).returncode)
    print("\n--- scripts/javascript.sh", flush=True)
    codes.append(subprocess.run(["sh", JAVASCRIPT], check=False).returncode)
    failed = sum(map(bool, codes))
    return Outcome("Rules", time.monotonic() - begun, len(codes) - failed, failed)


def run(set_up: SetUp, arguments: Sequence[str]) -> Outcome:
    """One run of pytest in a clean environment; each line of its output begins with its name."""
    options = [*set_up.options, *arguments]
    if not set_up.on_stores:
        return _run(set_up.name, options, {})
    servers = {"DATABASE_URL": POSTGRES, "REDIS_URL": REDIS}
    with stores.own_stores(servers=servers) as environment:
        return _run(set_up.name, options, environment)


def _run(name: str, options: Sequence[str], environment: Mapping[str, str]) -> Outcome:
    clean = {key: value for key, value in os.environ.items() if key not in NOT_PASSED_ON}
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="crawlsite-report-") as folder:
        report = Path(folder) / "report.xml"
        with subprocess.Popen(
            [sys.executable, "-m", "pytest", *SHOWN, f"--junitxml={report}", *options],
            env={**clean, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        ) as pytest:
            assert pytest.stdout is not None
            for line in pytest.stdout:
                print(f"{name} | {line}", end="", flush=True)
        return _outcome(name, report, pytest.returncode, time.monotonic() - begun)


def what_is_missing() -> list[str]:
    """A sentence for each part that is not here."""
    found = []
    if not (shutil.which("chromium") or shutil.which("chromium-browser")):
        found.append("no Chromium, so no browser tests (sudo apt-get install -y chromium)")
    reason = _why_postgres_is_silent()
    if reason:
        found.append(f"PostgreSQL does not answer ({reason})")
    reason = _why_redis_is_silent()
    if reason:
        found.append(f"Redis does not answer ({reason})")
    return found


def _why_postgres_is_silent() -> str:
    import psycopg

    try:
        psycopg.connect(POSTGRES, connect_timeout=3).close()
    except psycopg.Error as error:
        return " ".join(str(error).split())
    return ""


def _why_redis_is_silent() -> str:
    import redis

    try:
        with redis.from_url(REDIS, socket_connect_timeout=3) as client:
            client.ping()
    except redis.RedisError as error:
        return str(error)
    return ""


def _outcome(name: str, report: Path, code: int, seconds: float) -> Outcome:
    if not report.exists():
        return Outcome(name, seconds, failed=1)
    root = ElementTree.parse(report).getroot()
    suites = root.iter("testsuite")
    counts = [
        {k: int(s.get(k, 0)) for k in ("tests", "failures", "errors", "skipped")} for s in suites
    ]
    total = {key: sum(count[key] for count in counts) for key in counts[0]}
    failed = total["failures"] + total["errors"]
    if code not in (0, NOTHING_COLLECTED) and not failed:
        # Stopped short: an internal error, a collection that broke off.
        failed = 1
    passed = max(0, total["tests"] - total["failures"] - total["errors"] - total["skipped"])
    return Outcome(name, seconds, passed, failed, total["skipped"], _failures(root))


def _failures(root: ElementTree.Element) -> list[str]:
    """The tests of a report that failed: their module or class, and their name."""
    return [
        f"{case.get('classname')}::{case.get('name')}"
        for case in root.iter("testcase")
        if case.find("failure") is not None or case.find("error") is not None
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
