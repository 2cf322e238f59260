"""The classes of a directory are its leaves, pruned by the directory's own counts (AFC §3.1)."""

from __future__ import annotations

from collections import Counter

from apps.directories.importing import import_directory
from apps.directories.models import DirectoryPage, DirectoryTopic
from apps.directories.readers.listing import Listed
from apps.engine import topics as engine_topics
from apps.engine.intelligence.strategies.taxonomy_baseline import TaxonomyBaseline
from apps.engine.intelligence.topic_model import TopicModel
from apps.topics.inputs import taxonomy
from apps.topics.inputs.directory_classes import MOST_PAGES, classes_of
from apps.topics.models import Topic

FOCUS = "Top0/Leaf0"


def directory_of(topic: Topic, counts: dict[str, int], listed: int | None = None) -> Topic:
    """The topic as one of a directory with so many pages in each category, of which `listed` have
    rows (default: all)."""
    directory = import_directory(topic.owner, "made", [Listed(FOCUS, "http://first.test/", "One")])
    DirectoryTopic.objects.filter(directory=directory).delete()
    categories = DirectoryTopic.objects.bulk_create(
        DirectoryTopic(
            directory=directory,
            path=path,
            parent=path.rpartition("/")[0],
            depth=path.count("/") + 1,
            own_pages=count,
            all_pages=count,
        )
        for path, count in counts.items()
    )
    DirectoryPage.objects.bulk_create(
        (
            DirectoryPage(topic=row, url=f"http://made.test/{row.path}/{number}", title=row.path)
            for row in categories
            for number in range(row.own_pages if listed is None else min(listed, row.own_pages))
        ),
        batch_size=5_000,
    )
    topic.web = None
    topic.category = directory.topics.get(path=FOCUS)
    topic.save()
    return topic


def frozen_of(topic: Topic) -> dict:
    return taxonomy.freeze(topic)


def drawn_of(topic: Topic) -> Counter[str]:
    """How many pages of the directory are drawn of each class."""
    return Counter(
        page["class"] for page in frozen_of(topic)["pages"] if page["url"].startswith("http://made")
    )


def leaves_of(topic: Topic, least: int = 300) -> tuple[str, ...]:
    """The classes that the taxonomy baseline tells apart."""
    supplied = taxonomy.supply(topic, topic.pk, frozen_of(topic))["taxonomy"]
    model = TopicModel(engine_topics.Topic("t", language="en", taxonomy=supplied))
    return TaxonomyBaseline(least=least).fit(model).classifier_.names


def even(tops: int, leaves: int, pages: int) -> dict[str, int]:
    return {f"Top{i}/Leaf{j}": pages for i in range(tops) for j in range(leaves)}


def test_a_hundred_leaves_of_220_pages_do_not_collapse(topic: Topic) -> None:
    made = directory_of(topic, even(10, 10, 220))
    drawn = drawn_of(made)
    assert len(drawn) == 100 and set(drawn.values()) == {MOST_PAGES // 100}
    names = leaves_of(made)
    assert len(names) == 100 and f"/{FOCUS}" in names


def test_the_482_leaves_of_the_paper_can_be_had(topic: Topic) -> None:
    # 12 × 40 leaves of 310 pages, and 2 × 30 of 20, which become the leaf Other of their parents.
    # Without the directory's counts nothing would have AFC's 300 pages, since 41 are drawn of each.
    counts = even(12, 40, 310) | {f"Top{i}/Small{j}": 20 for i in range(2) for j in range(30)}
    made = directory_of(topic, counts, listed=60)
    drawn = drawn_of(made)
    assert len(counts) > 500 and len(drawn) == 482
    assert set(drawn.values()) == {MOST_PAGES // 482} == {41}
    assert (drawn["/Top0"], drawn["/Top0/Small0"]) == (41, 0)
    names = leaves_of(made)
    assert len(names) == 482 and "/Top0/Other" in names


def test_the_topics_own_class_is_never_merged(topic: Topic) -> None:
    # Its 3 pages make k 3, which leaves 600 leaves of 4; k is doubled until they join.
    counts = even(20, 30, 4) | {FOCUS: 3}
    made = directory_of(topic, counts)
    classes = classes_of(made, made.category)
    assert f"/{FOCUS}" in classes.sizes and len(classes.sizes) <= 500
    assert classes.sizes[f"/{FOCUS}"] == 3


def test_equally_many_pages_are_drawn_and_no_class_keeps_more(topic: Topic) -> None:
    # With k 20 the four leaves of /Top1 join it: their 4 × 10 drawn pages are sampled to 10.
    counts = {FOCUS: 40, **{f"Top1/Leaf{j}": 10 for j in range(4)}}
    made = directory_of(topic, counts)
    assert set(classes_of(made, made.category).sizes) == {f"/{path}" for path in counts}
    supplied = taxonomy.supply(made, made.pk, frozen_of(made))["taxonomy"]
    assert (supplied.sizes["/Top1/Leaf0"], supplied.drawn) == (10, 300)
    assert leaves_of(made, least=20) == ("/Top0/Leaf0", "/Top1")
    assert len(leaves_of(made, least=1)) == 5
