"""The rules of the traps one by one, on pages made for each: what they take in, what they spare."""

from __future__ import annotations

import json
from itertools import permutations

import pytest

from apps.engine.frontier.page_text import PageText
from apps.engine.frontier.traps import MOST_SUSPECTS, MOST_TEXTS, WASTED_IN_A_ROW, Trap, Traps

HOST = "h.test"
SITE = f"http://{HOST}"
CALENDAR = f"{HOST}/cal/"
DAYS = "mo tu we th fr sa su week month today".split()
NEWS = "bread rye flour oven crumb salt".split()
WINDOW = 60
NOTHING_NEW, ENDLESS = ("nothing_new", CALENDAR), ("endless_path", HOST)


class Visitor:
    """Visits pages as a crawl does, with the URLs that it has found."""

    def __init__(self) -> None:
        self.traps = Traps()
        self.discovered: set[str] = set()
        self.number = 0

    def visit(self, path: str, words: list[str], *links: str) -> list[str]:
        """The page's links that are taken in, of those not found before."""
        urls = [link if "://" in link else SITE + link for link in links]
        self.traps.enter(PageText(SITE + path, words, urls))
        new = [
            url for url in urls if url not in self.discovered and not self.traps.refuses(url, HOST)
        ]
        self.discovered.update(new)
        self.traps.leave(self.number, HOST, new)
        self.number += 1
        return [url.removeprefix(SITE) for url in new]

    def months(self, first: int, number: int, words: list[str] = DAYS) -> None:
        for month in range(first, first + number):
            self.visit(f"/cal/{month}", words, f"/cal/{month + 1}")


@pytest.fixture
def visitor() -> Visitor:
    return Visitor()


@pytest.fixture
def trapped(visitor: Visitor) -> Visitor:
    """One that has found out about the calendar."""
    visitor.months(0, WINDOW)
    visitor.traps.news()
    return visitor


@pytest.fixture
def closed(trapped: Visitor) -> Visitor:
    """One that has wasted enough pages on it."""
    trapped.months(1000, WASTED_IN_A_ROW)
    trapped.traps.news()
    return trapped


# Nothing new ------------------------------------------------------------------------------------


def test_sixty_pages_of_the_same_words_are_a_trap_and_fifty_nine_are_none(visitor):
    visitor.months(0, WINDOW - 1)
    assert visitor.traps.news() == []
    visitor.months(WINDOW - 1, 1)
    assert visitor.traps.news() == [
        Trap("nothing_new", CALENDAR, f"{SITE}/cal/59", tuple(range(WINDOW)))
    ]
    assert visitor.traps.news() == [] and visitor.traps.set_aside == {NOTHING_NEW}


def test_pages_that_lead_out_of_their_place_are_no_trap(visitor):
    for month in range(2 * WINDOW):
        visitor.visit(f"/cal/{month}", DAYS, f"/cal/{month + 1}", f"/talks/{month}")
    assert visitor.traps.news() == []


class Unread(list[str]):
    """Words that nobody may read."""

    def __iter__(self):
        raise AssertionError("the words were read")


def test_the_words_of_a_page_that_leads_out_of_its_place_are_not_read(visitor):
    visitor.visit("/cal/1", Unread(DAYS), "/talks/1")
    with pytest.raises(AssertionError, match="the words were read"):
        visitor.visit("/cal/2", Unread(DAYS), "/cal/3")


def test_nor_are_those_of_the_next_one_that_leads_to_nothing_new(visitor):
    visitor.visit("/cal/1", Unread(DAYS), "/cal/2", "/talks/1")
    visitor.visit("/cal/2", Unread(DAYS))
    visitor.visit("/cal/3", DAYS, "/cal/4")
    with pytest.raises(AssertionError, match="the words were read"):
        visitor.visit("/cal/4", Unread(DAYS))


def test_the_words_of_a_place_that_leads_to_nothing_new_are_not_read(visitor):
    visitor.visit("/cal/1", Unread(DAYS))
    visitor.visit("/cal/2", DAYS, "/cal/3")
    for month in range(4, 4 + WINDOW - 1):
        with pytest.raises(AssertionError, match="the words were read"):
            visitor.visit(f"/cal/{month}", Unread(DAYS))
        visitor.visit(f"/cal/{month}", DAYS)
    visitor.visit("/cal/90", DAYS)
    visitor.visit("/cal/91", Unread(DAYS))


def test_pages_before_a_place_led_to_anything_new_are_no_evidence(visitor):
    for month in range(WINDOW):
        visitor.visit(f"/cal/x{month}", DAYS)
    visitor.months(0, 47)  # with the 48th, eight pages in ten have led to another
    assert visitor.traps.news() == []
    visitor.months(47, 1)
    (trap,) = visitor.traps.news()
    assert trap.key == NOTHING_NEW and trap.pages == (*range(WINDOW, WINDOW + 48),)


def test_what_a_page_of_the_trap_lists_of_it_is_refused_and_nothing_else(trapped):
    assert trapped.visit("/cal/500", DAYS, "/cal/501", "/talks/1", "/about") == [
        "/talks/1",
        "/about",
    ]
    assert trapped.visit("/talks/1", NEWS, "/cal/502", "/cal/about") == ["/cal/502", "/cal/about"]


@pytest.mark.parametrize(
    ("words", "is_part"),
    [
        (DAYS, True),
        (DAYS[2:], True),
        (DAYS[3:], False),
        ([*DAYS, *NEWS[:2]], True),
        ([*DAYS, *NEWS[:3]], False),
        ([*DAYS[2:], *NEWS[:2]], True),
        (NEWS, False),
        (DAYS[:2], False),
        ([], False),
    ],
)
def test_a_page_of_the_trap_has_its_words_but_for_two(trapped, words, is_part):
    """It lists no page of its place, so that its words alone decide."""
    trapped.traps.enter(PageText(f"{SITE}/cal/500", words, [f"{SITE}/talks/1"]))
    assert trapped.traps.refuses(f"{SITE}/cal/501", HOST) is is_part


@pytest.mark.parametrize(
    ("words", "links", "is_part"),
    [
        (DAYS[5:], ["/cal/501"], True),
        ([*DAYS[5:], *NEWS[:2]], ["/cal/501"], True),
        ([*DAYS[5:], *NEWS[:3]], ["/cal/501"], False),
        (DAYS[5:], ["/cal/501", "/cal/502", "/cal/503", "/cal/about"], True),
        (DAYS[5:], ["/cal/501", "/cal/502", "/cal/about"], False),
        (DAYS[5:], ["/cal/501", "/about", "/talks/1", "/talks/2"], True),
        (DAYS[5:], ["/talks/1"], False),
        (DAYS[5:], [], False),
    ],
)
def test_a_page_with_few_of_its_words_is_part_if_it_lists_more_of_it(
    trapped, words, links, is_part
):
    trapped.traps.enter(PageText(f"{SITE}/cal/500", words, [SITE + link for link in links]))
    assert trapped.traps.refuses(f"{SITE}/cal/504", HOST) is is_part


def test_a_page_of_a_few_words_is_no_part_of_a_calendar(trapped):
    """Only where parameters are combined do pages without new words count."""
    trapped.traps.enter(PageText(f"{SITE}/cal/500", NEWS[:2], []))
    assert not trapped.traps.refuses(f"{SITE}/cal/501", HOST)


def test_after_sixty_wasted_pages_in_a_row_it_is_closed_to_every_page(trapped):
    trapped.months(1000, WASTED_IN_A_ROW - 1)
    assert trapped.traps.news() == []
    assert trapped.visit("/talks/1", NEWS, "/cal/2000") == ["/cal/2000"]
    trapped.visit("/cal/1059", DAYS, "/cal/1060")
    (news,) = trapped.traps.news()
    assert (news.key, news.example, len(news.pages)) == (NOTHING_NEW, f"{SITE}/cal/1059", 1)
    assert trapped.visit("/talks/2", NEWS, "/cal/2001", "/cal/about", "/talks/3") == [
        "/cal/about",
        "/talks/3",
    ]


@pytest.mark.parametrize(
    "other",
    [("/cal/5000", NEWS, "/cal/5001"), ("/cal/5000", DAYS, "/talks/5000")],
    ids=["other words", "new pages elsewhere"],
)
def test_a_page_worth_its_request_begins_the_count_again(trapped, other):
    trapped.months(1000, WASTED_IN_A_ROW - 1)
    trapped.visit(*other)
    trapped.months(1100, WASTED_IN_A_ROW - 1)
    assert not trapped.traps.is_closed(f"{SITE}/cal/2000", CALENDAR)
    trapped.months(1200, 1)
    assert trapped.traps.is_closed(f"{SITE}/cal/2000", CALENDAR)


def test_a_page_worth_its_request_opens_it_again(closed):
    closed.visit("/cal/5000", NEWS)
    assert not closed.traps.is_closed(f"{SITE}/cal/2000", CALENDAR)


def test_only_addresses_that_count_or_look_random_are_closed(trapped):
    """A page of the trap without a digit in its address is not what is made without end."""
    for path in ("/cal/help", "/cal/k3j9", *(f"/cal/{i}" for i in range(1000, 1058))):
        trapped.visit(path, DAYS)
    is_closed = trapped.traps.is_closed
    assert is_closed(f"{SITE}/cal/77", CALENDAR) and is_closed(f"{SITE}/cal/zz9", CALENDAR)
    assert not is_closed(f"{SITE}/cal/about", CALENDAR)
    assert not is_closed(f"{SITE}/cal/7/8", CALENDAR) and not is_closed(SITE, CALENDAR)
    assert not is_closed(f"{SITE}/talks/7", f"{HOST}/talks/")


def test_an_address_returns_when_a_page_outside_the_trap_names_it(trapped):
    month, talk = f"{SITE}/cal/500", f"{SITE}/talks/1"
    trapped.traps.enter(PageText(talk, NEWS, [month]))
    assert trapped.traps.returns(month) and not trapped.traps.returns(f"{SITE}/talks/2")
    trapped.traps.enter(PageText(f"{SITE}/cal/501", DAYS, [month]))
    assert not trapped.traps.returns(month)


def test_no_address_returns_to_a_closed_trap(closed):
    closed.traps.enter(PageText(f"{SITE}/talks/1", NEWS, []))
    assert not closed.traps.returns(f"{SITE}/cal/500")
    assert closed.traps.returns(f"{SITE}/cal/about")


def test_of_many_texts_the_newest_are_known(visitor):
    for phase in range(3):
        for i in range(WINDOW):
            text = [f"{word}{'abcdefghijklmno'[i % 15]}{'xyz'[phase]}" for word in DAYS]
            month = phase * WINDOW + i
            visitor.visit(f"/cal/{month}", text, f"/cal/{month + 1}", f"/cal/{1000 + month}")
    ((_, texts, *_),) = visitor.traps.state()["made_up"]
    assert len(texts) == MOST_TEXTS == 30
    assert {text[0][-1] for text in texts} == {"y", "z"}


def test_a_page_without_a_beginning_changes_nothing(visitor):
    visitor.traps.leave(1, HOST, [f"{SITE}/cal/1"])
    assert visitor.traps.state() == Traps().state()


# Combined parameters ----------------------------------------------------------------------------

SHOP = f"{HOST}/shop?"
STOCK = [first + second for first in "abcdefgh" for second in ("red", "blue", "grey")]


def facets(visitor: Visitor, number: int, words=None, skip: int = 0) -> list[list[str]]:
    """Visits a shop whose URLs have two of eight parameters in every order."""
    queries = ["&".join(f"{name}=1" for name in names) for names in permutations("abcdefgh", 3)]
    taken = []
    for i, query in enumerate(queries[skip : skip + number], skip):
        shown = words or [STOCK[(i * 5 + j * j) % len(STOCK)] for j in range(8)]
        taken.append(visitor.visit(f"/shop?{query}", shown, f"/shop?{queries[i + 1]}"))
    return taken


def test_parameters_combined_without_new_words_are_a_trap(visitor):
    facets(visitor, 80)
    (news,) = visitor.traps.news()
    assert (news.rule, news.location) == ("nothing_new", SHOP)
    assert visitor.traps.refuses(f"{SITE}/shop?h=1&g=1", HOST) is False, "no page of it lists it"
    assert facets(visitor, 10, skip=90) == [[]] * 10


def test_a_page_that_adds_words_is_no_part_of_a_shop(visitor):
    facets(visitor, 80)
    assert facets(visitor, 1, ["ared", *NEWS[:3]], skip=90) == [["/shop?c=1&b=1&d=1"]]
    assert facets(visitor, 1, ["ared", *NEWS[3:5]], skip=100) == [[]]


# Endless paths ----------------------------------------------------------------------------------

LOOP = f"{SITE}/a/b/a/b/a/b"


def test_a_path_that_repeats_itself_is_refused_and_reported_once(visitor):
    assert visitor.visit("/a/b/a/b/", NEWS, "/a/b/a/b/a/b", "/a/b/a/b/a/b/a/b", "/x") == ["/x"]
    assert visitor.traps.news() == [Trap("endless_path", HOST, LOOP)]
    assert visitor.visit("/y", NEWS, "/a/b/a/b/a/b") == []
    assert visitor.traps.news() == []


# Idle parameters --------------------------------------------------------------------------------


def sessions(visitor: Visitor) -> None:
    """Five pages of one folder, each with two values of a parameter that changes nothing."""
    for page in "abcdef":
        for value in (1, 2):
            visitor.visit(f"/p/{page}?sid={page}{value}", [f"{word}{page}" for word in DAYS])


FORM = ["log", "in", "phone", "17", "3", *NEWS]


def log_ins(visitor: Visitor, first: int, number: int, words: list[str] = FORM) -> list[list[str]]:
    """Visits pages that each link to a log-in page with their own address, and that page."""
    taken = []
    for i in range(first, first + number):
        taken.append(visitor.visit(f"/talks/{i}", [*NEWS, f"{i}a"], f"/sign-in?next=/talks/{i}"))
        for path in taken[-1]:
            visitor.visit(path, words)
    return taken


def test_a_page_with_one_text_under_twenty_values_is_fetched_no_more(visitor):
    log_ins(visitor, 0, 20)
    assert visitor.traps.news() == []
    log_ins(visitor, 20, 1)
    (news,) = visitor.traps.news()
    assert (news.rule, news.location) == ("idle_parameter", f"{HOST} /sign-in?next")
    visitor.traps.idle.repeats_among(news.location, [f"{SITE}/sign-in?next=/talks/1"])
    assert log_ins(visitor, 30, 5) == [[]] * 5
    assert visitor.visit("/x", NEWS, "/sign-up?next=/x") == ["/sign-up?next=/x"]


def test_a_page_whose_text_differed_once_is_fetched_on(visitor):
    log_ins(visitor, 0, 3)
    log_ins(visitor, 3, 1, DAYS)
    assert all(log_ins(visitor, 4, 60))
    assert visitor.traps.news() == []


def test_a_parameter_that_changes_no_text_is_reported_once_and_no_longer_distinguished(visitor):
    sessions(visitor)
    key = f"{HOST} /p/?sid"
    (news,) = visitor.traps.news()
    assert (news.rule, news.location, news.pages) == ("idle_parameter", key, ())
    visitor.traps.idle.repeats_among(key, [f"{SITE}/p/a?sid=1"])
    assert visitor.visit("/x", NEWS, "/p/a?sid=7", "/p/g?sid=7", "/p/g?sid=8", "/p/a") == [
        "/p/g?sid=7",
        "/p/a",
    ]


# What belongs to a trap, and trust --------------------------------------------------------------


@pytest.mark.parametrize(
    ("trap", "url", "is_covered"),
    [
        (NOTHING_NEW, f"{SITE}/cal/77", True),
        (NOTHING_NEW, f"{SITE}/talks/77", False),
        (ENDLESS, LOOP, True),
        (ENDLESS, f"{SITE}/a/b", False),
        (("endless_path", "other.test"), LOOP, False),
        (("idle_parameter", f"{HOST} /p/?sid"), f"{SITE}/p/a?x=1&sid=2", True),
        (("idle_parameter", f"{HOST} /p/?sid"), f"{SITE}/q/a?sid=2", False),
        (("idle_parameter", f"{HOST} /p/?sid"), f"{SITE}/p/a?x=1", False),
        (("idle_parameter", "other.test /p/?sid"), f"{SITE}/p/a?sid=2", False),
        (("idle_parameter", f"{HOST}.org /p/?sid"), f"{SITE}/p/a?sid=2", False),
    ],
)
def test_it_is_known_what_belongs_to_a_trap(trap, url, is_covered):
    assert Traps().covers(trap, url, HOST) is is_covered


def test_a_trusted_place_is_crawled_on_and_never_suspected_again(closed):
    closed.traps.trust(NOTHING_NEW)
    assert closed.traps.set_aside == set()
    assert closed.visit("/cal/5000", DAYS, "/cal/5001", "/cal/5002") == ["/cal/5001", "/cal/5002"]
    closed.months(6000, 2 * WINDOW)
    assert closed.traps.news() == []


def test_trust_in_one_place_is_no_trust_in_another(trapped):
    trapped.traps.trust(("nothing_new", f"{HOST}/talks/"))
    assert trapped.traps.set_aside == {NOTHING_NEW}
    assert trapped.visit("/cal/5000", DAYS, "/cal/5001") == []


def test_a_trusted_host_may_have_paths_that_repeat_themselves(visitor):
    visitor.traps.trust(ENDLESS)
    assert visitor.visit("/a", NEWS, "/a/b/a/b/a/b") == ["/a/b/a/b/a/b"]
    assert visitor.traps.news() == [] and visitor.traps.set_aside == set()


def test_trust_in_a_path_leaves_parameters_idle(visitor):
    sessions(visitor)
    key = f"{HOST} /p/?sid"
    visitor.traps.idle.repeats_among(key, [f"{SITE}/p/a?sid=1"])
    visitor.traps.trust(("endless_path", key))
    assert visitor.traps.refuses(f"{SITE}/p/a?sid=2", HOST)


def test_a_trusted_parameter_distinguishes_pages_again(visitor):
    sessions(visitor)
    key = f"{HOST} /p/?sid"
    visitor.traps.idle.repeats_among(key, [f"{SITE}/p/a?sid=1"])
    visitor.traps.news()
    visitor.traps.trust(("idle_parameter", key))
    assert not visitor.traps.refuses(f"{SITE}/p/a?sid=2", HOST)
    sessions(visitor)
    assert visitor.traps.news() == []


# Checkpoints and memory -------------------------------------------------------------------------


def test_a_restored_state_goes_on_as_the_first_would(trapped):
    sessions(trapped)
    facets(trapped, 70)
    trapped.months(1000, WASTED_IN_A_ROW - 1)
    trapped.traps.trust(ENDLESS)
    again = Visitor()
    again.traps.restore(json.loads(json.dumps(trapped.traps.state())))
    assert again.traps.state() == trapped.traps.state()
    again.discovered, again.number = set(trapped.discovered), trapped.number
    for each in (trapped, again):
        each.traps.news()
        each.months(3000, 1)
        facets(each, 5, skip=90)
    assert again.traps.state() == trapped.traps.state()
    assert again.traps.is_closed(f"{SITE}/cal/77", CALENDAR)
    assert [news.key for news in again.traps.news()] == [NOTHING_NEW]


def test_a_crawl_of_many_places_remembers_the_newest(visitor):
    for i in range(MOST_SUSPECTS + 40):
        visitor.visit(f"/place{'ab' * (i % 3)}/{i}/x{i}/page", NEWS)
        visitor.traps.enter(PageText(f"http://h{i}.test/p/1", NEWS, []))
        visitor.traps.leave(i, f"h{i}.test", [])
    sections = [sections for sections, _ in visitor.traps.state()["suspects"]]
    assert len(sections) == MOST_SUSPECTS == 500
    assert sections[-1] == f"h{MOST_SUSPECTS + 39}.test/p/"
