"""The crawlers of a design, counted before any is made."""

from __future__ import annotations

import pytest

from apps.experiments.design.schema import Design
from apps.experiments.design.variants import variants
from apps.schemas.refused import Refused


def design(**parameters: object) -> Design:
    crawler = {"strategy": "tag_tree_combo", "parameters": parameters}
    return Design.read({"name": "a", "web": "made", "crawlers": [crawler]})


def test_a_list_makes_a_crawler_of_each_value() -> None:
    made = variants(design(beta=[0.1, 0.2, 0.3]))
    assert [variant.parameters["beta"] for variant in made] == [0.1, 0.2, 0.3]


def test_too_many_are_refused_before_any_is_made() -> None:
    many = {f"p{i}": list(range(1_000)) for i in range(8)}
    with pytest.raises(Refused) as refused:
        variants(design(**many))
    assert refused.value.field == "crawlers"
    assert "These are 1,000,000,000,000,000,000,000,000 crawlers" in refused.value.message
