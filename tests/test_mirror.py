"""The test of a file is found without searching: of apps/a/b.py it is tests/a/test_b.py.

A package may be tested as a whole (tests/a/test_a.py), a command by its name. What tells a story
of several modules is listed here; it lies where most of the story happens.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from scripts.mutate import PROMISES
from tests.running_site import ROOT

TESTS = ROOT / "tests"
# Folders of tests of the whole product.
WHOLE = {Path(), Path("browser")}
STORIES = frozenset(
    map(
        Path,
        (
            # Promises, kept by engine, workers and database together.
            "crawls/running/test_beginning_with_words.py",
            "crawls/running/test_every_strategy.py",
            "engine/crawl/test_beginning_with_words.py",
            "crawls/running/test_full_disk.py",
            "crawls/running/test_kills.py",
            "watches/test_kills.py",
            "crawls/running/test_lost_database.py",
            "crawls/running/test_machines_without_a_common_folder.py",
            "crawls/running/test_drained.py",
            "crawls/running/test_samples.py",
            "crawls/running/test_troubles.py",
            "crawls/test_a_million_pages.py",
            "screens/test_bounds.py",
            "screens/test_pressed_twice.py",
            "machines/test_agents_add_up.py",
            "experiments/results/test_evidence.py",
            "exports/test_evidence.py",
            "crawls/inputs/test_continued.py",
            "crawls/commands/test_steering.py",
            "crawls/test_page_limit.py",
            "crawlsite/test_set_up.py",
            "machines/test_namespaces.py",
            "crawlsite/test_compose.py",
            "crawlsite/test_package.py",
            "crawlsite/test_set_up_script.py",
            "crawlsite/test_side_by_side.py",
            # Crawls that meet what webs have in store.
            "engine/crawl/test_hostile_hosts.py",
            "engine/crawl/test_documents.py",
            "engine/crawl/test_large_pages.py",
            "engine/crawl/test_languages.py",
            "engine/crawl/test_link_limit.py",
            "engine/crawl/test_memory.py",
            "engine/frontier/test_a_million.py",
            "engine/crawl/test_politeness_of_a_crawl.py",
            "engine/crawl/test_private_addresses.py",
            "engine/crawl/test_retries.py",
            "engine/parsing/documents/test_hostile_documents.py",
            "engine/parsing/test_hostile_pages.py",
            # The same crawl in other ways.
            "engine/crawl/test_without_rows.py",
            "engine/replays/test_equal_crawls.py",
            # What holds for each thing of a catalogue.
            "search/test_catalogues.py",
            "screens/page/test_documents.py",
            "engine/evaluation/test_means.py",
            "engine/evaluation/test_measures.py",
            "engine/intelligence/strategies/test_contract.py",
            "engine/intelligence/strategies/test_latent.py",
            "engine/intelligence/strategies/test_needed.py",
            "engine/representation/test_left_factors.py",
            "engine/representation/test_more_weightings.py",
            "exports/test_known.py",
            "exports/test_status_source.py",
            "recipes/test_parts.py",
            # The papers' claims, over several experiments or strategies.
            "demo/test_strategies.py",
            # The API by its users, the screens by theirs.
            "api/test_access.py",
            "api/test_files.py",
            "api/test_resources.py",
            "api/test_schema.py",
            "screens/accounts/test_sign_in.py",
            "screens/live/test_live_feed.py",
            "screens/live/test_pages_on_demand.py",
            "screens/live/test_sharing.py",
            "screens/test_every_screen.py",
            "screens/test_evidence.py",
            "screens/test_evidence_of_rooms.py",
            "screens/test_static.py",
            "stored_files/test_rooms.py",
        ),
    )
)


def placed() -> Iterator[Path]:
    for file in sorted(TESTS.rglob("test_*.py")):
        path = file.relative_to(TESTS)
        if path.parent not in WHOLE:
            yield path


def has_its_file(test: Path) -> bool:
    """Whether there is a module, a package or a command where the test's place says."""
    name = test.stem.removeprefix("test_")
    for package in (ROOT / "apps" / test.parent, ROOT / test.parent):
        commands = package / "management" / "commands"
        of_the_whole = name == package.name and package.is_dir()
        if of_the_whole or any((p / f"{name}.py").is_file() for p in (package, commands)):
            return True
        if (package / name / "__init__.py").is_file():
            return True
    return False


def test_each_test_stands_where_its_file_does() -> None:
    lost = [str(test) for test in placed() if test not in STORIES and not has_its_file(test)]
    assert lost == []


def test_what_is_listed_is_there_and_needs_to_be_listed() -> None:
    assert [str(story) for story in STORIES if not (TESTS / story).is_file()] == []
    assert [str(story) for story in STORIES if has_its_file(story)] == []


def test_the_modules_that_carry_promises_are_there_with_their_tests() -> None:
    named = {path for pair in PROMISES.items() for path in pair}
    assert [path for path in named if not (ROOT / path).exists()] == []
