"""Words and names have budgets: a name stands for one thing, a function is a verb.

Each package of `apps`, `crawlsite` and the tests may have at most `BUDGET` of each group of `WORDS`
in 1,000 lines of its own code.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
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

# What the engine reads and the row that stores it have one name.
STORED = frozenset({"Example", "Topic", "Web"})


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


def functions(package: Path) -> Iterator[str]:
    """The names of all functions and methods; a property is named by a noun or an adjective."""
    for path in modules(package):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not _is_property(node):
                yield node.name


def _is_property(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(ast.unparse(each).endswith("property") for each in function.decorator_list)


def classes(package: Path) -> Iterator[str]:
    """The names of all classes but those of catalogues, which are named by their ids; a class
    inside another is read with its owner's name (`Job.State`)."""
    for path in modules(package):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not _has_id(node):
                yield node.name


def _has_id(cls: ast.ClassDef) -> bool:
    """Whether the class has an id: `id = "context_use"`."""
    assigned = [each for each in cls.body if isinstance(each, ast.Assign)]
    return any(ast.unparse(target) == "id" for each in assigned for target in each.targets)


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
    participles = [name for name in functions(package) if name.strip("_") in PARTICIPLES]
    assert participles == []


def test_a_class_name_stands_for_one_thing() -> None:
    owners = defaultdict(list)
    for package in packages():
        for name in classes(package):
            if name not in SHARED | STORED:
                owners[name].append(package.name)
    several = {name: all for name, all in owners.items() if len(all) > 1}
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
