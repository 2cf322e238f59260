"""The answers as plain values: JSON without a NaN, and the same numbers."""

from __future__ import annotations

import json
from math import nan

from apps.experiments.results.answer import answer
from apps.experiments.results.choice import choose
from apps.experiments.results.plain import as_dict
from tests.experiments.results.made_answers import flat, spread, with_state


def test_everything_is_there_as_json():
    ends = spread(10, 0.1, 0.0)
    ends[0][2] = nan
    results = flat(ends, topics=[f"{'Arts' if n < 5 else 'Science'}/{n}" for n in range(10)])
    choice = choose(results)
    plain = as_dict(results, choice, curves=True)
    assert json.loads(json.dumps(plain, allow_nan=False)).keys() == plain.keys()
    whole = answer(results, choice)
    assert plain["sentence"] == whole.verdict.sentence
    assert plain["crawlers"][1]["test"]["holm"] == whole.rows[1].test.holm
    assert plain["crawlers"][0]["test"] is None
    assert plain["crawlers"][2]["value"]["topics"] == 9
    assert [each["claim"] for each in plain["limits"]] == [each.claim for each in whole.limits]
    assert [each["at"] for each in plain["measures"][0]["moments"]] == ["100", "area"]
    assert plain["over_the_crawl"][0]["for_good_from"] == 10
    assert len(plain["over_the_crawl"][0]["holm"]) == len(plain["grid"])
    assert [group["name"] for group in plain["by_domain"]["groups"]] == ["Arts", "Science"]
    assert len(plain["by_difficulty"]["groups"]) == 4
    assert [each["topics"][-1] for each in plain["curves"]] == [10, 10, 9]
    assert as_dict(results, choice)["curves"] is None


def test_an_experiment_without_a_cell_is_plain_too():
    results = with_state(flat([[None, None]], budget=100), "running")
    plain = as_dict(results, choose(results))
    assert (plain["ended"], plain["measures"], plain["over_the_crawl"]) == (False, [], [])
    assert plain["crawlers"][0]["value"] == {"topics": 0, "mean": None, "standard_error": None}
