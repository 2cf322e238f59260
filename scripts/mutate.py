"""Mutation tests for the modules that carry promises: makes small changes and runs their tests.

    python scripts/mutate.py [--each 20] [--seed 7] [MODULE ...]

Prints each change that no test notices, with its line. Works on a copy of the tree. Exits with 1 if
less than `ENOUGH` of a module's changes are noticed.
"""

from __future__ import annotations

import argparse
import ast
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
ENOUGH = 0.75
SECONDS = 300
# Each module with the tests of its promise.
PROMISES = {
    "apps/engine/networking/address_guard.py": "tests/engine/networking/test_address_guard.py",
    "apps/engine/networking/robots/files.py": "tests/engine/networking/robots/test_files.py",
    "apps/engine/networking/robots/rules.py": "tests/engine/networking/robots/test_rules.py",
    "apps/engine/networking/politeness.py": "tests/engine/networking/test_politeness.py",
    "apps/engine/networking/content.py": "tests/engine/networking/test_content.py",
    "apps/engine/crawl/fetching/host_turns.py": "tests/engine/crawl/fetching/test_host_turns.py",
    "apps/engine/crawl/fetching/pace.py": "tests/engine/crawl/fetching/test_pace.py",
    "apps/engine/crawl/limits.py": "tests/engine/crawl/test_limits.py",
    "apps/engine/frontier/traps.py": "tests/engine/frontier/test_traps.py",
    "apps/engine/frontier/discovery.py": "tests/engine/frontier",
    "apps/engine/frontier/priorities.py": "tests/engine/frontier",
    "apps/engine/frontier/queue.py": "tests/engine/frontier",
    "apps/crawls/lifecycle/lease.py": "tests/crawls/lifecycle/test_lease.py",
    "apps/jobs/queue.py": "tests/jobs",
    "apps/exports/csv.py": "tests/exports/test_exports.py",
    "apps/stored_pages/stored_copy.py": "tests/stored_pages/test_stored_copy.py",
    "apps/accounts/guessing.py": "tests/screens/accounts/test_sign_in.py",
}
SWAPS: dict[type, type] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
}


@dataclass(frozen=True)
class Mutant:
    """A module with one change: its line, the code before and after, and the whole text."""

    line: int
    before: str
    after: str
    text: str


def mutants(source: str) -> list[Mutant]:
    """All small changes of a module."""
    found = []
    tree = ast.parse(source)
    for number, node in enumerate(ast.walk(tree)):
        for change in changes(node):
            copy = ast.parse(source)
            twin = next(each for place, each in enumerate(ast.walk(copy)) if place == number)
            before = ast.unparse(twin)
            change(twin)
            found.append(
                Mutant(getattr(node, "lineno", 0), before, ast.unparse(twin), ast.unparse(copy))
            )
    return found


def changes(node: ast.AST) -> Iterator[Callable[[Any], None]]:
    """The possible changes of a node, as functions that make them."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPS:
        yield lambda twin: twin.ops.__setitem__(0, SWAPS[type(twin.ops[0])]())
    elif isinstance(node, ast.BoolOp | ast.BinOp) and type(node.op) in SWAPS:
        yield lambda twin: setattr(twin, "op", SWAPS[type(twin.op)]())
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        yield lambda twin: setattr(twin, "test", ast.UnaryOp(ast.Not(), twin.test))
    elif isinstance(node, ast.Constant) and type(node.value) in (bool, int, float):
        yield lambda twin: setattr(
            twin, "value", not twin.value if isinstance(twin.value, bool) else twin.value + 1
        )


def passes(text: str, copy: Path, module: str, tests: str) -> bool:
    """Whether the tests of the module pass if this is its text."""
    target = copy / module
    whole = target.read_text()
    target.write_text(text)
    line = [sys.executable, "-m", "pytest", "-x", "-q", tests]
    try:
        done = subprocess.run(line, cwd=copy, capture_output=True, timeout=SECONDS, check=False)
        return done.returncode == 0
    except subprocess.TimeoutExpired:
        return False  # an endless loop is noticed
    finally:
        target.write_text(whole)


def try_module(module: str, copy: Path, each: int, chosen: random.Random) -> float:
    """The share of a module's changes that its tests notice; survivors are printed."""
    source, tests = (ROOT / module).read_text(), PROMISES[module]
    if not passes(ast.unparse(ast.parse(source)), copy, module, tests):
        sys.exit(f"{tests} fails although {module} is whole: it would seem to notice everything")
    every = mutants(source)
    tried = chosen.sample(every, min(each, len(every)))
    left = [one for one in tried if passes(one.text, copy, module, tests)]
    print(f"{module}: {len(tried) - len(left)} of {len(tried)} changes noticed", flush=True)
    for one in left:
        print(f"    line {one.line}: {one.before}  ->  {one.after}", flush=True)
    return 1 - len(left) / len(tried)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("modules", nargs="*", default=list(PROMISES), metavar="MODULE")
    parser.add_argument("--each", type=int, default=20, help="changes tried of each module")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    options = parser.parse_args()
    print(f"seed {options.seed}")
    with tempfile.TemporaryDirectory(prefix="crawlsite-mutants-") as folder:
        copy = Path(folder) / "crawlsite"
        leave = shutil.ignore_patterns(".git", ".venv", "data", "__pycache__", "test-output")
        shutil.copytree(ROOT, copy, ignore=leave)
        chosen = random.Random(options.seed)
        shares = [try_module(module, copy, options.each, chosen) for module in options.modules]
    return 0 if min(shares) >= ENOUGH else 1


if __name__ == "__main__":
    sys.exit(main())
