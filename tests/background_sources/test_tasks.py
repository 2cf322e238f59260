"""Building backgrounds: by a worker, again, in vain, and for topics that are crawled with them."""

from __future__ import annotations

import json

import pytest

from apps.background_sources import services
from apps.background_sources.services import BackgroundSent
from apps.backgrounds.files import path_of, texts_of
from apps.backgrounds.models import Background, BackgroundVersion
from apps.engine.codes import Need
from apps.engine.intelligence.topic_model import TopicModel
from apps.jobs import queue
from apps.schemas.refused import Refused
from apps.topics.inputs.freezing import freeze, origin_words, origins, supply
from apps.topics.models import Topic
from apps.topics.services import choose_background
from apps.topics.snapshots import engine_topic, snapshot
from tests.background import work_on
from tests.ended_process import ENDED
from tests.topic_fixtures import MADE


def built(owner, source: str = "web", **options) -> Background:
    made = services.make_background(owner, BackgroundSent(source=source, options=options))
    assert made.newest is not None
    work_on(made.newest)
    return made


def test_a_sample_of_a_web_is_the_same_at_every_building(owner, web) -> None:
    made = built(owner, web=web.pk, size=40, seed=7)
    first = made.ready
    assert (first.texts, first.number, first.done) == (40, 1, 40)
    assert first.words > 30 and first.directions > 5 and first.language == "en"
    assert first.made_of == "40 pages of made, drawn evenly"
    work_on(services.build_again(made))
    assert made.ready.number == 2 and made.ready.digest == first.digest
    other = built(owner, web=web.pk, size=40, seed=8)
    assert other.ready.digest != first.digest and other.name == "made (2)"


def test_the_file_of_a_version_goes_when_the_next_is_ready(owner, web) -> None:
    made = built(owner, web=web.pk, size=10)
    old = path_of(made.ready)
    work_on(services.build_again(made))
    assert not old.exists() and path_of(made.ready).exists()
    assert made.versions.get(number=1).file == ""


def test_a_topic_leaves_out_its_own_pages_its_targets_and_those_that_judge(topic: Topic) -> None:
    made = built(topic.owner, web=topic.web_id, size=120)
    choose_background(topic, made)
    frozen = json.loads(json.dumps(freeze(topic, {Need.BACKGROUND})))["background"]
    texts = texts_of(made.ready)
    left = {url for i, pair in enumerate(texts.urls) if i not in frozen["left_out"] for url in pair}
    assert MADE.url(4 * 20) not in left and MADE.url(4 * 10) not in left and MADE.url(0) not in left
    assert MADE.url(4 * 17) in left and frozen["rows"] == len(texts) - len(frozen["left_out"])


def test_a_crawl_keeps_the_version_it_was_started_with(topic: Topic) -> None:
    made = built(topic.owner, web=topic.web_id, size=60)
    choose_background(topic, made)
    frozen = freeze(topic, {Need.BACKGROUND})
    assert origin_words(origins(frozen))["background"].startswith("background: made, version 1, ")
    before = TopicModel(supply(engine_topic(snapshot(topic)), topic.pk, frozen))
    services.delete_background(made)
    after = TopicModel(supply(engine_topic(snapshot(topic)), topic.pk, frozen))
    world = after.world()
    assert world.digest() == before.world().digest() and world.texts_ > 30


def test_examples_of_topics_leave_out_the_topic_itself(topic: Topic) -> None:
    made = built(topic.owner, "topics", web=topic.web_id)
    assert made.ready.texts == 20 and made.ready.made_of == "examples of 1 topic of made"
    assert freeze(topic, {Need.BACKGROUND})["background"]["of"] == "web"
    choose_background(topic, made)
    assert freeze(topic, {Need.BACKGROUND})["background"]["rows"] == 0


def test_a_topic_that_is_to_have_none_has_none(topic: Topic) -> None:
    choose_background(topic, None, Topic.BackgroundUse.NONE)
    frozen = freeze(topic, {Need.BACKGROUND})
    assert frozen["background"]["of"] == "none"
    assert not TopicModel(supply(engine_topic(snapshot(topic)), topic.pk, frozen)).has_background


def test_one_that_is_not_ready_or_not_shared_cannot_be_chosen(topic: Topic, stranger) -> None:
    made = services.make_background(
        topic.owner, BackgroundSent(source="web", options={"web": topic.web_id, "size": 20})
    )
    with pytest.raises(Refused, match="not ready yet"):
        choose_background(topic, made)
    work_on(made.newest)
    Background.objects.filter(pk=made.pk).update(owner=stranger)
    made.refresh_from_db()
    with pytest.raises(Refused, match="not shared with ada"):
        choose_background(topic, made)


def test_a_sharing_that_ends_gives_the_topic_a_drawn_one_again(topic: Topic, stranger) -> None:
    made = built(topic.owner, web=topic.web_id, size=20)
    choose_background(topic, made)
    Background.objects.filter(pk=made.pk).update(owner=stranger)
    topic.refresh_from_db()
    assert freeze(topic, {Need.BACKGROUND})["background"]["of"] == "web"


def test_a_building_that_was_lost_begins_anew(owner, web) -> None:
    made = services.make_background(
        owner, BackgroundSent(source="web", options={"web": web.pk, "size": 20})
    )
    lost = queue.claim(BackgroundVersion, made.newest.pk, made.newest.job_attempt)
    queue.heartbeat(lost, done=11, wanted=20)
    BackgroundVersion.objects.update(job_worker=ENDED)
    message = f"background version {lost.pk}: its work was lost, queued again"
    assert queue.requeue_lost() == [message]
    work_on(made.newest)
    assert made.ready.texts == 20 and not queue.finish(lost, texts=1)


def test_one_that_is_cancelled_leaves_nothing(owner, web) -> None:
    made = services.make_background(
        owner, BackgroundSent(source="web", options={"web": web.pk, "size": 20})
    )
    services.cancel(made)
    assert not Background.objects.exists()


def test_a_failure_is_reported_and_keeps_the_version_before(topic: Topic) -> None:
    made = built(topic.owner, "topics", web=topic.web_id)
    again = services.build_again(made)
    topic.examples.all().delete()
    work_on(again)
    again.refresh_from_db()
    assert again.job_problem == (
        "Its source has 0 texts with words; a background needs 2 or more."
        " The version before it is kept."
    )
    assert made.ready.number == 1 and texts_of(made.ready)


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"source": "moon"}, "source"),
        ({"source": "web"}, "web"),
        ({"source": "web", "options": {"web": 999}}, "web"),
        ({"source": "web", "options": {"web": 1, "size": 1}}, "size"),
        ({"source": "topics"}, "web"),
        ({"source": "crawls"}, "crawls"),
        ({"source": "topics", "name": "x" * 101}, "name"),
    ],
)
def test_what_cannot_be_built_is_refused_at_its_field(owner, sent, field: str) -> None:
    with pytest.raises(Refused) as refused:
        services.make_background(owner, BackgroundSent.read(sent))
    assert refused.value.field == field


def test_topics_of_others_lend_nothing_unless_shared(topic: Topic, stranger) -> None:
    with pytest.raises(Refused, match="No topic of the live Web"):
        services.make_background(stranger, BackgroundSent(source="topics"))
