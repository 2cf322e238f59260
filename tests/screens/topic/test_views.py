"""Topics in the browser, and who may see what."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from apps.accounts.sharing import share_with_everybody
from apps.crawls.models import Crawl, Page
from apps.engine.codes import State
from apps.screens.topic.classifier import _misjudged
from apps.topics.models import Example, Topic
from tests.crawl_rows import made_crawl
from tests.topic_fixtures import MADE, bread, stars

pytestmark = pytest.mark.alike

FIELDS = {"name": "Rye", "negatives_per_positive": "2"}


@pytest.fixture
def mine(client: Client, owner) -> Client:
    client.force_login(owner)
    return client


@pytest.fixture
def theirs(stranger) -> Client:
    client = Client()
    client.force_login(stranger)
    return client


def test_the_list_shows_what_there_is(mine: Client, topic: Topic) -> None:
    page = mine.get(reverse("topics:list")).content.decode()
    assert "Bread" in page


def test_an_empty_list_advises_what_to_do(mine: Client) -> None:
    assert "No topic yet" in mine.get(reverse("topics:list")).content.decode()


def test_sharing_stands_in_the_content_of_the_page(mine: Client, topic: Topic) -> None:
    page = mine.get(reverse("topic:detail", args=[topic.pk])).content.decode()
    assert "They may" in page[page.index("<main") : page.index("</main>")]


def test_a_new_topic_is_saved_and_its_examples_asked_for(mine: Client, web) -> None:
    answer = mine.post(
        reverse("topic:new"),
        {
            **FIELDS,
            "web": web.pk,
            "keywords": "rye, dough",
            "seeds": bread(0),
            "positives": bread(1),
        },
    )
    topic = Topic.objects.get()
    assert answer.url == reverse("topic:detail", args=[topic.pk])
    assert topic.keywords == ["rye", "dough"]
    assert topic.work == "fetching"


def test_bad_lines_are_marked_and_kept_and_good_ones_saved(mine: Client, owner) -> None:
    typed = "http://a.test/1\r\n<b>nonsense</b>\r\nhttp://a.test/1"
    answer = mine.post(reverse("topic:new"), {**FIELDS, "seeds": typed}, follow=True)
    topic = Topic.objects.get()
    page = answer.content.decode()
    assert answer.redirect_chain[-1][0] == reverse("topic:edit", args=[topic.pk])
    assert "2 lines that are not taken. The other one is kept." in page
    assert "Line 2</a>: <code>&lt;b&gt;nonsense&lt;/b&gt;</code> not a web address" in page
    assert "the same as line 1" in page
    assert "http://a.test/1\n&lt;b&gt;nonsense&lt;/b&gt;\nhttp://a.test/1" in page.replace("\r", "")
    assert topic.seeds.count() == 1


def test_targets_that_overlap_are_counted_and_named(mine: Client, owner) -> None:
    lists = {"seeds": bread(0), "positives": bread(1), "targets": bread(0, 1, 2, 3)}
    page = mine.post(reverse("topic:new"), {**FIELDS, **lists}, follow=True).content.decode()
    assert "2 lines that are not taken (2 are seeds or training examples). The other 2" in page
    assert Topic.objects.get().targets.count() == 2


def test_one_target_is_one_page(mine: Client, topic: Topic) -> None:
    topic.targets.exclude(pk=topic.targets.first().pk).delete()
    page = mine.get(reverse("topic:detail", args=[topic.pk])).content.decode()
    assert "1 page no crawl is told about" in page


def test_found_targets_name_their_crawls(mine: Client, topic: Topic) -> None:
    crawl = Crawl.objects.create(
        owner=topic.owner,
        topic=topic,
        web=topic.web,
        strategy="full_page",
        budget=10,
        request_limit=50,
    )
    Page.objects.create(
        crawl=crawl,
        seq=1,
        request=1,
        number=0,
        url=MADE.url(84),
        final_url=MADE.url(84),
        host="h0.test",
        http_status=200,
        words=3,
        priority=1,
        parent=-1,
        depth=0,
        target=True,
        fetched_at=timezone.now(),
        seconds=0,
        digest="",
        file="",
        offset=0,
        length=0,
    )
    page = mine.get(reverse("topic:detail", args=[topic.pk])).content.decode()
    assert "1 found by a crawl · 1 not yet" in page


def test_a_refused_topic_keeps_all_that_was_typed(mine: Client, topic: Topic) -> None:
    answer = mine.post(reverse("topic:new"), {**FIELDS, "name": "Bread", "seeds": "x\ny"})
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "You have a topic of this name" in page
    assert "x\ny</textarea>" in page
    assert Topic.objects.count() == 1


def test_the_form_shows_a_topic_as_it_is(mine: Client, topic: Topic) -> None:
    page = mine.get(reverse("topic:edit", args=[topic.pk])).content.decode()
    assert bread(*range(8)) in page
    assert f"{MADE.url(0)},7" in page


def test_an_unchanged_form_changes_nothing(mine: Client, topic: Topic) -> None:
    address = reverse("topic:edit", args=[topic.pk])
    form = mine.get(address).context["form"]
    typed = {name: form[name].value() for name in form.fields}
    typed = {name: getattr(value, "pk", value) for name, value in typed.items() if value}
    version = topic.version
    answer = mine.post(address, typed)
    topic.refresh_from_db()
    assert answer.status_code == 302
    assert (topic.version, topic.work) == (version, "")


def test_a_topic_shows_its_classifier_and_examples(mine: Client, topic: Topic) -> None:
    page = mine.get(reverse("topic:detail", args=[topic.pk])).content.decode()
    assert "5-fold cross-validation on 8 positive and 12 negative examples" in page
    assert "Terms that decide" in page
    assert page.count("fetched</span>") == 8
    assert MADE.url(80).removeprefix("http://") in page


@pytest.mark.parametrize("kind", ["positive", "negative", "evaluation", "nonsense"])
def test_every_kind_of_example_can_be_looked_at(mine: Client, topic: Topic, kind: str) -> None:
    answer = mine.get(reverse("topic:detail", args=[topic.pk]), {"examples": kind, "page": "99"})
    assert answer.status_code == 200


def test_a_topic_without_anything_can_be_looked_at(mine: Client, owner) -> None:
    topic = Topic.objects.create(owner=owner, name="Empty")
    page = mine.get(reverse("topic:detail", args=[topic.pk])).content.decode()
    assert "No targets on this topic." in page


def test_hostile_words_stay_words(mine: Client, owner) -> None:
    nasty = "<script>alert(1)</script>"
    topic = Topic.objects.create(owner=owner, name=nasty, description=nasty, keywords=[nasty])
    Example.objects.create(
        topic=topic,
        url=f"http://a.test/{nasty}",
        relevant=True,
        title=nasty,
        fetch=Example.Fetch.FETCHED,
        final_url=f"http://a.test/{nasty}",
    )
    for name in ("topic:detail", "topic:edit", "topic:delete"):
        page = mine.get(reverse(name, args=[topic.pk])).content.decode()
        assert nasty not in page
    assert nasty not in mine.get(reverse("topics:list")).content.decode()


@pytest.mark.parametrize(
    ("action", "work"),
    [
        ("fetch", "fetching"),
        ("train", "training"),
        ("gather", "gathering"),
    ],
)
def test_the_owner_may_ask_for_work(mine: Client, topic: Topic, action: str, work: str) -> None:
    mine.post(reverse("topic:action", args=[topic.pk]), {"action": action})
    topic.refresh_from_db()
    assert topic.work == work


def test_examples_are_relabelled_and_removed_in_place(mine: Client, topic: Topic) -> None:
    example = topic.examples.get(url=MADE.url(0))
    address = reverse("topic:action", args=[topic.pk])
    answer = mine.post(address, {"action": "relabel", "example": example.pk, "misjudged": "all"})
    assert answer["Location"].endswith(f"?misjudged=all#example-{example.pk}")
    example.refresh_from_db()
    assert not example.relevant
    mine.post(address, {"action": "remove", "example": example.pk})
    assert not topic.examples.filter(pk=example.pk).exists()


def test_a_relabelled_row_changes_at_once(topic: Topic) -> None:
    example = topic.examples.get(url=MADE.url(0))
    rows = [{"url": example.url, "title": "", "relevant": True, "probability": 0.1, "terms": []}]
    assert _misjudged(topic, rows)[0].label == "topic"
    example.relevant = False
    example.save()
    assert _misjudged(topic, rows)[0].label == "not"


def test_misjudged_examples_are_read_all_at_once(topic: Topic) -> None:
    kept = {"title": "", "relevant": True, "probability": 0.1, "terms": []}
    rows = [{**kept, "url": url} for url in topic.examples.values_list("url", flat=True)[:4]]
    with CaptureQueriesContext(connection) as asked:
        read = _misjudged(topic, [*rows, {**kept, "url": "http://gone.test/"}])
    assert len(asked) == 1 and len(read) == 5
    assert [row.example is None for row in read] == [False] * 4 + [True]


def test_another_topics_example_is_not_touched(mine: Client, topic: Topic, owner) -> None:
    other = Topic.objects.create(owner=owner, name="Other")
    example = topic.examples.first()
    address = reverse("topic:action", args=[other.pk])
    assert mine.post(address, {"action": "remove", "example": example.pk}).status_code == 404
    for key in ("x", "²", "9" * 5000):
        assert mine.post(address, {"action": "remove", "example": key}).status_code == 404
    assert topic.examples.filter(pk=example.pk).exists()


def test_deleting_asks_once(mine: Client, topic: Topic) -> None:
    address = reverse("topic:delete", args=[topic.pk])
    assert mine.get(address).status_code == 200
    assert Topic.objects.count() == 1
    mine.post(address)
    assert Topic.objects.count() == 0


def test_deleting_lists_what_goes_and_whose(mine: Client, topic: Topic, stranger) -> None:
    address = reverse("topic:delete", args=[topic.pk])
    for owner in (topic.owner, stranger):
        made_crawl(topic, owner=owner, state=State.FINISHED, pages=1200)
    page = mine.get(address).content.decode()
    assert f"{topic.examples.count()} examples" in page
    assert "2 crawls with 2,400 pages" in page
    assert "1 of the crawls belongs to other people" in page and "Delete for good" in page


def test_a_topic_with_a_running_crawl_is_kept_and_reports_it(mine: Client, topic: Topic) -> None:
    made_crawl(topic)
    page = mine.get(reverse("topic:delete", args=[topic.pk])).content.decode()
    assert "1 of its crawls runs or waits" in page and "Delete for good" not in page


CHANGING = ("topic:edit", "topic:action", "topic:delete")


def test_a_stranger_finds_nothing(theirs: Client, topic: Topic) -> None:
    for name in ("topic:detail", *CHANGING):
        address = reverse(name, args=[topic.pk])
        assert theirs.get(address).status_code in (404, 405)
        assert theirs.post(address, {"action": "train"}).status_code == 404
    assert "Bread" not in theirs.get(reverse("topics:list")).content.decode()


def test_a_shared_topic_is_looked_at_and_not_changed(theirs: Client, topic: Topic) -> None:
    share_with_everybody(topic)
    page = theirs.get(reverse("topic:detail", args=[topic.pk])).content.decode()
    assert "Bread" in page
    assert "Train again" not in page and "New crawl" not in page and "Remove" not in page
    for name in CHANGING:
        answer = theirs.post(reverse(name, args=[topic.pk]), {**FIELDS, "action": "train"})
        assert answer.status_code == 404


def test_nobody_signed_in_sees_nothing(client: Client, topic: Topic) -> None:
    for name in ("topic:detail", *CHANGING):
        answer = client.get(reverse(name, args=[topic.pk]))
        assert answer.status_code == 302 and answer.url.startswith("/sign-in/")


def test_lists_are_checked_while_they_are_typed_and_nothing_is_stored(mine: Client) -> None:
    answer = mine.post(
        reverse("topic:check"),
        {
            "seeds": "http://a.test/\nwww,b.example\ntbd",
            "targets": "http://a.test/",
        },
    ).json()
    seeds = answer["seeds"]
    assert (seeds["bad"], seeds["taken"]) == ([2, 3], 1)
    assert "Use a dot" in seeds["html"] and "Remove the line" in seeds["html"]
    assert "is a seed" in answer["targets"]["html"]
    assert answer["positives"]["taken"] == 0
    assert not Topic.objects.exists()


def test_lines_that_are_not_pages_of_the_recorded_web_are_named(mine: Client, web) -> None:
    typed = {"seeds": f"http://nowhere.test/\n{bread(0)}\ntbd", "targets": bread(1), "web": web.pk}
    answer = mine.post(reverse("topic:check"), typed).json()
    assert "1 line is not a page of made" in answer["seeds"]["html"]
    assert "<code>http://nowhere.test/</code> is not a page of made." in answer["seeds"]["html"]
    assert (answer["seeds"]["bad"], answer["seeds"]["taken"]) == ([3], 2), "it is kept"
    assert "not a page" not in answer["targets"]["html"]
    for sent in (typed | {"web": ""}, typed | {"web": "999"}):
        assert "not a page" not in mine.post(reverse("topic:check"), sent).json()["seeds"]["html"]


def test_each_part_states_whether_it_is_needed(mine: Client) -> None:
    page = mine.get(reverse("topic:new")).content.decode()
    for part, need in (
        ("words", "required"),
        ("web", "preset"),
        ("examples", "recommended"),
        ("negatives", "recommended"),
        ("targets", "optional"),
        ("further", "optional"),
    ):
        start = page.index(f'id="part-{part}"')
        assert f'<span class="need is-{need}">' in page[start : start + 300]


def test_sampling_is_asked_for_where_no_negative_is_pasted(mine: Client, web) -> None:
    mine.post(
        reverse("topic:new"),
        {
            **FIELDS,
            "web": web.pk,
            "seeds": bread(0),
            "positives": bread(1),
            "without_negatives": "sample",
        },
    )
    assert Topic.objects.get().work == "gathering"


def previewed(mine: Client, **fields: object) -> str:
    return mine.post(reverse("topic:preview"), {**FIELDS, **fields}).content.decode()


def test_the_classifier_is_previewed_before_anything_is_stored(mine: Client, web) -> None:
    page = previewed(mine, web=web.pk, positives=bread(*range(8)), negatives=stars(*range(12)))
    assert "Terms that decide" in page and "on 8 positive and 12 negative" in page
    assert "good enough to start" in page
    assert not Topic.objects.exists()


def test_a_preview_states_how_many_examples_it_still_needs(mine: Client, web) -> None:
    page = previewed(mine, web=web.pk, positives=bread(0, 1, 2), negatives=stars(0))
    assert "Needs 2 more positive examples and 4 more negative examples." in page
    live = previewed(mine, positives="http://a.test/", negatives=stars(0))
    assert "fetched once the topic is saved" in live


def test_a_preview_advises_what_to_do_without_topics_to_draw_negatives_from(
    mine: Client, web
) -> None:
    page = previewed(mine, web=web.pk, positives=bread(0, 1, 2))
    assert "5 more negative examples. Your other topics on the same web have too few" in page
    named = previewed(mine, web=web.pk, positives=bread(0, 1, 2), negatives=stars(0))
    assert "Your other topics" not in named


def drawn_on(page: str) -> list[str]:
    """The webs whose other topics the form would draw negatives from."""
    return page.split('data-drawn-on="')[1].split('"')[0].split()


def test_the_form_knows_on_which_webs_there_are_topics_to_draw_negatives_from(
    mine: Client, theirs: Client, topic: Topic
) -> None:
    new = reverse("topic:new")
    assert drawn_on(mine.get(new).content.decode()) == [str(topic.web_id)]
    assert drawn_on(theirs.get(new).content.decode()) == []
    itself = mine.get(reverse("topic:edit", args=[topic.pk])).content.decode()
    assert drawn_on(itself) == [], "a topic draws none from itself"
    Topic.objects.update(web=None)
    assert drawn_on(mine.get(new).content.decode()) == ["live"]
    Example.objects.update(fetch=Example.Fetch.WAITING)
    assert drawn_on(mine.get(new).content.decode()) == []


def test_drawing_negatives_is_offered_only_where_there_are_topics_to_draw_from(
    mine: Client, theirs: Client, topic: Topic
) -> None:
    on_the_web = reverse("topic:new") + f"?web={topic.web_id}"
    assert "data-none-to-draw hidden" in mine.get(on_the_web).content.decode()
    assert "data-to-draw hidden" in mine.get(reverse("topic:new")).content.decode()
    assert "data-to-draw hidden" in theirs.get(on_the_web).content.decode()


def test_a_weak_preview_advises_what_to_add(mine: Client, web) -> None:
    mixed = [*bread(*range(6)).split(), *stars(*range(6)).split()]
    page = previewed(
        mine, web=web.pk, positives="\n".join(mixed[::2]), negatives="\n".join(mixed[1::2])
    )
    assert "below .70" in page and "The classifier cannot tell the topic" in page


def test_a_preview_draws_negatives_where_none_are_pasted(mine: Client, web, topic: Topic) -> None:
    others = previewed(mine, web=web.pk, positives=stars(*range(20, 28)))
    assert "on 8 positive and 8 negative" in others
    sampled = previewed(
        mine, web=web.pk, positives=stars(*range(20, 28)), without_negatives="sample"
    )
    assert "on 8 positive and 16 negative" in sampled
