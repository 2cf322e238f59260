"""Recorded webs opened for the crawls of experiments."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from apps.webs import replays
from apps.webs.importing import import_web
from apps.webs.models import Web
from apps.webs.replays import open_parsed_web, replay_folder
from apps.webs.selectors import live_web
from apps.webs.services import delete_web
from tests.deletions import finish_deletions
from tests.made_web import MadeWeb

pytestmark = pytest.mark.django_db
MADE = MadeWeb(pages=40)


@pytest.fixture(autouse=True)
def nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "_open", {})


def imported(folder: Path, name: str = "made", pages: int = 40) -> Web:
    file = folder / f"{name}.jsonl"
    file.write_text(MadeWeb(pages=pages).json_lines())
    return import_web(name, file)[0]


@pytest.fixture
def web(data_dir: Path) -> Web:
    return imported(data_dir)


def kept(data_dir: Path) -> set[Path]:
    return set((data_dir / "replays").glob("web-*/*"))


def test_a_web_is_prepared_when_it_is_opened_first(data_dir: Path, web: Web) -> None:
    beats = []
    parsed = open_parsed_web(web, heartbeat=lambda: beats.append(1))
    assert list(parsed.urls()) == list(MADE.urls()) and len(beats) >= 40
    assert parsed.get(MADE.url(4)).document.url == MADE.url(4)
    assert kept(data_dir) == {replay_folder(web)}
    assert open_parsed_web(web) is parsed


def test_another_limit_of_bytes_is_another_preparation(data_dir: Path, web: Web) -> None:
    assert open_parsed_web(web, 300).document(MADE.url(4)).truncated
    assert not open_parsed_web(web).document(MADE.url(4)).truncated
    assert kept(data_dir) == {replay_folder(web), replay_folder(web, 300)}


def test_other_code_or_other_pages_are_prepared_anew(
    data_dir: Path, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = replay_folder(web)
    index = data_dir / "webs" / "made" / "index.sqlite"
    os.utime(index, ns=(0, 0))
    assert replay_folder(web) != before
    before = replay_folder(web)
    monkeypatch.setattr(replays, "code_version", lambda: "another")
    assert replay_folder(web) != before


def test_a_damaged_preparation_is_made_again(web: Web) -> None:
    open_parsed_web(web)
    replays._open.clear()
    (replay_folder(web) / "word").write_bytes(b"")
    assert list(open_parsed_web(web).document(MADE.url(4)).words)


def test_one_that_was_removed_is_made_again(web: Web) -> None:
    parsed = open_parsed_web(web)
    shutil.rmtree(replay_folder(web))
    assert list(parsed.document(MADE.url(4)).words)  # its files are mapped still
    assert open_parsed_web(web) is not parsed and replay_folder(web).exists()


def test_those_used_longest_ago_make_room(data_dir: Path, settings) -> None:
    webs = [imported(data_dir, name) for name in ("one", "two", "three")]
    for moment, web in enumerate(webs):
        open_parsed_web(web)
        os.utime(replay_folder(web), (moment, moment))
    size = replays._size(replay_folder(webs[0]))
    open_parsed_web(webs[0])  # used now
    settings.REPLAYS_BYTES = 3 * size + 100
    last = imported(data_dir, "four")
    open_parsed_web(last)
    assert kept(data_dir) == {replay_folder(web) for web in (webs[0], webs[2], last)}
    settings.REPLAYS_BYTES = 1
    other = imported(data_dir, "five")
    open_parsed_web(other)
    assert kept(data_dir) == {replay_folder(other)}


def test_it_goes_with_its_web(data_dir: Path, web: Web) -> None:
    open_parsed_web(web)
    delete_web(web)
    finish_deletions()
    assert not kept(data_dir)


def test_the_live_web_is_refused() -> None:
    with pytest.raises(ValueError, match="live"):
        open_parsed_web(live_web())
