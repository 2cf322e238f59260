"""Runs the tests with every database that is installed here: `python -m tests.set_ups`.

Side by side: the rules of the house, every test on SQLite, those in Chromium apart, and what
touches the database, the workers or the live feed once more on PostgreSQL and Redis, in a database
and a Redis prefix of their own. Arguments go to pytest; with arguments the rules are left out. A
soak runs one after the other, so that none is slowed down by another.

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
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from textwrap import indent
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
# These two processes give way to the runs that have one process each, so that at the end both cores
# still have work.
GIVES_WAY = 5

# The slowest tests are named, so that one sees what makes everybody wait.
SHOWN = ("-q", "--durations=15", "--durations-min=5")
# So many lines of a failed test's traceback are repeated at the end.
TRACEBACK_LINES = 25
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
    tracebacks: Mapping[str, str] = field(default_factory=dict)
    """The last lines of the traceback of each, since a log is read from its end."""

    def line(self) -> str:
        return (
            f"{self.name}: {self.passed} passed, {self.failed} failed, "
            f"{self.skipped} skipped in {self.seconds:.0f} s"
        )


@dataclass(frozen=True)
class SetUp:
    """One run of pytest: its name in the report, its options, whether on real stores, and how much
    it gives way to the others (what `nice` adds)."""

    name: str
    options: Sequence[str] = ()
    on_stores: bool = False
    niceness: int = 0


def set_ups(is_whole: bool, has_stores: bool) -> list[SetUp]:
    """What is run: of a part of the tests one process each is enough."""
    here = [SetUp("SQLite")]
    if is_whole:
        here = [
            SetUp("SQLite", ("--browser=without", *SEVERAL), niceness=GIVES_WAY),
            SetUp("Chromium", ("--browser=only", *TWICE)),
        ]
    return here + [SetUp("PostgreSQL and Redis", ("--stored",), on_stores=True)] * has_stores


def main(arguments: Sequence[str]) -> int:
    missing = what_is_missing()
    has_stores = not any("PostgreSQL" in what or "Redis" in what for what in missing)
    outcomes = run_all(set_ups(not arguments, has_stores), arguments)
    print("\nWhat ran:")
    for outcome in outcomes:
        print("  " + outcome.line())
        for failure in outcome.failures:
            print("    failed: " + failure)
            if failure in outcome.tracebacks:
                print(indent(outcome.tracebacks[failure], " " * 8))
    strict = bool(os.environ.get("CI"))
    for what in missing:
        print(f"  {'FAILED' if strict else 'left out'}: {what}")
    passed = sum(outcome.passed for outcome in outcomes)
    failed = sum(outcome.failed for outcome in outcomes) + (len(missing) if strict else 0)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def run_all(planned: Sequence[SetUp], arguments: Sequence[str]) -> list[Outcome]:
    """Side by side, or in a soak one after the other; the rules too, unless there are arguments."""
    checks: list[Callable[[], Outcome]] = [partial(run, each, arguments) for each in planned]
    if not arguments:
        checks.insert(0, rules)
    with ThreadPoolExecutor(1 if os.environ.get("CRAWLSITE_SOAK") else len(checks)) as threads:
        return list(threads.map(lambda check: check(), checks))


def rules() -> Outcome:
    """Ruff, mypy, the import contracts, the checks of the JavaScript; one that is broken counts as
    one failed test, and is named."""
    begun, failures = time.monotonic(), []
    programs = [[str(Path(sys.executable).with_name(rule[0])), *rule[1:]] for rule in RULES]
    for line in [*programs, ["sh", str(JAVASCRIPT)]]:
        if _printed("Rules", line, os.environ):
            failures.append(" ".join([Path(line[0]).name, *line[1:]]))
    count = len(programs) + 1
    seconds = time.monotonic() - begun
    return Outcome("Rules", seconds, count - len(failures), len(failures), failures=failures)


def run(set_up: SetUp, arguments: Sequence[str]) -> Outcome:
    """One run of pytest in a clean environment; each line of its output begins with its name."""
    options = [*set_up.options, *arguments]
    if not set_up.on_stores:
        return _run(set_up, options, {})
    servers = {"DATABASE_URL": POSTGRES, "REDIS_URL": REDIS}
    with stores.own_stores(servers=servers) as environment:
        return _run(set_up, options, environment)


def _run(set_up: SetUp, options: Sequence[str], environment: Mapping[str, str]) -> Outcome:
    clean = {key: value for key, value in os.environ.items() if key not in NOT_PASSED_ON}
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="crawlsite-report-") as folder:
        report = Path(folder) / "report.xml"
        pytest = [sys.executable, "-m", "pytest", *SHOWN, f"--junitxml={report}", *options]
        line = ["nice", "-n", str(set_up.niceness), *pytest]
        code = _printed(set_up.name, line, {**clean, **environment})
        return _outcome(set_up.name, report, code, time.monotonic() - begun)


def _printed(name: str, line: Sequence[str], environment: Mapping[str, str]) -> int:
    """Runs a command whose printed lines are passed on, each after that name; its exit code."""
    with subprocess.Popen(
        line,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        assert process.stdout is not None
        for printed in process.stdout:
            print(f"{name} | {printed}", end="", flush=True)
    return process.returncode


def what_is_missing() -> list[str]:
    """A sentence for each part that is not here."""
    missing = []
    if not (shutil.which("chromium") or shutil.which("chromium-browser")):
        missing.append("no Chromium, so no browser tests (sudo apt-get install -y chromium)")
    reason = _why_postgres_is_silent()
    if reason:
        missing.append(f"PostgreSQL does not answer ({reason})")
    reason = _why_redis_is_silent()
    if reason:
        missing.append(f"Redis does not answer ({reason})")
    return missing


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
    why = _tracebacks(root)
    return Outcome(name, seconds, passed, failed, total["skipped"], [*why], why)


def _tracebacks(root: ElementTree.Element) -> dict[str, str]:
    """The last lines of the traceback of each test of a report that failed, by module or class, and
    name."""
    return {
        f"{case.get('classname')}::{case.get('name')}": _last_lines(case)
        for case in root.iter("testcase")
        if case.find("failure") is not None or case.find("error") is not None
    }


def _last_lines(case: ElementTree.Element) -> str:
    texts = [each.text or "" for kind in ("failure", "error") for each in case.findall(kind)]
    return "\n".join("\n".join(texts).rstrip().splitlines()[-TRACEBACK_LINES:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
