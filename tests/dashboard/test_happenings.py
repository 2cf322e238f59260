from __future__ import annotations

from apps.crawls.models import Crawl
from apps.dashboard.happenings import happenings
from tests.crawl_rows import made_event


def test_a_change_of_delta_can_be_undone(crawl: Crawl) -> None:
    event = made_event(crawl, 1, "delta", 2500, value=0.7, before=0.8, by=crawl.owner_id)
    event.by = crawl.owner
    (row,) = happenings([event], {1})
    assert (row.letter, row.what, row.undo) == ("δ", "δ changed", True)
    assert row.more == "from 0.80 to 0.70 by Ada."


def test_states_and_unknown_kinds_are_said_plainly(crawl: Crawl) -> None:
    finished, other = happenings(
        [
            made_event(crawl, 1, "finished", 10, reason="budget_reached"),
            made_event(crawl, 2, "moon_phase", 10, share=0.5, inner={"no": 1}),
        ]
    )
    assert (finished.what, finished.more) == ("Finished", "budget reached.")
    assert (other.what, other.more, other.letter) == ("Moon phase", "share 0.5.", "")


def test_a_trap_says_what_was_set_aside_and_why(crawl: Crawl) -> None:
    shop, marks = happenings(
        [
            made_event(crawl, 1, "trap", 90, rule="nothing_new", place="a.test/shop?color",
                       example="http://a.test/shop?color=red", urls=1234),
            made_event(crawl, 2, "trap", 95, rule="idle_parameter", place="a.test ?sid", urls=0),
        ],
        {1},
    )  # fmt: skip
    assert (shop.letter, shop.what, shop.undo) == ("T", "Spider trap set aside", True)
    assert shop.more == ("a.test/shop?color: page after page leads to more of the same and says "
                         "nothing new; 1,234 waiting links left out.")
    assert marks.more.startswith("a.test: ?sid makes no difference")
