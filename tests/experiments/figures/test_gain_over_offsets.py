from __future__ import annotations

import pytest

from apps.experiments.figures.gain_over_offsets import GAIN, TAGS, WORDS, GainOverOffsets
from tests.experiments.figures.made_study import NOTHING, STUDY


def test_the_gain_at_each_offset_is_in_thousandths_of_a_bit() -> None:
    figure = GainOverOffsets().of_study(STUDY, GAIN)
    (bars,) = figure.traces
    assert [*bars.y] == pytest.approx([1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1])
    assert [*bars.errors] == pytest.approx([0.0] * 11)
    assert figure.x.names[0] == "−5" and figure.x.names[5:7] == ("0", "+1")
    assert "most at 0, 6 ± 0" in figure.reading


def test_shares_of_words_and_the_commonest_tags() -> None:
    (bars,) = GainOverOffsets().of_study(STUDY, WORDS).traces
    assert [*bars.y] == pytest.approx([1 / 11] * 11)
    cells, breaks = GainOverOffsets().of_study(STUDY, TAGS).traces
    # 3 and 1 at each of 11 offsets, in both topics.
    assert (cells.label, [*cells.y]) == ("td", [6.0] * 11) and [*breaks.y] == [2.0] * 11
    assert "td 66 (75\u202f%)" in GainOverOffsets().of_study(STUDY, TAGS).reading


def test_without_links_it_reports_that() -> None:
    for view in (GAIN, WORDS, TAGS):
        assert not GainOverOffsets().of_study(NOTHING, view).has_values
