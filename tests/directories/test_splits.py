"""The papers' splits: sizes, seeds, and what is left out."""

from __future__ import annotations

import hashlib

import pytest

from apps.directories.splits import RULES, drawn_order, left_out, rule, split

URLS = [f"http://a.test/{i}" for i in range(60)]


def test_lc_starts_from_its_examples_and_the_rest_are_targets():
    parts = split(URLS, rule("lc"), 20, seed=1)
    assert len(parts.seeds) == 20 and parts.seeds == parts.positives
    assert len(parts.targets) == 40 and not parts.evaluation
    assert {*parts.seeds, *parts.targets} == set(URLS)


def test_sl_gives_the_judge_as_many_others_and_has_no_targets():
    parts = split(URLS, rule("sl"), 25, seed=1)
    assert len(parts.seeds) == 25 and parts.seeds == parts.positives
    assert len(parts.evaluation) == 25 and not parts.targets
    assert not set(parts.evaluation) & set(parts.positives)


def test_slc_seeds_only_start_the_crawl():
    parts = split(URLS, rule("slc"), 10, seed=1)
    assert len(parts.seeds) == 10 and len(parts.positives) == 50
    assert not set(parts.seeds) & set(parts.positives)
    assert not (parts.targets or parts.evaluation)


def test_afc_starts_from_every_example():
    parts = split(URLS, rule("afc"), 300, seed=1)
    assert set(parts.seeds) == set(URLS) and parts.positives == parts.seeds
    assert not (parts.targets or parts.evaluation)
    assert len(split(URLS, rule("afc"), 10, seed=1).seeds) == 10


@pytest.mark.parametrize("how", RULES, ids=lambda how: how.id)
def test_a_category_that_is_too_small_is_refused(how):
    least = how.least(10)
    assert split(URLS[:least], how, 10, seed=1)
    with pytest.raises(ValueError, match=f"{least} are needed"):
        split(URLS[: least - 1], how, 10, seed=1)


def test_the_draw_is_the_seeds_alone():
    assert split(URLS, rule("lc"), 20, 7) == split(reversed(URLS), rule("lc"), 20, 7)
    assert split(URLS, rule("lc"), 20, 7) != split(URLS, rule("lc"), 20, 8)
    assert split(URLS + URLS, rule("lc"), 20, 7) == split(URLS, rule("lc"), 20, 7)
    kept = [url for url in drawn_order(URLS, 7) if url in URLS[:30]]
    assert kept == drawn_order(URLS[:30], 7)


@pytest.mark.parametrize("most", [0, 1, 7, 60, 90])
def test_the_first_names_drawn_are_those_of_the_whole_draw(most):
    def lot(name: str) -> tuple[bytes, str]:
        return hashlib.blake2b(f"7 {name}".encode(), digest_size=16).digest(), name

    assert drawn_order(URLS, 7) == sorted(URLS, key=lot)
    assert drawn_order(URLS + URLS, 7, most) == sorted(URLS + URLS, key=lot)[:most]


def test_the_papers_numbers_are_the_defaults():
    assert [(r.id, r.size, r.minimum, r.scope, r.negatives_per_positive) for r in RULES] == [
        ("lc", 20, 40, "own", 2),
        ("sl", 250, 500, "subtree", 1),
        ("slc", 100, 101, "own", 2),
        ("afc", 300, 300, "own", 2),
    ]


@pytest.mark.parametrize(
    ("path", "out"),
    [
        ("Regional/Asia/Education", True),
        ("World/Deutsch", True),
        ("Kids/Adults_and_Teens", True),
        ("Science/adult-education", True),
        ("Arts/Worldwide", False),
        ("Science/Astronomy", False),
    ],
)
def test_words_keep_categories_out_as_whole_words(path, out):
    assert left_out(path, ("Regional", "International", "World", "Adult")) is out
