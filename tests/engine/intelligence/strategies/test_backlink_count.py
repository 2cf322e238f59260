from __future__ import annotations

from apps.engine.intelligence.strategies.backlink_count import BacklinkCount
from tests.engine.intelligence.strategies.toy import Waiting, visit_of


def links(count: int) -> str:
    return "".join(f"<a href=/{i}>x</a>" for i in range(count))


def test_a_reorder_counts_the_pages_that_link_and_new_links_wait_behind(topic):
    # Pages 0, 1, 2 link to 5; page 2 to 6 too; nobody to the seed 7: counts 3, 1, 0 by 3.
    strategy = BacklinkCount(reorders_every=3).fit(topic)
    for number, targets in ((0, [5]), (1, [5]), (2, [5, 6])):
        visit = visit_of(links(len(targets)), topic, number=number, links=targets)
        strategy.learn(visit)
        assert strategy.score_links(visit).tolist() == [0.0] * len(targets)
    assert strategy.rescore(Waiting([5, 6, 7])).tolist() == [1.0, 1 / 3, 0.0]
    # Page 3 finds 5 again, which keeps its rank, and the new 8, which waits behind.
    visit = visit_of(links(2), topic, number=3, links=[5, 8])
    strategy.learn(visit)
    assert strategy.score_links(visit).tolist() == [1.0, 0.0]


def test_the_first_reorder_may_come_sooner_or_later():
    def due(**parameters):
        return [t for t in range(1, 200) if BacklinkCount(**parameters).reorder_due(t)]

    assert due() == [50, 100, 150]
    assert due(reorders_every=50, first_reorder=20) == [20, 70, 120, 170]
    assert due(reorders_every=50, first_reorder=120) == [120, 170]
    assert due(reorders_every=1) == list(range(1, 200))
