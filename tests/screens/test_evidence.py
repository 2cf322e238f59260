"""Crawls without evidence, drawn at random: no screen and no field of the API claims what the rows
do not carry."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from apps.crawls.measures.estimates import WIDEST
from apps.crawls.models import Crawl, Page
from apps.engine.codes import State, StopReason
from apps.engine.crawl.recording import Recorder
from apps.engine.evaluation.measure import GroundTruth
from apps.exports.columns import COLUMNS, OF_TEXT
from apps.exports.formats import FORMATS
from apps.exports.rows import Selection
from apps.topics.models import Topic
from tests.crawl_rows import grow, made_crawl, made_topic
from tests.engine.crawl.test_recording import pending
from tests.experiments.results.test_evidence import Drawn

pytestmark = [pytest.mark.django_db, pytest.mark.alike]

DRAWS = 12
SCREENS = (
    *("live:crawl", "collection:crawl", "measures:crawl", "crawls:list", "new_crawl:form"),
    *("topic:detail", "compare:crawls"),
)
OF_TOPICS = ("new_crawl:form", "topic:detail")
OF_JUDGES = ("relevant", "votes_for", "votes", "probability")
NOTHING_AS_A_NUMBER = re.compile(r"\b(nan|None|inf)\b")
NUMBER = r"[\s:]*(?:about |at least )?\d[\d.]*\s*%"


class Draw:
    """A crawl of 1 to 120 pages, of which a drawn share needs JavaScript and a drawn share of the
    others looks relevant; judges, targets, examples, end and hosts are drawn too."""

    def __init__(self, seed: int) -> None:
        luck = np.random.default_rng(seed)
        self.pages = int(luck.integers(1, 121))
        share, relevant = luck.choice([0.0, 0.3, 1.0]), luck.choice([0.0, 0.0, 0.02, 0.5])
        self.script = [bool(each) for each in luck.random(self.pages) < share]
        self.verdicts = [bool(each) for each in luck.random(self.pages) < relevant]
        self.judged_by = str(luck.choice(["committee", "guiding_classifier", "none"]))
        self.has_targets = bool(luck.integers(0, 2))
        self.negatives = bool(luck.integers(0, 2))
        self.f1 = luck.choice([None, 0.0])
        self.reason = luck.choice([StopReason.FRONTIER_EMPTY, StopReason.BUDGET_REACHED])

    @property
    def judged(self) -> int:
        """How many pages have a verdict."""
        return 0 if self.judged_by == "none" else self.pages - sum(self.script)

    @property
    def relevant(self) -> int:
        """How many pages look relevant."""
        return sum(self.verdicts[: self.judged])

    def metrics(self) -> dict[str, Any]:
        """What the engine's own recorder makes of such pages."""
        judge = None if self.judged_by == "none" else Drawn(self.verdicts, self.judged_by)
        targets = frozenset({"http://target.test/"}) if self.has_targets else frozenset()
        recorder = Recorder(
            committee=judge,
            truth=GroundTruth(targets),
            labels=lambda url: None,
            inlinks=lambda url: None,
            sample_every=10,
        )
        for seq, script in enumerate(self.script, 1):
            recorder.page(pending(seq, script=script))
        recorder.close()
        return recorder.metrics

    def stored(self, owner: Any, topic: Topic | None = None) -> Crawl:
        """The rows of the crawl, of a topic of its own if none is given."""
        topic = topic or made_topic(owner)
        if not self.has_targets:
            topic.targets.all().delete()
        if not self.negatives:
            topic.examples.filter(relevant=False).delete()
        if self.f1 is not None:
            topic.quality = {"models": [{"f1": {"mean": self.f1}}], "advice": ["at_chance"]}
            topic.save()
        crawl = grow(made_crawl(topic, judged_by=self.judged_by), self.pages)
        crawl.samples.all().delete()
        Page.objects.filter(crawl=crawl).update(relevant=None, votes=None, probability=None)
        verdicts = iter(self.verdicts)
        for page, script in zip(Page.objects.filter(crawl=crawl), self.script, strict=True):
            page.needs_javascript = script
            if not script and self.judged_by != "none":
                page.relevant = next(verdicts)
            page.save()
        Crawl.objects.filter(pk=crawl.pk).update(
            metrics=self.metrics(), state=State.FINISHED, reason=self.reason, queue_head=[]
        )
        crawl.refresh_from_db()
        return crawl


def words_of(client: Client, crawl: Crawl, name: str) -> str:
    """The visible text of a screen."""
    number = [crawl.topic_id] if name in OF_TOPICS else [crawl.pk]
    address = reverse(name, args=[] if name in ("crawls:list", "compare:crawls") else number)
    return text_of_html(client.get(address, {"crawls": f"{crawl.pk}"}).content.decode())


def text_of_html(html: str) -> str:
    """The visible text of a page."""
    html = re.sub(r"<(script|style|template|pre)\b.*?</\1>", " ", html, flags=re.S)
    return " ".join(strip_tags(html.replace("<", " <")).replace("\u202f", " ").split())


@pytest.mark.parametrize("seed", range(DRAWS))
def test_screens_and_api_claim_only_what_the_rows_carry(
    client: Client, django_user_model: Any, seed: int
) -> None:
    draw = Draw(seed)
    owner = django_user_model.objects.create_user("ada")
    crawl = draw.stored(owner)
    client.force_login(owner)
    for name in SCREENS:
        if name == "topic:detail" and draw.f1 is not None:
            continue  # its quality is drawn as one number, without the rest of a report
        words = words_of(client, crawl, name)
        if name != "topic:detail":  # whose inputs say in words that there are none
            assert not NOTHING_AS_A_NUMBER.search(words), name
        if not draw.has_targets:
            assert not re.search(f"Target recall{NUMBER}", words), name
        if not draw.relevant:
            assert not re.search(f"(?i)estimated recall{NUMBER}", words), name
            assert not re.search(r"of the relevant pages within reach", words), name
            # Where nothing judges, pages look relevant by a guide that can tell them apart.
            if draw.judged_by != "none" or draw.f1 is not None:
                assert "look relevant" not in words and "looks relevant" not in words, name
        if not draw.judged:
            assert not re.search(f"Harvest rate{NUMBER}", words), name
            assert not re.search(r"\d judged by", words), name
    if draw.relevant:
        assert f"{draw.relevant} page" in words_of(client, crawl, "live:crawl")
    answer = client.get(f"/api/v1/crawls/{crawl.pk}").json()
    metrics = answer["metrics"]
    assert (metrics.get("harvest_rate") is None) is (not draw.judged)
    assert (metrics.get("target_recall") is None) is (not draw.has_targets)
    low, high = (metrics.get(f"estimated_recall_{end}") for end in ("low", "high"))
    if not draw.relevant or draw.judged_by != "committee":
        assert low is high is None
    is_clear = low is not None and high - low <= WIDEST
    assert (metrics.get("estimated_recall") is not None) is is_clear


@pytest.mark.parametrize("seed", range(DRAWS))
def test_downloads_claim_only_what_the_rows_carry(django_user_model: Any, seed: int) -> None:
    draw = Draw(seed)
    crawl = draw.stored(django_user_model.objects.create_user("ada"))
    columns = tuple(name for name in COLUMNS if name not in OF_TEXT | {"captured_at"})
    chosen = Selection.of_crawl(crawl, *columns)
    lines = list(csv.DictReader(io.StringIO(b"".join(FORMATS["csv"].export(chosen)).decode())))
    objects = [json.loads(line) for line in FORMATS["jsonl"].export(chosen)]
    assert len(lines) == len(objects) == draw.pages
    for line, values, script in zip(lines, objects, draw.script, strict=True):
        judged = draw.judged_by != "none" and not script
        assert (values["relevant"] is not None) is judged is bool(line["relevant"])
        assert values["needs_javascript"] is script
        assert not NOTHING_AS_A_NUMBER.search(" ".join(line.values()))
        if not judged:
            assert not any(line[name] for name in OF_JUDGES[::3]), line
            assert values["why"].startswith("Not judged"), values["why"]
    assert sum(values["relevant"] is True for values in objects) == draw.relevant
