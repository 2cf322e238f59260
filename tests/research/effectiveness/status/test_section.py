"""The section on status: known answers."""

from __future__ import annotations

from apps.research.effectiveness.document import write_document
from apps.research.effectiveness.status.result import CrawlerStatus, StatusResult
from tests.research.effectiveness.made_results import PLAN, TOPICS, around, result
from tests.research.effectiveness.test_document import row

WEBS = [result("dune", 0.45, 0.46), result("heath", 0.5, 0.4), result("marsh", 0.5, 0.45)]


def made(gain: float, harvest: float) -> StatusResult:
    """Full Page has a status of 1.5 and a harvest of .5; the status learner so much more, and its
    gain has a spread of .04 over eight topics."""
    result = StatusResult(
        web="dune", command="", pages=300, topics=TOPICS, locality=0.34, mean_status=1.0
    )
    result = result.with_crawler(
        "Full page", CrawlerStatus(strategy="full_page", harvest=around(0.5), status=around(1.5))
    )
    return result.with_crawler(
        "Status learner",
        CrawlerStatus(
            strategy="status_learner",
            harvest=around(harvest, 0.03),
            status=around(1.5 + gain, 0.06),
        ),
    )


def test_the_status_learner_stands_against_full_page_with_what_is_asked_of_it() -> None:
    text = write_document(PLAN, WEBS, statuses=[made(0.3, 0.48)])
    assert "| dune: 8 topics, locality +0.34 | Full page | 1.500 |" in text
    cells = row(text, " | **Status learner**")
    assert cells[2:5] == ["1.800", "+0.300", "8 of 8"]
    assert cells[5] == "< 0.001" and cells[6:9] == ["0.480", "0.96", "0, 8"]
    # Without correction the harvest's p would be as the last of two by Holm.
    assert "by 0.1 or more on 8 of 8 topics, at 0.96 × Full Page's harvest: as asked." in text


def test_less_status_or_less_harvest_than_asked_is_reported() -> None:
    # The gains are .06 to .14 around .1: half of the eight topics reach .1.
    low = write_document(PLAN, WEBS, statuses=[made(0.1, 0.48)])
    assert "on 4 of 8 topics, at 0.96 × Full Page's harvest: less than asked." in low
    dear = write_document(PLAN, WEBS, statuses=[made(0.3, 0.44)])
    assert "on 8 of 8 topics, at 0.88 × Full Page's harvest: less than asked." in dear


def test_topics_that_lose_more_than_the_mean_may_are_counted() -> None:
    fair = made(0.3, 0.5)
    assert "Topics with less" not in write_document(PLAN, WEBS, statuses=[fair])
    full, mine = fair.crawlers["Full page"], fair.crawlers["Status learner"]
    one = mine.model_copy(update={"harvest": (0.7 * full.harvest[0], *mine.harvest[1:])})
    text = write_document(PLAN, WEBS, statuses=[fair.with_crawler("Status learner", one)])
    assert "as asked. Topics with less than 0.9 × Full Page's harvest: 1, the least 0.70." in text


def test_the_oracle_shows_what_room_there_is_and_is_not_tested() -> None:
    with_it = made(0.3, 0.48).with_crawler(
        "Oracle", CrawlerStatus(strategy="status_oracle", harvest=around(0.75), status=around(2.0))
    )
    text = write_document(PLAN, WEBS, statuses=[with_it])
    assert row(text, " | Oracle")[2:] == ["2.000", "+0.500", "–", "–", "0.750", "1.50", "–", "–"]
    assert "as asked. There is room for +0.50 at 1.50 × the harvest." in text
    without = write_document(PLAN, WEBS, statuses=[made(0.3, 0.48)])
    assert row(text, " | **Status learner**") == row(without, " | **Status learner**")


def test_without_results_there_is_no_section() -> None:
    assert "## Status" not in write_document(PLAN, WEBS)
