"""Pages of a web chosen for a topic's form that was set aside, with all that was typed."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from apps.topics.models import Topic
from tests.people import Program, site_of
from tests.screens.webs.test_selecting import value

pytestmark = pytest.mark.alike
NEW = "/topics/new/all/"
ROWS = [(f"http://a.test/{n}", f"Page {n}", f"word{n} about sea", []) for n in range(6)]


@pytest.fixture
def coast(make_web):
    return make_web(ROWS, "coast")


def typed(web, **more) -> dict[str, object]:
    """A form on its way to the pages of its web."""
    return {
        "name": "Kelp",
        "keywords": "kelp, sea weed",
        "negatives_per_positive": "2",
        "language": "de",
        "language_also": "en",
        "web": web.pk,
        "seeds": "http://a.test/0\nnot an address",
        "browse": "1",
        **more,
    }


def test_pages_join_the_form_in_which_nothing_is_lost(owner, coast) -> None:
    site = site_of(owner)
    file = SimpleUploadedFile("more.txt", b"http://a.test/5\n")
    answer = site.post(NEW, typed(coast, positives_file=file))
    assert answer.headers["Location"] == reverse("webs:web", args=[coast.pk])
    page = site.get(answer.headers["Location"]).content.decode()
    assert "Pages are chosen for “Kelp”" in page and "positive examples</button>" in page
    bar = site.post(reverse("webs:selection", args=[coast.pk]), {"pages": "1,2,3"})
    assert "3 pages selected" in bar.content.decode() and "Split" not in bar.content.decode()
    sent = {"pages": "1,2", "page": ["5"], "list": "positives"}
    back = site.post(reverse("webs:add", args=[coast.pk]), sent, follow=True).content.decode()
    assert "2 positive examples added; 1 page stood there already." in back
    assert value(back, "positives").split() == [f"http://a.test/{n}" for n in (5, 1, 2)]
    assert value(back, "seeds").splitlines() == ["http://a.test/0", "not an address"]
    assert (value(back, "name"), value(back, "keywords")) == ("Kelp", "kelp, sea weed")
    assert re.findall(r'value="([a-z]{2})" selected', back) == ["de", "en"]
    assert f'data-chosen-on="{coast.pk}"' in back and not Topic.objects.exists()


def test_without_a_recorded_web_the_field_has_an_error(owner, coast) -> None:
    page = site_of(owner).post(NEW, typed(coast) | {"web": "", "name": ""}).content.decode()
    assert "Choose a recorded web first" in page and page.count('class="error" id=') == 1
    assert value(page, "keywords") == "kelp, sea weed"


def test_pages_join_the_form_of_a_stored_topic(owner, coast) -> None:
    site = site_of(owner)
    topic = Topic.objects.create(owner=owner, name="Kelp", web=coast)
    form = reverse("topic:edit", args=[topic.pk])
    site.post(form, typed(coast, name="Bull kelp"))
    back = site.post(reverse("webs:add", args=[coast.pk]), {"pages": "3", "list": "targets"})
    assert back.headers["Location"] == f"{form}?go_on=1"
    page = site.get(back.headers["Location"]).content.decode()
    assert (value(page, "name"), value(page, "targets")) == ("Bull kelp", "http://a.test/3")
    assert value(site.get(form).content.decode(), "name") == "Kelp"
    assert value(site.get(f"{NEW}?go_on=1").content.decode(), "name") == ""


def test_it_waits_while_another_topic_is_saved_until_it_is_left(owner, coast) -> None:
    site = site_of(owner)
    other = Topic.objects.create(owner=owner, name="Sand", web=coast)
    site.post(NEW, typed(coast))
    form = {"name": "Gravel", "negatives_per_positive": "2", "web": coast.pk}
    site.post(reverse("topic:edit", args=[other.pk]), form)
    assert Topic.objects.get().name == "Gravel"
    page = site.get(reverse("webs:web", args=[coast.pk])).content.decode()
    assert "Pages are chosen for “Kelp”" in page
    left = site.post(reverse("topic:leave"), follow=True).content.decode()
    assert "Pages are chosen" not in left and "Make a topic of the pages selected" in left


def test_a_saved_form_waits_no_longer(owner, coast) -> None:
    site = site_of(owner)
    site.post(NEW, typed(coast))
    assert 'name="browse"' in site.get(NEW).content.decode()
    site.post(NEW, {k: v for k, v in typed(coast).items() if k != "browse"})
    assert Topic.objects.get().name == "Kelp"
    page = site.get(reverse("webs:web", args=[coast.pk])).content.decode()
    assert "Pages are chosen for" not in page
    add = reverse("webs:add", args=[coast.pk])
    assert site.post(add, {"pages": "1", "list": "seeds"}).headers["Location"] == add[:-4]


def test_a_form_waits_for_its_person_and_its_web_alone(owner, stranger, coast, make_web) -> None:
    other = make_web(ROWS, "other")
    site = site_of(owner)
    site.post(NEW, typed(coast))
    assert "Pages are chosen" not in site.get(reverse("webs:web", args=[other.pk])).content.decode()
    assert value(site_of(stranger).get(f"{NEW}?go_on=1").content.decode(), "name") == ""


@pytest.fixture
def labelled(make_web):
    rows = [
        (f"http://a.test/{n}", f"Page {n}", "sea", ["kelp" if n < 24 else "x"]) for n in range(60)
    ]
    return make_web(rows, "labelled")


def test_all_labels_become_topics_in_one_action(owner, labelled) -> None:
    site = site_of(owner)
    labels = site.get(reverse("webs:labels", args=[labelled.pk])).content.decode()
    make = reverse("webs:topics_of_labels", args=[labelled.pk])
    assert f'action="{make}"' in labels and "AFC §3.5" in labels
    answer = site.post(make, {"rule": "afc", "most": "10"}, follow=True)
    assert "1 topic of labels" in answer.content.decode()
    (topic,) = Topic.objects.all()
    assert (topic.name, topic.web_label) == ("kelp (AFC)", "kelp")
    assert topic.seeds.count() == 24
    site.post(make, {"rule": "afc", "most": "10"})
    assert Topic.objects.count() == 1


@pytest.mark.parametrize("sent", [{"rule": "xyz", "most": "1"}, {"rule": "lc", "most": "many"}])
def test_a_wrong_rule_or_number_makes_no_topic_and_is_named(owner, labelled, sent) -> None:
    make = reverse("webs:topics_of_labels", args=[labelled.pk])
    answer = site_of(owner).post(make, sent, follow=True)
    assert answer.status_code == 200 and "message" in answer.content.decode()
    assert not Topic.objects.exists()


def test_a_program_makes_topics_of_all_labels(owner, labelled) -> None:
    made = Program(owner).send("POST", f"webs/{labelled.pk}/topics", {"rule": "sl"})
    assert made.status_code == 201
    assert [row["name"] for row in made.json()] == ["kelp (SL)"]
    refused = Program(owner).send("POST", f"webs/{labelled.pk}/topics", {"most": 0})
    assert refused.status_code == 422
