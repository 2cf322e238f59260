"""What was understood of a draft, with the words that named vectors propose."""

from __future__ import annotations

from pathlib import Path

from apps.begin import drafts
from apps.begin.drafts import Typed
from apps.begin.tasks import gather
from apps.begin.understanding import understand
from apps.jobs import queue
from tests.people import site_of

TEXT = "heat 1 0 0.1\nwarmth 1 0 0.2\npump 0 1 0\n"


def test_near_words_are_proposed_as_kin_until_removed(
    owner, data_dir, tmp_path: Path, settings
) -> None:
    settings.WORD_VECTORS = str(tmp_path / "small.txt")
    (tmp_path / "small.txt").write_text(TEXT)
    draft = drafts.write_draft(owner, Typed(words=("heat",)))
    queue.claim_here(draft)
    gather(draft)
    draft.refresh_from_db()
    assert understand(draft).rows[0].kin == ("warmth",)
    page = site_of(owner).get(f"/topics/new/?draft={draft.pk}").content.decode()
    assert "from word vectors (small.txt, licence not stated)" in page
    draft.removed = ["warmth"]
    assert understand(draft).rows[0].kin == ()


def test_vectors_that_cannot_be_read_are_named_on_the_screen(owner, data_dir, settings) -> None:
    settings.WORD_VECTORS = "/none/small.txt"
    draft = drafts.write_draft(owner, Typed(words=("heat",)))
    queue.claim_here(draft)
    gather(draft)
    page = site_of(owner).get(f"/topics/new/{draft.pk}/").json()["parts"]["understood"]
    assert "CRAWLSITE_WORD_VECTORS: small.txt cannot be read" in page


def test_what_is_typed_leaves_what_the_job_wrote(owner, data_dir) -> None:
    draft = drafts.write_draft(owner, Typed(words=("heat",)))
    stale = type(draft).objects.get(pk=draft.pk)
    queue.enqueue(draft)
    drafts.write_draft(owner, Typed(words=("heat", "pump")), stale)
    draft.refresh_from_db()
    assert draft.is_under_way and draft.words == ["heat", "pump"]
