from __future__ import annotations

from pathlib import Path

import pytest

from apps.engine.networking.webs.added_labels import AddedLabels, write_added_labels
from apps.engine.networking.webs.virtual_web import VirtualWeb
from apps.engine.networking.webs.writer import VirtualWebWriter

ROOT = "http://bakery.test/"


def test_they_come_after_the_webs_own_and_are_counted_with_them(tmp_path: Path) -> None:
    with VirtualWebWriter(tmp_path / "web") as writer:
        writer.add(ROOT + "a", "<p>Rye", ["rye"])
        writer.add(ROOT + "b", "<p>Oats")
        writer.redirect(ROOT + "old", ROOT + "b")
    path = tmp_path / "labels" / "one.sqlite"
    pairs = [(ROOT + "a", "bread"), (ROOT + "b", "oats"), (ROOT + "b", "bread")]
    write_added_labels(path, pairs)
    web = VirtualWeb(tmp_path / "web", AddedLabels(path))
    assert web.labels(ROOT + "a") == ("rye", "bread")
    assert web.labels(ROOT + "b") == ("bread", "oats")
    assert web.labels(ROOT + "old") == ()
    assert web.page_at(ROOT + "old") == ROOT + "b" and web.page_at(ROOT + "c") is None
    assert web.label_counts() == {"bread": 2, "oats": 1, "rye": 1}
    assert web.labelled_count() == 2
    assert set(web.added_labels()) == set(pairs)
    web.close()
    alone = VirtualWeb(tmp_path / "web")
    assert (alone.labelled_count(), list(alone.added_labels())) == (1, [])
    with pytest.raises(FileNotFoundError):
        AddedLabels(tmp_path / "none")
