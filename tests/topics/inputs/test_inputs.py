"""The inputs of crawls besides their topic: the right pages and classes, kept whatever is
deleted."""

from __future__ import annotations

import pytest

from apps.crawls import deletion
from apps.directories.importing import import_directory
from apps.directories.readers.listing import Listed
from apps.engine.codes import Need
from apps.jobs import queue
from apps.topics import services, tasks
from apps.topics.definition.schemas import Definition
from apps.topics.inputs import corpus, taxonomy
from apps.topics.inputs.catalogue import list_of
from apps.topics.inputs.freezing import (
    expected_origins,
    freeze,
    origin_words,
    origins,
    supply,
)
from apps.topics.inputs.inlinks import status_source
from apps.topics.models import InputPage, Topic
from apps.topics.services import create_topic
from apps.topics.snapshots import engine_topic, snapshot
from tests.background import work_on
from tests.made_once import made_once
from tests.topic_fixtures import MADE, bread, stars

ALL = {Need.CORPUS, Need.TAXONOMY, Need.BACKLINKS}


def given(topic: Topic):
    """The engine's topic with everything it can be given, through JSON and back."""
    import json

    frozen = json.loads(json.dumps(freeze(topic, ALL)))
    return supply(engine_topic(snapshot(topic)), topic.pk, frozen), frozen


@pytest.fixture
def planets(owner, web) -> Topic:
    """A second topic of the same web, of other pages about stars."""
    definition = Definition(
        name="Planets / moons",
        web_id=web.pk,
        lists={"positives": stars(*range(23, 29)), "negatives": bread(26, 27)},
    )

    def make() -> Topic:
        topic = create_topic(owner, definition).topic
        tasks.run_here(topic)
        return topic

    return made_once(("planets", web.pk), make, owner)


def listed_sites(topic: Topic) -> set[str]:
    """The domains that a crawl started now would measure reliability by."""
    return set(supply(engine_topic(snapshot(topic)), topic.pk, freeze(topic, set())).listed_sites)


def urls(documents) -> set[str]:
    return {document.url for document in documents}


def held_back(topic: Topic) -> set[str]:
    judging = topic.examples.filter(role="evaluate").values_list("url", flat=True)
    return {*topic.targets.values_list("url", flat=True), *judging}


# Corpus ----------------------------------------------------------------------------------------


def test_without_more_the_corpus_is_the_training_examples(topic: Topic) -> None:
    engine, frozen = given(topic)
    assert frozen["corpus"]["of"] == "examples"
    assert urls(engine.corpus) == {e.url for e in engine.training}


def test_the_background_joins_the_examples(topic: Topic, planets: Topic) -> None:
    engine, frozen = given(topic)
    assert frozen["corpus"]["of"] == "background"
    assert urls(engine.corpus) == {
        *(e.url for e in engine.training),
        *stars(*range(23, 29)).split(),
    }
    assert not urls(engine.corpus) & held_back(topic)


def test_a_named_corpus_stands_alone(topic: Topic, planets: Topic) -> None:
    services.replace_pages(topic, "corpus", bread(2, 3) + "\n" + stars(3))
    tasks.run_here(topic)
    engine, frozen = given(topic)
    assert (frozen["corpus"]["of"], frozen["corpus"]["rows"]) == ("named", 3)
    assert urls(engine.corpus) == {*bread(2, 3).split(), stars(3)}


def test_a_corpus_is_taken_up_to_the_seven_thousand_pages_of_hcla(
    topic: Topic, monkeypatch
) -> None:
    assert corpus.MOST == 7_000
    monkeypatch.setattr(corpus, "MOST", 20)
    InputPage.objects.bulk_create(
        InputPage(
            topic=topic,
            url=f"http://c.test/{i}",
            kind=InputPage.Kind.CORPUS,
            fetch=InputPage.Fetch.FETCHED,
            file="f",
            offset=0,
            length=1,
            digest="d",
        )
        for i in range(21)
    )
    assert freeze(topic, {Need.CORPUS})["corpus"]["rows"] == 20


# Taxonomy --------------------------------------------------------------------------------------


def test_alone_the_topic_and_its_negatives_are_the_classes(topic: Topic) -> None:
    engine, frozen = given(topic)
    names = [name for name, _ in engine.taxonomy.pages]
    assert names.count(engine.taxonomy.focus) == 8 and names.count("/") == 12
    assert frozen["taxonomy"]["of"] == "topics"


def test_other_topics_are_classes_of_their_own(topic: Topic, planets: Topic) -> None:
    engine, _ = given(topic)
    pages = {document.url: name for name, document in engine.taxonomy.pages}
    assert pages[stars(23)] == f"/Planets   moons #{planets.pk}"
    assert pages[MADE.url(0)] == engine.taxonomy.focus == f"/Bread #{topic.pk}"
    assert not set(pages) & held_back(topic)
    # Seen from the other topic, bread is the class beside it; its own named negatives, none of
    # which is an example elsewhere, stand at the root.
    other, _ = given(planets)
    assert {name for name, _ in other.taxonomy.pages} == {
        other.taxonomy.focus,
        f"/Bread #{topic.pk}",
        "/",
    }


def test_without_another_class_there_is_no_taxonomy(topic: Topic) -> None:
    topic.examples.filter(relevant=False).delete()
    assert not taxonomy.possible_for([topic])
    assert "taxonomy" not in freeze(topic, ALL)


@pytest.fixture
def listed(topic: Topic) -> Topic:
    """The topic as one made of a directory's category."""
    targets = topic.targets.values_list("url", flat=True)
    directory = import_directory(
        topic.owner,
        "made",
        [
            *(
                Listed("Food/Bread", url, "Rye", "On rye")
                for url in [*bread(0, 16).split(), *targets]
            ),
            *(Listed("Food/Bread/Sour", f"http://sour.test/{i}", f"Sour {i}") for i in range(3)),
            *(
                Listed("Food/Fish", f"http://fish.test/{i}", f"Fish {i}", "Of fish")
                for i in range(4)
            ),
            Listed("Food/Fish", stars(0), "A star"),
            Listed("Food/Fish", "http://bare.test/"),
            *(Listed("Science/Stars", f"http://star.test/{i}", "Star") for i in range(5)),
        ],
    )
    topic.category = directory.topics.get(path="Food/Bread")
    topic.save()
    return topic


def classes_of(engine) -> dict[str, set[str]]:
    classes: dict[str, set[str]] = {}
    for name, document in engine.taxonomy.pages:
        classes.setdefault(name, set()).add(document.url)
    return classes


def test_a_topic_of_a_directory_takes_all_its_leaves(listed: Topic) -> None:
    engine, frozen = given(listed)
    classes = classes_of(engine)
    assert set(classes) == {"/Food/Bread", "/Food/Bread/Sour", "/Food/Fish", "/Science/Stars"}
    assert engine.taxonomy.focus == "/Food/Bread"
    # Its own examples, the page listed beside them, no target, nothing that was never described.
    assert classes["/Food/Bread"] == {*bread(*range(8), 16).split()}
    assert classes["/Food/Fish"] == {*(f"http://fish.test/{i}" for i in range(4)), stars(0)}
    assert (frozen["taxonomy"]["of"], frozen["taxonomy"]["name"]) == ("directory", "made")


def test_classes_go_as_deep_as_is_chosen(listed: Topic) -> None:
    listed.class_depth = 1
    listed.save()
    engine, _ = given(listed)
    assert set(classes_of(engine)) == {"/Food/Bread", "/Food", "/Science"}


def test_a_page_is_described_by_its_text_and_else_by_its_editors(listed: Topic) -> None:
    engine, frozen = given(listed)
    pages = {document.url: document for _, document in engine.taxonomy.pages}
    assert pages["http://fish.test/1"].words == ["fish", "1", "of", "fish"]
    assert len(pages[stars(0)].words) > 100
    assert len(pages[bread(16)].words) > 100
    assert frozen["taxonomy"]["examples"] == 10


def test_until_the_pages_are_fetched_every_class_is_known_by_descriptions(listed: Topic) -> None:
    Topic.objects.filter(pk=listed.pk).update(web=None)
    engine, frozen = given(Topic.objects.get(pk=listed.pk))
    assert max(len(document.words) for _, document in engine.taxonomy.pages) < 20
    assert len(classes_of(engine)["/Food/Bread"]) == 9
    assert "all by their titles" in origin_words(origins(frozen))["taxonomy"]


def test_the_background_fetches_the_pages_of_the_classes(listed: Topic) -> None:
    queue.enqueue(listed, work_wanted=Topic.Work.CLASSES)
    work_on(listed)
    fetched = listed.class_pages.filter(fetch="fetched").values_list("url", flat=True)
    assert set(fetched) == {bread(16), stars(0)}
    assert not listed.class_pages.filter(fetch="waiting").exists()


# Back-links, sites, and what becomes of them ---------------------------------------------------


def test_back_links_of_other_topics_come_too(topic: Topic, planets: Topic) -> None:
    engine, frozen = given(topic)
    mine = set(topic.input_pages.values_list("final_url", flat=True))
    theirs = set(planets.input_pages.values_list("final_url", flat=True)) - held_back(topic)
    assert theirs - mine and urls(engine.backlinks) == mine | theirs
    assert (frozen["backlinks"]["of"], frozen["backlinks"]["rows"]) == ("found", len(mine))


def test_a_topic_gets_the_positives_of_other_topics_but_not_its_own(
    topic: Topic, planets: Topic
) -> None:
    engine, _ = given(topic)
    reports = {url for addresses in engine.other_positives for url in addresses}
    own = set(topic.examples.filter(relevant=True).values_list("url", flat=True))
    assert reports == set(stars(*range(23, 29)).split()) - own - held_back(topic)
    assert reports


def test_sites_are_the_topics_list_else_those_of_the_directories(listed: Topic) -> None:
    frozen = freeze(listed, set())
    assert frozen["sites"]["of"] == "directory"
    assert {"fish.test", "star.test"} < listed_sites(listed)
    from io import BytesIO

    list_of("sites").add(listed, "mine.txt", BytesIO(b"only.test"))
    frozen = freeze(listed, set())
    assert frozen["sites"]["of"] == "list"
    assert listed_sites(listed) == {"only.test"}


def test_without_directories_or_list_nothing_is_listed(topic: Topic) -> None:
    assert listed_sites(topic) == set()


def test_it_outlives_the_other_topics(topic: Topic, planets: Topic) -> None:
    frozen = freeze(topic, ALL)
    before = supply(engine_topic(snapshot(topic)), topic.pk, frozen)
    deletion.delete_topic(planets)
    after = supply(engine_topic(snapshot(topic)), topic.pk, frozen)
    for name in ("corpus", "backlinks"):
        assert urls(getattr(before, name)) == urls(getattr(after, name))
    assert [n for n, _ in before.taxonomy.pages] == [n for n, _ in after.taxonomy.pages]


def test_it_is_copied_where_the_disk_cannot_link(topic: Topic, planets: Topic, monkeypatch) -> None:
    def refuse(*arguments: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr("os.link", refuse)
    engine, _ = given(topic)
    assert stars(23) in urls(engine.corpus)


def test_only_what_a_strategy_needs_is_frozen(topic: Topic) -> None:
    assert set(freeze(topic, {Need.EXAMPLES})) == {"inlinks"}
    assert set(freeze(topic, {Need.CORPUS})) == {"corpus", "inlinks"}


def test_every_part_is_reported_in_words(listed: Topic, planets: Topic) -> None:
    reports = origins(freeze(listed, ALL))
    assert set(reports) == {"inlinks", "sites", "corpus", "taxonomy", "backlinks"}
    assert status_source(reports) == (
        "in-links: counted in the recorded web made, 8 of 8 positive examples known"
    )
    words = origin_words(reports)
    assert words.keys() == reports.keys() and words["inlinks"] == status_source(reports)
    assert words["corpus"].startswith("corpus: background pages and")
    assert words["taxonomy"].startswith("classes: directory made, ")
    assert not any("pages" in part for part in reports.values())
    assert status_source({}) == ""


def test_what_is_expected_is_what_is_given(listed: Topic, planets: Topic) -> None:
    needs = {Need.CORPUS, Need.TAXONOMY, Need.INLINKS}
    reports, given_to_it = expected_origins(listed, needs), origins(freeze(listed, needs))
    for name in ("corpus", "taxonomy", "inlinks"):
        assert reports[name].items() <= given_to_it[name].items()
    assert expected_origins(listed, {Need.EXAMPLES}) == {}
