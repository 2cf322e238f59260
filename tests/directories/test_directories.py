"""Directories in the database: importing, counting, browsing, making topics of them."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from apps.directories.importing import import_directory
from apps.directories.models import Directory, DirectoryTopic
from apps.directories.readers.listing import BadDirectoryFile, Listed
from apps.directories.schemas import CategoryChoice
from apps.directories.selectors import candidates, listed_sites
from apps.jobs import queue
from apps.schemas.input import describe_accepted
from apps.screens.directories.forms import MakeTopicsForm
from apps.topics.definition.from_directory import make_topics
from apps.topics.models import Example, Topic
from tests.deletions import finish_deletions

pytestmark = pytest.mark.django_db


def pages(category: str, number: int, host: str = "") -> list[Listed]:
    host = host or category.rpartition("/")[2].lower()
    return [
        Listed(category, f"http://{host}{i % 3}.test/{i}", f"Page {i}", "Of pages")
        for i in range(number)
    ]


LISTED = [
    *pages("Science/Stars", 50),
    *pages("Science/Ants", 45),
    *pages("Science/Ants/Leaf_cutters", 12),
    *pages("World/Deutsch/Wissen", 60),
    *pages("Arts/Glass", 10),
    Listed("Arts/Empty", ""),
]


@pytest.fixture
def directory(owner) -> Directory:
    return import_directory(owner, "made", LISTED)


def paths(rows) -> list[str]:
    return [row.path for row in rows]


def test_categories_are_counted_alone_and_with_all_below(directory):
    counts = {
        row.path: (row.own_pages, row.all_pages, row.parent, row.depth)
        for row in directory.topics.all()
    }
    assert counts["Science/Ants"] == (45, 57, "Science", 2)
    assert counts["Science"] == (0, 107, "", 1)
    assert counts[""] == (0, 177, "", 0)
    assert counts["Arts/Empty"] == (0, 0, "Arts", 2)
    assert (directory.categories, directory.pages, directory.sites) == (10, 177, 15)


def test_what_is_not_taken_is_counted_by_reason(owner):
    listed = [
        Listed("A", "http://a.test/"),
        Listed("A", "http://A.test:80/#top"),
        Listed("B", "http://a.test/"),
        Listed("A", "ftp://a.test/"),
        Listed("A", "http://a.test/" + "x" * 3_000),
        Listed("A", "http://10.0.0.1/"),
    ]
    made = import_directory(owner, "odd", listed)
    assert made.pages == 2
    assert made.skipped == {"twice": 1, "not_http": 1, "too_long": 1, "not_public": 1}


def test_a_file_that_breaks_off_leaves_nothing(owner):
    def broken():
        yield from pages("Arts", 6_000)
        raise BadDirectoryFile("line 7")

    with pytest.raises(BadDirectoryFile, match="line 7"):
        import_directory(owner, "broken", broken())
    assert not Directory.objects.exists()
    finish_deletions()
    assert not Directory.every.exists() and not DirectoryTopic.objects.exists()


@pytest.mark.parametrize("path", ["a/" * 60 + "a", "é" * 1_500])
def test_a_category_that_no_database_can_index_is_refused(owner, path):
    with pytest.raises(BadDirectoryFile, match="is not a category"):
        import_directory(owner, "deep", [Listed(path, "http://a.test/")])
    assert not Directory.objects.exists()


def test_an_empty_directory_and_a_taken_name_are_refused(owner, directory):
    with pytest.raises(BadDirectoryFile, match="lists no web page"):
        import_directory(owner, "none", [Listed("Arts", "")])
    with pytest.raises(BadDirectoryFile, match="already"):
        import_directory(owner, "made", LISTED)


def test_the_sites_that_a_directory_lists_are_its_owners(directory, owner, stranger):
    assert len(listed_sites(owner.pk)) == 15
    assert "stars0.test" in listed_sites(owner.pk)
    assert not listed_sites(stranger.pk)


def test_candidates_have_enough_pages_and_no_word_left_out(directory):
    assert paths(candidates(directory, CategoryChoice(rule="lc"))) == [
        "Science/Ants",
        "Science/Stars",
    ]
    assert paths(candidates(directory, CategoryChoice(rule="lc", words=()))) == [
        "Science/Ants",
        "Science/Stars",
        "World/Deutsch/Wissen",
    ]
    assert paths(candidates(directory, CategoryChoice(rule="lc", at="Arts"))) == []
    few = CategoryChoice(rule="lc", at="Science/Ants", size=5, minimum=1)
    assert paths(candidates(directory, few)) == ["Science/Ants", "Science/Ants/Leaf_cutters"]


def test_status_locality_leaves_no_category_out_and_link_contexts_those_of_its_words(
    directory, owner
):
    # SL §5.1 takes all subcategories of Business; LC §5 filters. Who names words has them.
    sent = {"rule": "lc", "most": "100", "seed": "1", "size": "5", "minimum": "1"}
    for rule_id, words, world in (
        ("lc", "", False),
        ("lc", "-", True),
        ("lc", "Arts, Ants", True),
        ("sl", "", True),
        ("sl", "World", False),
    ):
        form = MakeTopicsForm({**sent, "rule": rule_id, "words": words}, owner=owner)
        assert form.is_valid(), form.errors
        chosen = paths(candidates(directory, form.wanted))
        assert any(path.startswith("World") for path in chosen) is world, (rule_id, words)


def test_subtrees_are_the_children_of_the_place_so_that_none_holds_another(directory):
    wanted = CategoryChoice(rule="sl", at="Science", size=20, minimum=50)
    assert paths(candidates(directory, wanted)) == ["Science/Ants", "Science/Stars"]
    wanted = CategoryChoice(rule="sl", size=20, minimum=50)
    assert paths(candidates(directory, wanted)) == ["Science", "World"]


def test_names_are_not_patterns(owner):
    listed = [
        *pages("a_b/c", 21),
        *pages("axb/c", 21, "x"),
        *pages("A_B/c", 21, "y"),
        *pages("a%/c", 21, "z"),
    ]
    odd = import_directory(owner, "odd", listed)
    for at in ("a_b", "a%"):
        wanted = CategoryChoice(rule="lc", at=at, minimum=1)
        assert paths(candidates(odd, wanted)) == [f"{at}/c"]


def test_a_draw_of_some_repeats(directory):
    one = CategoryChoice(rule="lc", words=(), most=1, seed=3)
    assert paths(candidates(directory, one)) == paths(candidates(directory, one))
    drawn = {
        paths(candidates(directory, CategoryChoice(rule="lc", words=(), most=1, seed=s)))[0]
        for s in range(20)
    }
    assert len(drawn) == 3


def test_topics_get_seeds_examples_and_targets_by_the_split(owner, directory):
    made = make_topics(owner, directory, CategoryChoice(rule="lc", seed=5), fetch=False)
    assert sorted(topic.name for topic in made.topics) == ["Science/Ants", "Science/Stars"]
    stars = Topic.objects.get(name="Science/Stars")
    assert (stars.seeds.count(), stars.targets.count()) == (20, 30)
    examples = stars.examples.filter(role=Example.Role.TRAIN, relevant=True)
    assert set(examples.values_list("url", flat=True)) == set(
        stars.seeds.values_list("url", flat=True)
    )
    assert (stars.negatives_per_positive, stars.work) == (2, "")
    assert stars.keywords == ["Science", "Stars"]
    assert "LC §5, random seed 5: 20 URLs are seeds" in stars.description


def test_a_subtrees_topic_has_the_pages_below_and_judges_apart(owner, directory):
    wanted = CategoryChoice(rule="sl", at="Science", size=25, minimum=1)
    make_topics(owner, directory, wanted, fetch=False)
    ants = Topic.objects.get(name="Science/Ants")
    by_role = {
        role: set(ants.examples.filter(role=role).values_list("url", flat=True))
        for role in (Example.Role.TRAIN, Example.Role.EVALUATE)
    }
    assert [len(urls) for urls in by_role.values()] == [25, 25]
    assert not set.intersection(*by_role.values())
    assert not ants.targets.exists() and ants.negatives_per_positive == 1
    assert any("leaf_cutters" in url for urls in by_role.values() for url in urls)


def test_a_category_that_repeats_its_urls_is_named_and_left_out(owner):
    listed = [*pages("A/B", 15, "x"), *pages("A/C", 15, "x")]
    made = import_directory(owner, "twice", listed)
    wanted = CategoryChoice(rule="sl", size=10, minimum=1)
    assert make_topics(owner, made, wanted, fetch=False).too_few == ("A",)
    assert not Topic.objects.exists()


def test_names_that_are_taken_get_a_number(owner, directory):
    for _ in range(2):
        make_topics(owner, directory, CategoryChoice(rule="lc", at="Science/Stars"), fetch=False)
    assert sorted(Topic.objects.values_list("name", flat=True)) == [
        "Science/Stars",
        "Science/Stars (2)",
    ]


def test_hundreds_of_topics_are_made_with_few_queries(owner, django_assert_max_num_queries):
    listed = [page for i in range(300) for page in pages(f"Science/C{i}", 25, f"c{i}")]
    many = import_directory(owner, "many", listed)
    with django_assert_max_num_queries(200):
        made = make_topics(owner, many, CategoryChoice(minimum=1, most=300), fetch=False)
    assert len(made.topics) == 300


def test_the_background_is_asked_for_the_pages(
    owner, directory, django_capture_on_commit_callbacks, monkeypatch
):
    asked = []
    monkeypatch.setattr(
        queue,
        "async_task",
        lambda task, kind, topic, attempt, cluster: asked.append((topic, attempt)),
    )
    with django_capture_on_commit_callbacks(execute=True):
        make_topics(owner, directory, CategoryChoice(rule="lc"))
    assert set(Topic.objects.values_list("work_wanted", flat=True)) == {"fetching"}
    assert sorted(asked) == sorted(Topic.objects.values_list("pk", "job_attempt"))


# The command ------------------------------------------------------------------------------------


def test_the_command_answers_with_json(tmp_path: Path):
    path = tmp_path / "lines.csv"
    path.write_text("http://a.test/,Arts/Glass\nmailto:x,Arts\nhttp://b.org/,Arts\n")
    out = io.StringIO()
    call_command("import_directory", str(path), stdout=out, stderr=io.StringIO())
    answer = json.loads(out.getvalue())
    assert answer.pop("directory") == Directory.objects.get().pk
    assert answer == {
        "name": "lines.csv",
        "categories": 2,
        "pages": 2,
        "sites": 2,
        "skipped": {"not_http": 1},
    }
    with pytest.raises(CommandError, match="choose another name"):
        call_command("import_directory", str(path), stderr=io.StringIO())


def test_the_command_refuses_in_words(tmp_path: Path):
    with pytest.raises(CommandError, match="There is no file"):
        call_command("import_directory", str(tmp_path / "gone.rdf"))
    path = tmp_path / "content.rdf"
    path.write_text("<RDF><Topic")
    with pytest.raises(CommandError, match="not complete XML: line 1"):
        call_command("import_directory", str(path))


# The screens ------------------------------------------------------------------------------------


@pytest.fixture
def mine(client: Client, owner) -> Client:
    client.force_login(owner)
    return client


def url_of(directory: Directory, at: str = "") -> str:
    return reverse("directories:directory", args=[directory.pk]) + (f"?at={at}" if at else "")


def form(**given) -> dict[str, object]:
    return {"rule": "lc", "words": "World", "most": 100, "seed": 1, "action": "make", **given}


def test_no_directory_advises_how_to_get_one(mine: Client):
    assert "Upload one below" in mine.get(reverse("directories:list")).content.decode()


def test_the_tree_is_walked_down_to_the_pages(mine: Client, directory):
    assert "177" in mine.get(reverse("directories:list")).content.decode()
    top = mine.get(url_of(directory)).content.decode()
    assert 'href="?at=Science"' in top and "107" in top
    science = mine.get(url_of(directory, "Science")).content.decode()
    assert 'href="?at=Science%2FAnts"' in science
    ants = mine.get(url_of(directory, "Science/Ants")).content.decode()
    assert "Leaf cutters" in ants and "http://ants0.test/0" in ants and "Of pages" in ants
    assert mine.get(url_of(directory, "Science/Gone")).status_code == 404


def test_a_directory_is_its_owners(directory, stranger):
    theirs = Client()
    theirs.force_login(stranger)
    assert theirs.get(url_of(directory)).status_code == 404
    assert theirs.post(url_of(directory), form()).status_code == 404
    assert Client().get(url_of(directory)).status_code == 302
    assert not Topic.objects.exists()


def test_topics_are_counted_before_they_are_made(mine: Client, directory):
    page = mine.post(url_of(directory), form(action="count")).content.decode()
    assert "2 categories would become topics." in page and "Science/Stars" in page
    assert not Topic.objects.exists()


def test_a_count_of_none_advises_what_to_change(mine: Client, directory):
    page = mine.post(url_of(directory), form(action="count", minimum=5000)).content.decode()
    assert "No category would become a topic." in page
    assert "No category here has 5,000 URLs" in page and "would become topics" not in page


def test_topics_are_made_in_one_action(mine: Client, directory):
    answer = mine.post(url_of(directory), form(), follow=True)
    assert answer.redirect_chain[-1][0] == reverse("topics:list")
    assert "2 topics are made. Their example pages wait" in answer.content.decode()
    assert Topic.objects.count() == 2


def test_where_nothing_fits_it_advises_what_to_do(mine: Client, directory):
    page = mine.post(url_of(directory, "Arts"), form(), follow=True).content.decode()
    assert "No topic was made: no category here has 40 URLs" in page


def test_a_form_that_is_wrong_is_marked(mine: Client, directory):
    page = mine.post(url_of(directory), form(most="many", rule="xx")).content.decode()
    assert "No topic is made yet" in page and describe_accepted(CategoryChoice, "most") in page
    assert not Topic.objects.exists()


def test_hostile_names_are_shown_as_text(mine: Client, owner):
    hostile = import_directory(owner, "<b>x", [Listed("<i>A&B", "http://a.test/", "<script>1")])
    page = mine.get(url_of(hostile, "%3Ci%3EA%26B")).content.decode()
    assert "<script>1" not in page and "&lt;script&gt;1" in page
    assert "<i>A" not in page
