"""Somebody who follows the recipes and nothing else breaks no test: their examples stand in a copy
of the tree, each a file and a line of its catalogue, and the tests that read the catalogues run
there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.test_contributing import block

ROOT = Path(__file__).parents[1]
COPIED = ("apps", "crawlsite", "docs", "scripts", "static", "templates", "tests", ".github")
CONTRACTS = (
    "tests/engine/evaluation/test_measures.py",
    "tests/engine/frontier/test_orders.py",
    "tests/engine/frontier/test_parents.py",
    "tests/engine/intelligence/strategies/test_keyword_anchor.py",
    "tests/crawls/charts",
    "tests/crawls/measures/plots/test_plots.py",
    "tests/screens/help/test_figures.py",
    "tests/screens/live/test_figures.py",
    "tests/search/test_catalogues.py",
    "tests/test_mirror.py",
)


@dataclass(frozen=True)
class Trial:
    """An example by what its code defines, the file it belongs to, and its line: the catalogue's
    file and name, what is imported, what is entered."""

    defines: str
    file: str
    catalogue: str = ""
    name: str = ""
    entry: str = ""

    @property
    def code(self) -> str:
        return block(self.defines)

    def apply(self, tree: Path) -> None:
        (tree / self.file).write_text(self.code)
        if not self.catalogue:
            return
        path = tree / self.catalogue
        module = self.file.removesuffix(".py").replace("/", ".")
        imported = self.entry.removesuffix("()")
        text = _entered(path.read_text(), self.name, self.entry)
        future = "from __future__ import annotations\n"
        path.write_text(text.replace(future, f"{future}\nfrom {module} import {imported}\n", 1))


def _entered(text: str, name: str, entry: str) -> str:
    """The text with an entry at the end of the named catalogue."""
    opened = re.search(rf"^{name}: [^\n]*= (?:\(|\{{\s+\w+\.id: \w+\s+for \w+ in \()", text, re.M)
    assert opened is not None, name
    depth, end = 1, opened.end()
    while depth:
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    inside = text[opened.end() : end - 1].rstrip().rstrip(",")
    return f"{text[: opened.end()]}{inside}, {entry}{text[end - 1 :]}"


STRATEGIES = "apps/engine/intelligence/strategies"
TRIALS = (
    Trial(
        "class KeywordAnchor",
        f"{STRATEGIES}/keyword_anchor.py",
        f"{STRATEGIES}/guides.py",
        "GUIDES",
        "KeywordAnchor",
    ),
    Trial(
        "def test_it_counts_the_keywords_of_the_anchor",
        "tests/engine/intelligence/strategies/test_keyword_anchor.py",
    ),
    Trial(
        "class Certainty",
        "apps/engine/evaluation/certainty.py",
        "apps/engine/evaluation/__init__.py",
        "MEASURES",
        "Certainty",
    ),
    Trial(
        "CERTAINTY",
        "apps/crawls/charts/certainty.py",
        "apps/crawls/charts/__init__.py",
        "CHARTS",
        "CERTAINTY",
    ),
    Trial(
        "class PairsByDistance",
        "apps/crawls/measures/plots/pairs_by_distance.py",
        "apps/crawls/measures/plots/__init__.py",
        "PLOTS",
        "PairsByDistance()",
    ),
    Trial(
        "class HalfWay",
        "apps/experiments/figures/half_way.py",
        "apps/experiments/figures/__init__.py",
        "FIGURES",
        "HalfWay()",
    ),
    Trial(
        "class Least",
        "apps/engine/frontier/parents/least.py",
        "apps/engine/frontier/parents/__init__.py",
        "POLICIES",
        "Least()",
    ),
    Trial(
        "class DeepFirst",
        "apps/engine/frontier/orders/deep_first.py",
        "apps/engine/frontier/orders/__init__.py",
        "ORDERS",
        "DeepFirst()",
    ),
    Trial(
        "ADDRESSES",
        "apps/exports/addresses.py",
        "apps/exports/formats.py",
        "FORMATS",
        "ADDRESSES",
    ),
    Trial(
        "class PageNumber",
        "apps/collection/filters/page_number.py",
        "apps/collection/filters/catalogue.py",
        "FILTERS",
        "PAGE_NUMBER",
    ),
    Trial(
        "DOUBLE",
        "apps/crawls/commands/limits/double.py",
        "apps/crawls/commands/catalogue.py",
        "_COMMANDS",
        "DOUBLE",
    ),
    Trial(
        "EVERYTHING_BEFORE",
        "apps/engine/parsing/contexts/everything_before.py",
        "apps/engine/parsing/contexts/__init__.py",
        "CONTEXTS",
        "EVERYTHING_BEFORE",
    ),
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with all examples, in a repository of its own."""
    folder = tmp_path_factory.mktemp("trial") / "tree"
    subprocess.run(["git", "init", "-q", folder], check=True)
    for name in COPIED:
        skipped = shutil.ignore_patterns("__pycache__", "*.pyc")
        shutil.copytree(ROOT / name, folder / name, ignore=skipped)
    for file in ROOT.iterdir():
        if file.is_file() and file.name not in (".env", ".git"):
            shutil.copy2(file, folder)
    for trial in TRIALS:
        trial.apply(folder)
    return folder


def run(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    kept = {key: value for key, value in os.environ.items() if key != "CRAWLSITE_DATA"}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=tree,
        env={**kept, "CRAWLSITE_DATA": str(tree.parent / "data")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.alike
def test_the_contracts_hold_for_what_is_added(tree: Path) -> None:
    done = run(tree, *CONTRACTS)
    assert done.returncode == 0, done.stdout[-8_000:] + done.stderr[-2_000:]


@pytest.mark.soak
@pytest.mark.skipif("CRAWLSITE_SOAK" not in os.environ, reason="the whole suite, in `make soak`")
def test_the_whole_suite_passes_with_what_is_added(tree: Path) -> None:
    alone = "--ignore=tests/test_contributing.py"  # it enters the same examples itself
    done = run(tree, alone, "-m", "not soak and not kills and not browser and not tree")
    assert done.returncode == 0, done.stdout[-20_000:]
