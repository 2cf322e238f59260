"""What one click does about what was left out, told by the changes that the runner gets."""

from __future__ import annotations

import pytest

from apps.crawls.commands.catalogue import COMMANDS
from apps.crawls.errors import CrawlRefused
from apps.crawls.left_out.reasons import REASONS
from apps.crawls.left_out.remedies import REMEDIES
from apps.crawls.left_out.rows import AddressChoice
from apps.crawls.left_out.summary import summarise
from apps.crawls.running.assembly import scope_as_started
from tests.left_out_fixtures import FIRST, left  # noqa: F401

pytestmark = pytest.mark.alike


def remedy(crawl, id: str) -> tuple[str, str]:
    (count,) = summarise([crawl], AddressChoice(REASONS[id])).reasons
    label = REMEDIES[id].label(crawl, count)
    return label, REMEDIES[id].carry_out(crawl, count, crawl.owner)


@pytest.mark.parametrize(
    ("id", "label", "kind", "payload"),
    [
        ("host_out", "Let 1 host in again", "include_host", {"host": "e.test"}),
        ("pattern", "Remove 1 pattern", "include_pattern", {"pattern": "*login*"}),
        ("depth", "Take 2 all the same", "put_back", {"rule": "depth", "number": 2}),
        ("bot_wall", "Try 1 again", "try_again", {"numbers": [FIRST + 7]}),
        # The page that is gone stays gone.
        ("no_answer", "Try 2 again", "try_again", {"numbers": [FIRST + 4, FIRST + 5]}),
    ],
)
def test_one_click_asks_the_runner(left, id, label, kind, payload) -> None:
    shown, sentence = remedy(left, id)
    assert shown == label and "takes effect at its next start" in sentence
    change = left.changes.get()
    assert (change.kind, change.by) == (kind, left.owner)
    assert payload.items() <= change.payload.items()


def test_a_trap_is_released(left) -> None:
    left.frontier.filter(number=FIRST + 9).update(reason="trap")
    assert remedy(left, "trap")[0] == "Release 1 place"
    assert left.changes.get().kind == "trust_trap"
    (count,) = summarise([left], AddressChoice(REASONS["trap"])).reasons
    assert REMEDIES["trap"].label(left, count) == ""


def test_what_was_put_back_is_left_out_again_by_undo(left) -> None:
    remedy(left, "depth")
    key = f"next-{left.changes.get().pk}"
    COMMANDS["undo"].act(left, key, left.owner)
    assert list(left.changes.values_list("kind", flat=True)) == ["put_back", "leave_out"]
    with pytest.raises(CrawlRefused):
        COMMANDS["leave_out"].act(left, "depth", left.owner)


def test_pages_of_another_language_are_taken_by_one_press_and_left_out_by_undo(left) -> None:
    left.scope = {**left.scope, "languages": ["en"]}
    left.save()
    rows = left.frontier.filter(url="http://b.test/slow")
    rows.update(reason="other_language")
    left.failed_requests.filter(number__in=rows.values("number")).update(
        kind="other_language", detail="de"
    )
    with pytest.raises(CrawlRefused, match="English already"):
        COMMANDS["languages"].act(left, "en", left.owner)
    with pytest.raises(CrawlRefused, match="by code or English name"):
        COMMANDS["languages"].act(left, "Klingon", left.owner)
    label, sentence = remedy(left, "other_language")
    assert label == "Take 1 all the same" and sentence.startswith("The crawl takes every language.")
    change = left.changes.get()
    assert change.payload == {"before": ["en"], "after": [], "numbers": [rows.get().number]}
    assert scope_as_started(left)["languages"] == ["en"] and left.scope["languages"] == []
    COMMANDS["undo"].act(left, f"next-{change.pk}", left.owner)
    left.refresh_from_db()
    assert left.scope["languages"] == ["en"]
