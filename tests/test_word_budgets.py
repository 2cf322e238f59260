"""Words and names have budgets: a name stands for one thing, a function is a verb.

Each package of `apps`, `crawlsite` and the tests may have at most `BUDGET` of each group of `WORDS`
in 1,000 lines of its own code.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BUDGET = 3
WORDS = {
    "found": "found",
    "place": "places?",
    "known": "known",
    "say": "says?|said|tells?|told",
}
# Names of functions that are a bare participle; `read` and `set` are verbs as well.
PARTICIPLES = frozenset(
    "asked begun brought built caught chosen counted done drawn felt found given gone held judged "
    "kept known left listed lost made meant met named noted owed own paid placed said seen sent "
    "shown sought spoken stood supplied taken thought told understood wanted written".split()
)
# What frameworks and conventions name: every command is a Command.
SHARED = frozenset({"Meta", "Command"})

PARTICIPLES_LEFT: dict[str, int] = {
    "experiments": 1,  # a key of the API
}
# Class names that stand for several things, with the number of their classes: what the engine reads
# and the row that stores it, a class in another (`Job.State`), and what catalogues name by an id.
HOMONYMS_LEFT: dict[str, int] = {
    "BestFirst": 2,
    "ContextQuality": 2,
    "ContextUse": 2,
    "Diversity": 2,
    "Example": 2,
    "Kind": 3,
    "PrecisionRecall": 2,
    "RelevanceDistribution": 2,
    "Role": 2,
    "Source": 3,
    "State": 5,
    "StatusMap": 2,
    "Topic": 2,
    "Web": 2,
}


def _pattern(words: str) -> re.Pattern[str]:
    """The words in prose and as parts of names: `found`, `_found_at`, `PagesFound`, `FOUND`."""
    forms = words.split("|")
    capital = [form[0].upper() + form[1:] for form in forms]
    upper = [form.upper().replace("S?", "S?") for form in forms]
    any_case = "|".join([*forms, *capital, *upper])
    return re.compile(
        rf"(?<![A-Za-z])(?:{any_case})(?![a-z])|(?<=[a-z])(?:{'|'.join(capital)})(?![a-z])"
    )


PATTERNS = {name: _pattern(words) for name, words in WORDS.items()}


def rooms() -> list[Path]:
    """The packages, and the tests."""
    return [*packages(), ROOT / "tests"]


def packages() -> list[Path]:
    folders = [path for path in (ROOT / "apps").iterdir() if (path / "__init__.py").is_file()]
    return [*sorted(folders), ROOT / "crawlsite"]


def modules(package: Path) -> Iterator[Path]:
    return (path for path in package.rglob("*.py") if "migrations" not in path.parts)


@cache
def count(package: Path) -> tuple[int, dict[str, int]]:
    """The lines that are not blank, and how often each group of words is in them."""
    lines, counts = 0, dict.fromkeys(WORDS, 0)
    for path in modules(package):
        text = path.read_text()
        lines += sum(bool(line.strip()) for line in text.splitlines())
        for name, pattern in PATTERNS.items():
            counts[name] += len(pattern.findall(text.replace("NotFound", "")))
    return lines, counts


def names(package: Path, *kinds: type[ast.AST]) -> Iterator[str]:
    """The names of all definitions of these kinds."""
    for path in modules(package):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, kinds):
                yield node.name


@pytest.mark.parametrize("package", rooms(), ids=lambda package: package.name)
def test_words_of_our_dialect_are_within_the_budget(package: Path) -> None:
    lines, counts = count(package)
    allowed = BUDGET * max(lines, 334) // 1000
    over = {
        name: f"{number}, allowed {allowed}" for name, number in counts.items() if number > allowed
    }
    assert over == {}


@pytest.mark.parametrize("package", packages(), ids=lambda package: package.name)
def test_functions_are_named_by_verbs(package: Path) -> None:
    participles = Counter(
        name
        for name in names(package, ast.FunctionDef, ast.AsyncFunctionDef)
        if name.strip("_") in PARTICIPLES
    )
    assert participles.total() <= PARTICIPLES_LEFT.get(package.name, 0), dict(participles)


def test_a_class_name_stands_for_one_thing() -> None:
    owners = defaultdict(list)
    for package in packages():
        for name in names(package, ast.ClassDef):
            if name not in SHARED:
                owners[name].append(package.name)
    several = {name: all for name, all in owners.items() if len(all) > HOMONYMS_LEFT.get(name, 1)}
    assert several == {}


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("what is found there", "found"),
        ("def _found(self)", "found"),
        ("PagesFound", "found"),
        ("FOUND = 1", "found"),
        ("by_places", "place"),
        ("TOLD_EVERY", "say"),
        ("It says so", "say"),
        ("known_zone", "known"),
    ],
)
def test_a_word_is_recognised_in_prose_and_names(text: str, group: str) -> None:
    assert [name for name, pattern in PATTERNS.items() if pattern.findall(text)] == [group]


@pytest.mark.parametrize(
    "text", ["foundation", "placement", "replace", "unknown", "essays", "toll"]
)
def test_other_words_are_not_taken_for_it(text: str) -> None:
    assert not any(pattern.findall(text) for pattern in PATTERNS.values())
