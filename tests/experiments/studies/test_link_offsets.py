from __future__ import annotations

import numpy as np
import pytest

from apps.experiments.studies.link_offsets import link_offsets
from apps.experiments.studies.reading import StudyCancelled
from tests.experiments.studies.made_pages import read


def go_on() -> None:
    """Always wanted."""


def linking(number: int, *targets: tuple[str, str]) -> tuple[str, str]:
    links = "".join(f"<p>{word} <a href={url}>go</a></p>" for word, url in targets)
    return f"http://a.test/{number}", links


# Ten pages, each with a link to the good page after "loaf" and one to the bad page after "track".
GOOD, BAD = ("http://a.test/good", "<p>bread</p>"), ("http://a.test/bad", "<p>train</p>")
PAGES = (*(linking(n, ("loaf", "/good"), ("track", "/bad")) for n in range(10)), GOOD, BAD)
CRITIC = (*[0.5] * 10, 0.9, 0.1)


def test_the_word_before_a_link_predicts_where_it_leads() -> None:
    offsets = link_offsets(read(*PAGES, critic=CRITIC), go_on)
    assert offsets.topic == "ants" and [window.dmax for window in offsets.windows] == [*range(9)]
    anchor_only, near = offsets.windows[0], offsets.windows[1]
    assert near.offsets.links == 20 and near.offsets.average == 1.0
    assert anchor_only.offsets.average < 1.0
    gains = {at.offset: at.gain for at in near.at}
    assert gains[-1] == pytest.approx(1.0)
    assert dict(offsets.tags[4])["p"] > 0


def test_without_scores_there_is_nothing_to_learn() -> None:
    assert link_offsets(read(*PAGES, critic=[np.nan] * 12), go_on) is None


def test_who_is_not_wanted_stops() -> None:
    def not_wanted() -> None:
        raise StudyCancelled

    with pytest.raises(StudyCancelled):
        link_offsets(read(*PAGES, critic=CRITIC), not_wanted)
