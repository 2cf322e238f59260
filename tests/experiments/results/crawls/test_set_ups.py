from __future__ import annotations

from apps.engine.intelligence.strategies import strategy
from apps.experiments.results.crawls.set_ups import differences, labels
from tests.crawl_rows import made_topic


def settings(*crawls) -> dict[str, tuple]:
    return {setting.name: setting.values for setting in differences(crawls)}


def test_what_is_the_same_for_all_is_left_out(ended):
    first = ended(1, "tag_tree_combo", parameters={"beta": 0.25}, random_seed=3)
    second = ended(1, "tag_tree_combo", parameters={"beta": 0.5}, random_seed=4)
    assert settings(first, second) == {"beta": (0.25, 0.5), "random_seed": (3, 4)}
    assert settings(first, first) == {}


def test_a_parameter_left_at_its_default_is_not_a_difference(ended):
    default = ended(1, "tag_tree_combo")
    (beta,) = [p.default for p in strategy(default.strategy).parameters() if p.name == "beta"]
    message = ended(1, "tag_tree_combo", parameters={"beta": beta})
    assert settings(default, message) == {}


def test_what_one_strategy_alone_has_is_a_difference(ended):
    differing = settings(ended(1), ended(1, "fish_search", parameters={"width": 7}))
    assert differing["strategy"] == ("full_page", "fish_search")
    assert differing["width"] == (None, 7)


def test_rules_of_scope_and_politeness_stand_by_themselves(ended):
    differing = settings(ended(1, scope={"depth": 3}), ended(1, scope={"depth": 4}))
    assert differing == {"scope depth": (3, 4)}


def test_labels_distinguish_crawls_by_as_little_as_will_do(ended, topic):
    plain = ended(1)
    assert labels([plain, ended(1, "breadth_first")]) == ("Full page", "Breadth-first")
    quarter = ended(1, "tag_tree_combo", parameters={"beta": 0.25})
    half = ended(1, "tag_tree_combo", parameters={"beta": 0.5})
    assert labels([plain, quarter, half]) == (
        "Full page",
        "Tag tree combo, β 0.25",
        "Tag tree combo, β 0.5",
    )
    other = ended(1, on=made_topic(topic.owner, "Rye"))
    assert labels([plain, other]) == ("Full page, Seagrass", "Full page, Rye")
    again = ended(1)
    assert labels([plain, again]) == (f"Full page #{plain.pk}", f"Full page #{again.pk}")
    assert labels([ended(1, name="Night run"), plain]) == ("Night run", "Full page")
    by_first = ended(1, parent_policy="first")
    assert labels([plain, by_first]) == ("Full page, parents max", "Full page, parents first")
