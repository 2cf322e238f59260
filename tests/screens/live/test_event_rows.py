from __future__ import annotations

from typing import Any

from django.template.loader import render_to_string

from apps.crawls.commands.undo import Done
from apps.crawls.models import Crawl, Event
from apps.screens.live.event_rows import event_rows, waiting_rows, words
from tests.crawl_rows import grow, made_event


def signed(event: Event, by: Any) -> Event:
    event.by = by
    return event


def test_a_change_of_delta_can_be_undone(crawl: Crawl) -> None:
    event = signed(made_event(crawl, 1, "delta", 2500, value=0.7, before=0.8), crawl.owner)
    (row,) = event_rows(crawl, [event], {Done.of_event(event).key})
    assert (row.letter, row.what, row.more, row.key) == ("δ", "δ changed", "from 0.80 to 0.70", "1")
    assert (row.by, row.own) == ("Ada", True)


def test_a_person_is_you_to_themselves_and_else_their_name(crawl: Crawl, stranger: Any) -> None:
    paused = made_event(crawl, 1, "paused", 10, reason="paused_by_user")
    mine, theirs = (event_rows(crawl, [signed(paused, by)])[0] for by in (crawl.owner, stranger))
    assert (mine.what, mine.more) == ("Paused", "")
    html = render_to_string("live/events.html", {"crawl": crawl, "event_rows": [mine, theirs]})
    assert '<b>Paused</b> by <span class="to-owner">you</span>' in html
    assert '<span class="to-others">Ada</span>' in html
    assert f"<b>Paused</b> by {theirs.by}</span>" in html
    assert "by user" not in html


def test_learning_from_one_label_names_no_page(crawl: Crawl) -> None:
    """Its label is named by its key, where a labelling names the page."""
    grow(crawl, 2)
    learned = made_event(crawl, 1, "labels", 2, labels=[1], before=[], yes=1, no=0, withdrawn=0)
    (row,) = event_rows(crawl, [learned])
    assert (row.what, row.page) == ("Labels retrained the classifier", None)


def test_states_and_unknown_kinds_are_in_plain_words() -> None:
    assert words("finished", {"reason": "budget_reached"}) == ("Finished", "budget reached")
    assert words("moon_phase", {"share": 0.5, "inner": {"no": 1}}) == ("Moon phase", "share 0.5")


def test_a_trap_names_what_was_set_aside_and_why() -> None:
    what, more = words("trap", {"rule": "nothing_new", "place": "a.test/shop?color", "urls": 1234})
    assert what == "Spider trap set aside"
    assert more == (
        "a.test/shop?color: page after page has the same and leads to more of it "
        "without end; 1,234 waiting links excluded"
    )
    _, more = words("trap", {"rule": "idle_parameter", "place": "a.test ?sid", "urls": 0})
    assert more.startswith("a.test: ?sid makes no difference")


def test_a_change_that_waits_for_the_next_start_is_a_row(crawl: Crawl) -> None:
    payload = {"host": "a.test"}
    change = crawl.changes.create(kind="exclude_host", payload=payload, by=crawl.owner)
    key = Done.of_change(change).key
    (row,) = waiting_rows(crawl, [change], {key})
    assert (row.pages, row.what, row.more, row.key) == (None, "Host excluded", "a.test", key)
    html = render_to_string("live/events.html", {"crawl": crawl, "event_rows": [row]})
    assert "next start" in html and f'value="{key}"' in html


def test_links_beyond_the_limit_of_a_page_are_reported_with_their_number() -> None:
    payload = {"url": "http://a.test/", "links": 10_000, "beyond": 1_050}
    assert words("links_cut", payload) == (
        "Links excluded",
        "1,050 of http://a.test/, after its first 10,000",
    )


def test_an_event_of_one_page_names_its_title(crawl: Crawl) -> None:
    page = grow(crawl, 1).pages_fetched.get()
    skipped = made_event(crawl, 1, "skip", 1, page=page.seq, skipped=True)
    many = made_event(crawl, 2, "paused", 1, reason="paused_by_user")
    one, other = event_rows(crawl, [skipped, many])
    assert one.page == page and other.page is None
    html = render_to_string("live/events.html", {"crawl": crawl, "event_rows": [one, other]})
    assert page.title in html and f"/pages/{page.seq}/" in html
