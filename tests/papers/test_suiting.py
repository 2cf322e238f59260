"""What a web lacks for a protocol is told from the counts of its labels."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apps.papers.setting_up import Sizes
from apps.papers.suiting import Suits, suits
from apps.webs.importing import import_web
from apps.webs.models import Web
from apps.webs.services import demo_web_named
from tests.papers.made_protocols import PAIR, protocol

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
TABLE_3 = protocol(PAIR, experiment=None, table="hcla-table-3")
TABLE_5 = protocol(PAIR, experiment=None, table="hcla-table-5")


def test_an_experiment_has_a_topic_of_each_label_that_is_large_enough(labelled: Web) -> None:
    assert suits(protocol(PAIR), labelled, Sizes()) == Suits(topics=3)
    assert suits(protocol(PAIR), labelled, Sizes(topics=2)).topics == 2


def test_too_few_labels_and_too_few_pages_are_named(labelled: Web) -> None:
    large = protocol(PAIR)
    topics = large.experiment.topics.model_copy(update={"fewest": 40})
    plan = large.experiment.model_copy(update={"topics": topics})
    large = large.model_copy(update={"experiment": plan})
    assert suits(large, labelled, Sizes()).lacks == "It needs two labels of 40 pages or more."
    assert "The seeds alone are 6 pages" in suits(protocol(PAIR), labelled, Sizes(pages=6)).lacks


def test_a_table_names_the_published_web_that_has_its_label(labelled: Web) -> None:
    without = suits(TABLE_3, labelled, Sizes())
    assert (without.web, "the label department" in without.lacks) == ("webkb", True)
    assert suits(TABLE_5, labelled, Sizes()).web == "cora"


def test_a_table_is_at_hand_on_a_web_with_the_label_or_one_below_it(
    tmp_path: Path, db: None, data_dir: Path
) -> None:
    path = tmp_path / "cora.jsonl"
    label = "Information_Retrieval/Digital_Library"
    path.write_text(json.dumps({"url": "http://a.test/", "topics": [label], "html": "x"}))
    assert suits(TABLE_5, import_web("papers", path)[0], Sizes()) == Suits()


def test_a_table_needs_an_uploaded_web(db: None, data_dir: Path) -> None:
    demo = demo_web_named("demo-1")
    assert demo is not None
    assert suits(TABLE_3, demo, Sizes()).lacks == "It needs an uploaded web."


def test_a_table_without_labels_and_parts_takes_the_demo_web_too_but_not_the_live_one(
    db: None, data_dir: Path
) -> None:
    locality, demo = protocol(PAIR, experiment=None, table="sl-locality"), demo_web_named("demo-1")
    assert demo is not None
    assert suits(locality, demo, Sizes()) == Suits()
    live = Web(name="the Web", source=Web.Source.LIVE)
    assert suits(locality, live, Sizes()).lacks == "It needs an uploaded web."
