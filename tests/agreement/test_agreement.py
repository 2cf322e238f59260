"""Labels of several people over two crawls: shared pages, parts, words, the queue and the table."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils import timezone

from apps.agreement import words
from apps.agreement.answers import people_of, read_answers
from apps.agreement.comparing import Part, compare, pages_of_part, part_of, parts
from apps.agreement.disagreements import (
    counted_pages,
    disagreements,
    pages_to_see,
    pages_to_share,
    settled_pages,
)
from apps.agreement.tables import header, rows
from apps.collection.models import Entry
from apps.crawls.commands.labelling.settling import settle
from apps.crawls.models import Crawl, FrontierEntry, Label, Outlinks
from apps.crawls.packing import pack_numbers
from apps.engine.digests import digest
from apps.engine.evaluation.agreement import AnswerTable
from apps.topics.annotation import hide_others, write_guideline
from apps.topics.models import Topic
from tests.crawl_rows import grow, made_crawl, made_topic
from tests.people import person

PAGES = 30
YES, NO = True, False


@pytest.fixture
def mira(db) -> User:
    return person("mira")


@pytest.fixture
def jonas(db) -> User:
    return person("jonas")


@pytest.fixture
def topic(mira) -> Topic:
    return made_topic(mira)


@pytest.fixture
def crawl(topic) -> Crawl:
    crawl = grow(made_crawl(topic), PAGES)
    for page in crawl.pages_fetched.all():
        Entry.objects.create(
            page_id=page.pk,
            topic=topic,
            crawl=crawl,
            seq=page.seq,
            verdict=-1,
            target=False,
            seed=False,
            tau_bin=-1,
            day=page.fetched_at.date(),
            host=page.host,
            http_status=200,
            address=digest(page.final_url),
            crawl_set=1,
            language="de" if page.seq % 2 else "en",
            kind="pdf" if page.seq > 20 else "page",
        )
    return crawl


def give(
    crawl: Crawl, by: User, answers: dict[int, bool], at: datetime | None = None, note: str = ""
) -> None:
    """Labels as people gave them, without what follows from them."""
    for seq, relevant in answers.items():
        address = digest(crawl.pages_fetched.get(seq=seq).final_url)
        label = Label.objects.create(
            crawl=crawl, seq=seq, address=address, relevant=relevant, by=by, note=note
        )
        if at is not None:
            Label.objects.filter(pk=label.pk).update(at=at)


def both(crawl: Crawl, mira: User, jonas: User) -> None:
    """24 shared pages: 10 yes, 8 no, mira alone yes to 2, jonas alone to 4; 3 of mira's only."""
    give(crawl, mira, {seq: seq <= 12 for seq in range(1, 28)})
    give(crawl, jonas, {seq: seq <= 10 or 21 <= seq <= 24 for seq in range(1, 25)})


def test_pages_that_two_people_share_are_counted(topic, crawl, mira, jonas):
    both(crawl, mira, jonas)
    pages = read_answers(topic)
    assert people_of(pages) == [jonas, mira] and len(pages) == 27
    (pair,) = compare(pages, [mira, jonas])
    assert pair.agreement == AnswerTable(yes_yes=10, yes_no=2, no_yes=4, no_no=8)
    whole = part_of("all", "All pages", pages, [mira, jonas])
    # By chance ½·14/24 + ½·10/24 = ½; so κ = (18/24 − ½) / ½ = ½.
    assert (whole.pages, whole.differ, whole.value) == (24, 6, pytest.approx(0.5))
    assert "Kappa is 0.50, 95 % interval" in words.measure_words(whole)
    assert words.measure_words(whole).endswith("by chance alone you would agree on half.")


def test_parts_are_by_language_kind_and_the_note(topic, crawl, mira, jonas):
    now = timezone.now()
    give(crawl, mira, dict.fromkeys(range(1, 11), YES), now - timedelta(days=90))
    give(crawl, jonas, dict.fromkeys(range(1, 11), NO), now - timedelta(days=90))
    note = write_guideline(topic, "Lists of awards: in.", mira, 0)
    give(crawl, mira, dict.fromkeys(range(11, 25), YES))
    give(crawl, jonas, dict.fromkeys(range(11, 25), YES))
    pages = read_answers(topic)
    table = {part.id: (part.pages, part.differ) for part in parts(pages, [mira, jonas], note)}
    months = {name: table.pop(name) for name in list(table) if name.startswith("month-")}
    assert table == {
        "all": (24, 10),
        "lang-de": (12, 5),
        "lang-en": (12, 5),
        "pages": (20, 10),
        "documents": (4, 0),
        "before-note": (10, 10),
        "since-note": (14, 0),
    }
    assert sorted(months.values()) == [(10, 10), (14, 0)]
    chosen = pages_of_part("documents", pages, note)
    assert sorted(page.newest.seq for page in chosen) == [21, 22, 23, 24]
    where = words.where_words(parts(pages, [mira, jonas], note))
    assert where == "Most of the disagreement is in web pages."


def test_three_people_have_alpha_and_a_matrix_of_pairs(topic, crawl, mira, jonas):
    third = person("zoe")
    both(crawl, mira, jonas)
    give(crawl, third, dict.fromkeys(range(1, 6), YES))
    pages = read_answers(topic)
    people = people_of(pages)
    assert [pair.agreement.pages for pair in compare(pages, people)] == [24, 5, 5]
    whole = part_of("all", "All pages", pages, people)
    # 12 + 14 + 5 yes, 12 + 10 no; 2·1·1 / (2 − 1) answers differ on each of six pages.
    yes, no = 31, 22
    assert whole.alpha == pytest.approx(1 - (yes + no - 1) * 12 / (2 * yes * no))
    assert words.measure_words(whole) == f"Krippendorff’s alpha is {whole.alpha:.2f}."


@pytest.mark.parametrize(
    ("agreement", "sentence"),
    [
        (AnswerTable(yes_yes=19), "Kappa from 20 shared pages on."),
        (AnswerTable(23), "Kappa can’t be computed: both of you said yes to all 23."),
        (AnswerTable(20, 3), "Kappa can’t be computed: one of you said yes to all 23."),
        (AnswerTable(0, 0, 3, 20), "Kappa can’t be computed: one of you said no to all 23."),
        (AnswerTable(0, 23), "Kappa can’t be computed: each of you gave one answer to all 23."),
        (
            AnswerTable(12, 0, 0, 12),
            "Kappa is 1.00; full agreement has no interval: by chance alone you would agree on"
            " half.",
        ),
    ],
    ids=["few", "both yes", "one yes", "one no", "opposite", "full"],
)
def test_what_cannot_be_computed_is_reported(agreement, sentence):
    part = Part("all", "All", agreement.pages, agreement.differ, agreement, None)
    assert words.measure_words(part) == sentence


def test_more_shared_pages_narrow_the_interval():
    agreement = AnswerTable(38, 3, 5, 38)
    part = Part("all", "All", 84, 8, agreement, None)
    assert words.interval_words(part.interval) == "0.68–0.93"
    assert words.more_pages_words(part, 20).endswith("from ± 0.13 to about ± 0.11.")


def test_the_queue_begins_with_what_moves_most_links(topic, crawl, mira, jonas):
    both(crawl, mira, jonas)
    FrontierEntry.objects.filter(crawl=crawl).delete()
    for number in (900, 901):
        FrontierEntry.objects.create(
            crawl=crawl,
            number=number,
            url=f"http://w.test/{number}",
            state=FrontierEntry.State.WAITING,
            parent=1,
            depth=1,
            priority=0.5,
        )
    Outlinks.objects.filter(crawl=crawl).delete()
    Outlinks.objects.create(crawl=crawl, seq=22, targets=pack_numbers([900, 901]))
    queue = disagreements(read_answers(topic))
    assert queue[0].page.newest.seq == 22
    assert [each.moves for each in queue] == [2, 0, 0, 0, 0, 0]


def test_settled_pages_leave_the_queue_and_those_left_open_train_nothing(topic, crawl, mira, jonas):
    both(crawl, mira, jonas)
    assert counted_pages(topic, read_answers(topic)).left_out == 6
    *_, last = disagreements(read_answers(topic))
    settle(topic, last.page.address, None, mira, "cannot be told")
    pages = read_answers(topic)
    assert len(disagreements(pages)) == 5
    assert [page.settlement.note for page in settled_pages(pages)] == ["cannot be told"]
    counts = counted_pages(topic, pages)
    assert (counts.count, counts.left_out) == (21, 6)


def test_one_who_hides_others_labels_sees_only_pages_that_they_answered(topic, crawl, mira, jonas):
    both(crawl, mira, jonas)
    pages = read_answers(topic)
    assert len(pages_to_see(topic, pages, jonas)) == 24
    hide_others(topic, jonas, False)
    assert len(pages_to_see(topic, pages, jonas)) == 27
    shared = pages_to_share(pages, jonas)
    assert sorted(page.newest.seq for page in shared) == [25, 26, 27]
    assert pages_to_share(pages, mira) == []


def test_the_table_has_a_column_a_person(topic, crawl, mira, jonas):
    give(crawl, mira, {1: YES}, note="runs")
    give(crawl, jonas, {1: NO, 2: NO})
    settle_at = digest(crawl.pages_fetched.get(seq=1).final_url)
    settlement = settle_without_pages(topic, settle_at, mira)
    pages = read_answers(topic)
    names = header(pages)
    table = {row[0]: dict(zip(names, row, strict=True)) for row in rows(topic, pages)}
    one, two = (table[crawl.pages_fetched.get(seq=seq).final_url] for seq in (1, 2))
    assert (one["label jonas"], one["label mira"], one["note mira"]) == ("n", "y", "runs")
    assert (one["counts"], one["settled"], one["settled by"]) == ("y", "y", "mira")
    assert one["settled at"] == settlement.at.isoformat(timespec="seconds")
    assert (two["label jonas"], two["label mira"], two["settled"]) == ("n", "", "")


def settle_without_pages(topic, address, by):
    return topic.settlements.create(address=address, url="", relevant=True, by=by)


def test_the_command_prints_what_the_screen_says(topic, crawl, mira, jonas, capsys):
    both(crawl, mira, jonas)
    call_command("agreement", str(topic.pk))
    printed = capsys.readouterr().out
    assert "jonas 24, mira 27" in printed and "Kappa is 0.50" in printed
    assert "German" in printed
