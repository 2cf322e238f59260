from __future__ import annotations

import pytest

from apps.figures import quantities as q


@pytest.mark.parametrize(
    ("value", "words"),
    [(0, "0 %"), (0.021, "2.1 %"), (0.0996, "10 %"), (0.6234, "62 %"), (1, "100 %"), (None, "–")],
)
def test_shares_have_their_unit(value: float | None, words: str) -> None:
    assert q.share(value).replace("\u202f", " ") == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(4, "4 s"), (1105, "18 min 25 s"), (7260, "2 h 1 min"), (90000, "1 d 1 h"), (None, "–")],
)
def test_durations_are_read_in_two_units(seconds: float | None, words: str) -> None:
    assert q.duration(seconds) == words


def test_numbers_are_grouped_and_unknown_is_a_dash() -> None:
    assert (q.count(48210), q.count(None)) == ("48,210", "–")
    assert (q.score(0.4871), q.priority(0.88987), q.speed(5.83)) == ("0.49", "0.890", "5.8")
    assert [q.speed(v) for v in (0, 0.25, 250.4)] == ["0", "0.25", "250"]
    assert [q.roughly(v) for v in (40, 612, 7000)] == ["40 s", "10 min", "1.9 h"]


@pytest.mark.parametrize(
    ("value", "against", "words"),
    [
        (27, 22, "23 % more"),
        (0.2, 0.4, "50 % fewer"),
        (3, 3, "as many"),
        (0, 0, "as many"),
        (1200, 0, "1,200"),
    ],
)
def test_one_number_is_compared_with_another(value: float, against: float, words: str) -> None:
    assert q.comparison(value, against).replace("\u202f", " ") == words


def test_addresses_are_shown_without_their_scheme() -> None:
    assert q.address("https://a.test/") == "a.test"
    assert q.address("http://a.test/b/") == "a.test/b/"
