"""The measures over a crawl's records, against figures worked out by hand."""

from __future__ import annotations

import re
from math import log, log1p

import pytest
from django.core.cache import cache

from apps.crawls.measures import context_qualities, drawn_pages
from apps.crawls.measures import crawl_report as module
from apps.crawls.measures.crawl_report import crawl_report
from apps.crawls.measures.plots import PLOTS
from apps.crawls.models import FrontierEntry, Outlinks, Page
from apps.crawls.packing import pack_numbers
from apps.directories.models import Directory, DirectoryPage, DirectoryTopic
from apps.engine.answers import Answer
from apps.engine.parsing.contexts import CONTEXTS
from apps.screens.live.progress import JUDGES
from apps.screens.measures import tables
from apps.screens.measures.tables import measure_rows, overlaps
from apps.webs.models import Web
from tests.crawl_rows import grow, made_crawl, made_page
from tests.made_web import MadeWeb

PROBABILITIES = (0.05, 0.1, 0.95, 1.0)


@pytest.fixture
def measured(crawl, monkeypatch):
    """Four pages of a made web of eight, two about bread: relevant, not, relevant, not.

    In-links 0, 1, 2 and 3; page i links to page i + 1, in a domain of its own each.
    """
    web = MadeWeb(pages=12, hosts=3)
    monkeypatch.setattr(module, "open_web", lambda row: web)
    monkeypatch.setattr(
        module,
        "relevant_pages",
        lambda label, row: sum(label in web.labels(url) for url in web.urls()),
    )
    crawl.topic.web_label = "bread"
    crawl.topic.save()
    crawl.web = Web.objects.create(name="made", source=Web.Source.FOLDER)
    crawl.save()
    Page.objects.bulk_create(
        made_page(
            crawl,
            seq,
            number=10 * seq,
            final_url=web.url(i),
            host=f"d{seq}.test",
            probability=PROBABILITIES[seq - 1],
        )
        for seq, i in enumerate((0, 1, 4, 5), 1)
    )
    counts = {web.url(i): n for n, i in enumerate((0, 1, 4, 5))}
    monkeypatch.setattr(module, "inlink_counts", lambda crawl: counts)
    for seq in (1, 2, 3):
        targets = pack_numbers([10 * seq + 10, 10 * seq, 7])
        Outlinks.objects.create(crawl=crawl, seq=seq, targets=targets)
    return crawl


def test_precision_and_f1_at_recall_by_the_labels_of_the_web(measured):
    # Pages 0, 4 and 8 of the web are about bread; the crawl has 0 and 4, as pages 1 and 3.
    recalled = crawl_report(measured).recalled
    assert recalled.relevant == 3
    assert recalled.points == (
        (1, 1.0, pytest.approx(1 / 3)),
        (3, pytest.approx(2 / 3), pytest.approx(2 / 3)),
    )
    tenth, half, all_ = recalled.levels
    assert (tenth.precision, tenth.reached) == (1.0, True)
    assert (half.precision, half.reached) == (pytest.approx(2 / 3), True)
    assert half.f1 == pytest.approx(2 * (2 / 3) * 0.5 / (2 / 3 + 0.5))
    assert (all_.precision, all_.reached) == (0.5, False)


def test_a_label_of_several_words_is_kept_without_a_warning(measured, recwarn):
    measured.topic.web_label = "bread, sour and sweet"
    assert crawl_report(measured).recalled is None
    assert not [str(each.message) for each in recwarn if "key" in str(each.message)]


def test_the_distribution_and_the_status_of_the_pages(measured):
    report = crawl_report(measured)
    assert report.distribution == (1, 1, 0, 0, 0, 0, 0, 0, 0, 2)
    mean = (0 + log(2) + log(3) + log(4)) / 4
    assert (report.status.counted, report.status.mean) == (4, pytest.approx(mean))
    # Thirty of five hundred are none of four.
    assert (report.status.sample, report.status.sampled) == (0, None)
    assert (report.coverage["average_status"], report.coverage["harvest_rate"]) == (4, 4)


def test_status_locality_follows_the_links_of_the_pages(measured):
    # Roots 1, 2 and 3 link to 2, 3 and 4, whose in-links rise in the same order. By their final
    # URLs 1 and 2 are of one site, 3 and 4 of another; of number 7 no count is known.
    first, second, third, apart = crawl_report(measured).localities
    assert (first.distance, first.pairs, first.correlation) == (1, 3, pytest.approx(1.0))
    assert first.p < 0.01
    assert (first.cross_pairs, first.cross) == (1, None)
    assert (second.pairs, third.pairs, apart.distance) == (2, 1, None)
    assert (second.correlation, second.p) == (None, None)


def test_status_locality_counts_links_to_pages_that_were_not_fetched(measured, monkeypatch):
    counts = {"http://far.org/": 9, **module.inlink_counts(measured)}
    monkeypatch.setattr(module, "inlink_counts", lambda crawl: counts)
    FrontierEntry.objects.create(
        crawl=measured,
        number=7,
        url="http://far.org/",
        parent=10,
        depth=1,
        priority=0.5,
        state=FrontierEntry.State.WAITING,
    )
    first = crawl_report(measured).localities[0]
    assert (first.pairs, first.cross_pairs) == (4, 2)


def test_the_map_has_a_cell_for_pages_alike_in_score_and_status(measured):
    # Four pages in four of 20 × 20 cells; the last has P = 1 and ln 4, the highest: its cell's
    # middles are 39/40 of both. More than 90 % of four pages are all four.
    report = crawl_report(measured)
    assert report.mapped == 4 and [cell.pages for cell in report.map] == [1, 1, 1, 1]
    last = report.map[-1]
    assert (last.score, last.log) == (pytest.approx(39 / 40), pytest.approx(log(4) * 39 / 40))
    assert all(cell.dense for cell in report.map)


def test_link_contexts_are_held_against_the_editors_descriptions(crawl, monkeypatch):
    # The editor says "sourdough recipes", the anchor "sourdough bread": 1/(√2·√2); the page says
    # more. Page 3 has a description and no link of a fetched page.
    directory = Directory.objects.create(owner=crawl.owner, name="odp")
    category = DirectoryTopic.objects.create(
        directory=directory, path="Top/Bread", parent="Top", depth=2
    )
    for n, text in ((2, "Sourdough recipes."), (3, "Rye."), (4, "")):
        DirectoryPage.objects.create(topic=category, url=f"http://a.test/{n}", description=text)
    crawl.topic.category = category
    crawl.topic.save()
    Page.objects.bulk_create(made_page(crawl, n) for n in (1, 2, 3, 4))
    Outlinks.objects.create(crawl=crawl, seq=1, targets=pack_numbers([2, 4]))
    html = b'<p>rye <a href="/2">sourdough bread</a> oven</p><a href="/4">rye</a>'
    monkeypatch.setattr(
        context_qualities,
        "stored_answer",
        lambda crawl, page: Answer(
            page.url, page.final_url, 200, (("content-type", "text/html"),), html
        ),
    )
    qualities = {row.technique: row.quality for row in crawl_report(crawl).contexts}
    assert qualities.keys() == {name for context in CONTEXTS for name in context.compared}
    assert qualities["anchor"].similarity == pytest.approx(1 / 2)
    # The page: rye twice, sourdough, bread, oven: 1/(√2·√7).
    assert qualities["full page"].similarity == pytest.approx(1 / (2 * 7) ** 0.5)
    assert {quality.n for quality in qualities.values()} == {1}
    assert qualities["anchor"].zero_share == qualities["full page"].zero_share == 0.0


def test_the_context_is_that_of_a_random_back_link(crawl):
    # Pages 1, 2 and 3 link to page 4, which links to itself; page 1's link gave it its priority.
    # Nothing links to page 5 (LC §10.1).
    Page.objects.bulk_create(made_page(crawl, n, parent=-1 if n < 4 else 1) for n in range(1, 6))
    for seq in (1, 2, 3, 4):
        Outlinks.objects.create(crawl=crawl, seq=seq, targets=pack_numbers([4]))
    pages = {4: "http://a.test/4", 5: "http://a.test/5"}
    drawn_by_seed = []
    for crawl.random_seed in range(20):
        back_links = context_qualities._random_back_links(crawl, pages, 5)
        assert back_links == context_qualities._random_back_links(crawl, pages, 5)
        assert set(back_links) == {4}
        drawn_by_seed.append(back_links[4])
    assert set(drawn_by_seed) == {1, 2, 3}


def test_a_crawl_that_goes_on_is_measured_anew(measured):
    assert crawl_report(measured).pages == 4
    Page.objects.bulk_create([made_page(measured, 5, number=99)])
    assert crawl_report(measured).pages == 4
    measured.commits += 1
    assert crawl_report(measured).pages == 5


def test_of_a_large_crawl_pages_spread_evenly_are_read_and_the_screen_states_how_many(
    measured, owner, client, monkeypatch
):
    monkeypatch.setattr(drawn_pages, "MOST", 3)
    monkeypatch.setattr(drawn_pages, "DRAWN", 2)
    report = crawl_report(measured)
    assert (report.pages, report.drawn) == (4, 2)
    # Pages 1 and 4: about bread and not; half of the web's three pages are two, of which one.
    assert report.recalled.points == ((1, 1.0, 0.5),)
    assert report.recalled.relevant == 3
    assert sum(report.distribution) == 2 and report.status.counted == 2
    assert report.coverage["harvest_rate"] == 2
    client.force_login(owner)
    text = client.get(f"/crawls/{measured.pk}/measures/").content.decode()
    assert "4 pages stored" in text and "of 2 of them, drawn evenly" in text


def test_locality_of_drawn_pages_is_over_their_links(measured, monkeypatch):
    monkeypatch.setattr(drawn_pages, "MOST", 3)
    monkeypatch.setattr(drawn_pages, "DRAWN", 3)
    # Pages 1, 2 and 4 are drawn, and 1 links to 2, and 2 to 3, which is known by its link alone.
    numbers = {10 * seq: f"http://linked.test/{seq}" for seq in (1, 2, 3)}
    FrontierEntry.objects.bulk_create(
        FrontierEntry(
            crawl=measured, number=number, url=url, parent=-1, depth=0, priority=1, state="w"
        )
        for number, url in numbers.items()
    )
    counts = dict(module.inlink_counts(measured)) | {"http://linked.test/3": 5}
    monkeypatch.setattr(module, "inlink_counts", lambda crawl: counts)
    first, *_ = crawl_report(measured).localities
    assert first.pairs == 2


def test_what_is_not_known_is_not_plotted(crawl):
    grow(crawl, 20)
    report = crawl_report(crawl)
    assert report.recalled is None and report.localities == ()
    assert report.courses[-1][0] == 20
    assert report.map == () and report.contexts == ()
    drawn = [plot.id for plot in PLOTS if plot.figure(report).has_values]
    assert drawn == ["relevance_distribution"]


def test_other_crawls_of_the_topic_are_compared_where_one_may_see_them(
    crawl, owner, stranger, monkeypatch
):
    grow(crawl, 6)
    other = grow(made_crawl(crawl.topic), 4)
    (row,) = overlaps(crawl, owner)
    assert row.crawl == other
    assert (row.overlap.first_alone, row.overlap.both, row.overlap.second_alone) == (2, 4, 0)
    assert overlaps(crawl, stranger) == []
    monkeypatch.setattr(tables, "MOST_COMPARED", 5)
    assert overlaps(crawl, owner) == overlaps(other, owner) == []


def test_the_screen_names_every_measure_and_its_judge(crawl, owner, stranger, client):
    grow(crawl, 20)
    client.force_login(owner)
    text = client.get(f"/crawls/{crawl.pk}/measures/").content.decode()
    assert "Harvest rate" in text and "judged by committee" in text
    assert "Only on a recorded web whose pages carry the topic’s label" in text
    client.force_login(stranger)
    assert client.get(f"/crawls/{crawl.pk}/measures/").status_code == 404


def test_the_sample_of_status_takes_thirty_of_five_hundred(crawl, monkeypatch):
    grow(crawl, 500)
    monkeypatch.setattr(
        module, "inlink_counts", lambda crawl: {f"http://a.test/{n}": 4 for n in range(1, 501)}
    )
    status = crawl_report(crawl).status
    assert (status.sample, status.sampled) == (30, pytest.approx(log1p(4)))


def test_the_critics_loss_is_reported_by_the_guiding_classifier(crawl):
    grow(crawl, 20)
    rows = {row.measure.id: row.source for row in measure_rows(crawl, crawl_report(crawl))}
    assert (rows["loss_rate"], rows["critic_loss"]) == (
        JUDGES["committee"],
        JUDGES["guiding_classifier"],
    )


def test_what_spoke_for_links_is_shown_where_the_strategy_chooses(crawl, owner, client):
    grow(crawl, 20)
    client.force_login(owner)
    assert "context_use" not in shown(client, crawl)
    cache.clear()
    for sample, used in zip(crawl.samples.order_by("seq"), (3, 9), strict=True):
        sample.metrics |= {"used_anchor": used, "used_context": 2 * used, "used_none": 1}
        sample.save()
    assert "context_use" in shown(client, crawl)


def shown(client, crawl) -> list[str]:
    """The plots on the screen of measures."""
    text = client.get(f"/crawls/{crawl.pk}/measures/").content.decode()
    return re.findall(r'data-figure="(\w+)"', text)
