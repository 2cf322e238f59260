"""The waiting links of a crawl, with the priorities they have now."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command

from apps.crawls.models import Crawl, FrontierEntry
from apps.crawls.pages.folder import crawl_folder
from apps.engine import checkpoint
from apps.exports import queue
from apps.exports.rows import Selection
from tests.crawl_rows import made_crawl, made_topic


@pytest.fixture
def crawl(db, data_dir: Path) -> Crawl:
    """Seven URLs: two fetched, one excluded, four waiting with rising priority."""
    owner = get_user_model().objects.create_user("ada")
    crawl = made_crawl(made_topic(owner), waiting=4)
    states = "ffxwwww"
    FrontierEntry.objects.bulk_create(
        [
            FrontierEntry(
                crawl=crawl,
                number=n,
                url=f"http://h{n % 2}.test/={n}",
                depth=n,
                parent=n - 2 if n > 1 else -1,
                priority=n / 10,
                state=state,
            )
            for n, state in enumerate(states)
        ]
    )
    return crawl


def lines(crawl: Crawl) -> list[dict[str, str]]:
    text = b"".join(queue.export(Selection.of_crawl(crawl))).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_waiting_links_come_best_first(crawl: Crawl) -> None:
    rows = lines(crawl)
    assert [row["number"] for row in rows] == ["6", "5", "4", "3"]
    assert rows[0] == {
        "number": "6",
        "url": "http://h0.test/=6",
        "host": "h0.test",
        "priority": "0.6",
        "priority_from": "insertion",
        "parents": "",
        "depth": "6",
        "parent_url": "http://h0.test/=4",
        "crawl": str(crawl.pk),
    }
    assert queue.count(Selection.of_crawl(crawl)) == 4


def test_the_checkpoint_and_the_head_know_better(crawl: Crawl) -> None:
    priorities = np.array([1.0, 1.0, 0.1, 0.9, 0.2, 0.3])
    state = {
        "frontier": {"priority": priorities, "_seen": np.array([1, 1, 1, 5, 2, 1], np.int32)},
        "strategy": {"weights": np.ones(3)},
        "pages": 2,
    }
    checkpoint.write(crawl_folder(crawl.pk) / "checkpoint-1.npz", state)
    crawl.checkpoint = "checkpoint-1.npz"
    crawl.queue_head = [
        {"number": 5, "url": "http://h1.test/=5", "priority": 0.95, "parents": 7, "wait": 0},
        {"number": 99, "url": "http://h1.test/=99", "priority": 0.5, "parents": 1, "wait": 0},
    ]
    rows = [(r["number"], r["priority"], r["priority_from"], r["parents"]) for r in lines(crawl)]
    assert rows == [
        ("5", "0.95", "queue head", "7"),
        ("3", "0.9", "checkpoint", "5"),
        ("6", "0.6", "insertion", ""),
        ("4", "0.2", "checkpoint", "2"),
    ]


def test_a_checkpoint_that_cannot_be_read_leaves_the_insertion(crawl: Crawl) -> None:
    crawl.checkpoint = "checkpoint-gone.npz"
    assert {row["priority_from"] for row in lines(crawl)} == {"insertion"}


def test_small_chunks_change_nothing(crawl: Crawl, monkeypatch) -> None:
    whole = lines(crawl)
    monkeypatch.setattr(queue, "CHUNK", 1)
    assert lines(crawl) == whole


def test_the_command_takes_no_filters_of_pages(crawl: Crawl, capfdbinary) -> None:
    call_command("export", str(crawl.pk), "--format", "queue")
    assert len(capfdbinary.readouterr().out.splitlines()) == 5
    with pytest.raises(CommandError, match="no filter applies to it"):
        call_command("export", str(crawl.pk), "--format", "queue", "--relevant")
