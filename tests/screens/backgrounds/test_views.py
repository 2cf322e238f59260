"""Backgrounds on the screens and by the API: built, chosen, shared and deleted by whom it may."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse

from apps.accounts.sharing import share
from apps.background_sources import services
from apps.background_sources.services import BackgroundSent
from apps.backgrounds.models import Background
from apps.topics import tasks
from apps.topics.models import Topic
from apps.topics.training import train
from apps.topics.versions import new_version
from tests.background import work_on
from tests.people import Program, site_of
from tests.topic_fixtures import owner, stranger, topic, web, web_file  # noqa: F401

pytestmark = pytest.mark.alike


def built(topic: Topic, **options) -> Background:
    made = services.make_background(
        topic.owner,
        BackgroundSent(source="web", options={"web": topic.web_id, "size": 40, **options}),
    )
    work_on(made.newest)
    return made


def topic_page(topic: Topic) -> str:
    return reverse("topic:detail", args=[topic.pk])


def use(client, topic: Topic, background: object, **more: str) -> str:
    return client.post(
        reverse("topic:action", args=[topic.pk]),
        {
            "action": "background",
            "background": background,
            **more,
        },
        follow=True,
    ).content.decode()


def test_a_person_builds_one_chooses_it_and_sees_the_classifier_with_and_without(
    topic: Topic,
) -> None:
    site = site_of(topic.owner)
    page = site.post(
        "/backgrounds/?source=web",
        {
            "web": topic.web_id,
            "size": 40,
            "seed": 1,
            "name": "Many pages",
        },
        follow=True,
    ).content.decode()
    assert "Many pages is being built" in page and "waiting" in page
    made = Background.objects.get(name="Many pages")
    work_on(made.newest)
    assert "40 pages of made, drawn evenly" in site.get("/backgrounds/").content.decode()
    assert "Background: Many pages." in use(site, topic, made.pk)
    work_on(topic)
    page = site.get(topic_page(topic)).content.decode()
    assert "With the background Many pages the classifier’s F1 is" in page
    assert "Terms whose weight changed most" in page and "left out" in page
    topic.refresh_from_db()
    compared = topic.quality["backgrounds"][str(made.pk)]
    assert compared["texts"] == 40 - compared["left_out"] and compared["left_out"] > 0
    assert len(compared["gains"]) == 4 and compared["without"] == {**topic.quality["models"][0]}
    assert "Background: none." in use(site, topic, "none")
    topic.refresh_from_db()
    assert topic.background is None and topic.background_use == "none"
    assert topic.hold_out == "addresses"
    for sent in ("regardless", "no such hold-out"):
        page = use(site, topic, "none", hold_out=sent)
        topic.refresh_from_db()
        assert topic.hold_out == "regardless", "what is no hold-out changes nothing"
        assert 'value="regardless" form="choose-background" checked' in page


def test_what_is_wrong_is_reported_at_its_field(topic: Topic) -> None:
    site = site_of(topic.owner)
    for source, sent, words in (
        ("web", {"size": 40, "seed": 1}, "Choose a recorded web."),
        ("web", {"web": topic.web_id, "size": 1, "seed": 1}, "Give a whole number from 2 to"),
        ("crawls", {"crawls": "x", "size": 40, "seed": 1}, "Give "),
        ("crawls", {"size": 40, "seed": 1}, "No crawl that you see has fetched a page yet."),
        ("addresses", {"addresses": "http://10.0.0.1/", "further": 0, "seed": 1}, "Line 1"),
        ("corpus", {}, "Choose a file."),
    ):
        page = site.post(f"/backgrounds/?source={source}", sent).content.decode()
        assert words in page, source
    assert not Background.objects.exists()


def test_a_corpus_is_uploaded(topic: Topic) -> None:
    file = SimpleUploadedFile("c.txt", b"rye bread\nmoons and stars")
    site_of(topic.owner).post("/backgrounds/?source=corpus", {"file": file})
    made = Background.objects.get()
    work_on(made.newest)
    page = site_of(topic.owner).get(f"/backgrounds/{made.pk}/").content.decode()
    assert "2 texts of c.txt" in page and made.ready.digest[:12] in page


def test_a_corrected_file_is_uploaded_where_the_fault_is_reported(topic: Topic) -> None:
    site = site_of(topic.owner)
    bad = SimpleUploadedFile("mine.jsonl", b'{"text": "rye"}\nrye')
    site.post("/backgrounds/?source=corpus", {"file": bad})
    made = Background.objects.get()
    work_on(made.newest)
    page = site.get(f"/backgrounds/{made.pk}/").content.decode()
    assert "Line 2 cannot be read" in page and 'type="file" name="file"' in page
    good = SimpleUploadedFile("mine.jsonl", b'{"text": "rye"}\n{"text": "oat"}')
    site.post(f"/backgrounds/{made.pk}/build/", {"file": good})
    work_on(made.newest)
    assert made.ready.texts == 2


def test_only_the_owner_builds_shares_and_deletes(topic: Topic, stranger) -> None:
    made, eve = built(topic), site_of(stranger)
    one = f"/backgrounds/{made.pk}/"
    assert eve.get(one).status_code == 404
    share(made, "eve")
    assert eve.get(one).status_code == 200 and "of ada" in eve.get("/backgrounds/").content.decode()
    for verb in ("build", "cancel", "delete"):
        assert eve.post(f"{one}{verb}/").status_code == 404
    assert eve.get(f"/sharing/background/{made.pk}/").status_code == 404
    ada = site_of(topic.owner)
    assert "may choose it for topics of their own" in ada.get(one).content.decode()
    page = ada.get(f"{one}delete/").content.decode()
    assert "Delete made?" in page and "This deletes its only version (" in page
    ada.post(f"{one}delete/")
    assert not Background.objects.exists()


def test_another_page_is_no_way_to_leave_the_site(topic: Topic) -> None:
    made, ada = built(topic), site_of(topic.owner)
    answer = ada.post(f"/backgrounds/{made.pk}/build/", {"next": "//evil.test/"})
    assert answer["Location"] == f"/backgrounds/{made.pk}/"
    answer = ada.post(f"/backgrounds/{made.pk}/build/", {"next": f"/topics/{topic.pk}/"})
    assert answer["Location"] == f"/topics/{topic.pk}/"


def test_nobody_chooses_what_the_topics_owner_may_not_use(
    topic: Topic,
    stranger,
    web,
) -> None:
    share(topic, "eve", may_edit=True)
    share(web, "eve")
    hers = services.make_background(
        stranger, BackgroundSent(source="web", options={"web": web.pk, "size": 20})
    )
    work_on(hers.newest)
    page = use(site_of(stranger), topic, hers.pk)
    assert "not shared with ada" in page
    topic.refresh_from_db()
    assert topic.background is None
    assert site_of(topic.owner).get(f"/backgrounds/{hers.pk}/").status_code == 404


def test_programs_do_the_same(topic: Topic, stranger) -> None:
    ada, eve = Program(topic.owner), Program(stranger)
    sources = ada.get("background-sources").json()
    assert [each["id"] for each in sources] == ["topics", "web", "crawls", "corpus", "addresses"]
    sent = {"source": "web", "options": {"web": topic.web_id, "size": 30}}
    answer = ada.send("post", "backgrounds", sent)
    assert answer.status_code == 202 and answer.json()["versions"][0]["state"] == "waiting"
    one = f"backgrounds/{answer.json()['id']}"
    work_on(Background.objects.get().newest)
    assert ada.get(one).json()["versions"][0]["texts"] == 30
    assert eve.get(one).status_code == 404 and eve.send("post", f"{one}/build").status_code == 404
    assert eve.send("delete", one).status_code == 404
    path = f"topics/{topic.pk}/background"
    drawn = {"use": "drawn", "background": None, "version": None, "hold_out": "addresses"}
    assert ada.get(path).json() == drawn
    sent = {"background": answer.json()["id"], "hold_out": "regardless"}
    chosen = ada.send("put", path, sent).json()
    assert chosen == {"use": "built", "version": 1, **sent}
    assert ada.send("put", path, {**sent, "hold_out": "never"}).status_code == 422
    assert ada.send("put", path, {"background": 999}).status_code == 422
    assert eve.send("put", path, {"background": None}).status_code == 404
    none = ada.send("put", path, {"background": None, "drawn": False}).json()
    assert (none["use"], none["hold_out"]) == ("none", "regardless")
    wrong = ada.send("post", "backgrounds", {"source": "web", "options": {"web": 999}})
    assert wrong.status_code == 422 and wrong.json()["field"] == "web"
    assert ada.send("post", f"{one}/build").status_code == 202
    assert ada.send("delete", one).status_code == 204
    texts = ada.upload("backgrounds/file", file=SimpleUploadedFile("c.txt", b"rye\nstars"))
    assert texts.status_code == 202 and texts.json()["name"] == "c.txt"


def test_the_command_builds_one_here_and_gives_it_to_a_topic(
    topic: Topic,
    capsys,
    monkeypatch,
) -> None:
    command = "apps.background_sources.management.commands.background"
    monkeypatch.setattr(f"{command}.ensure_owner", lambda: topic.owner)
    call_command("background", "web", "--set", "web=made", "size=30", "--topic", "Bread")
    rows = json.loads(capsys.readouterr().out)
    assert rows[0]["texts"] == 30 and rows[0]["topics"] == ["Bread"]
    topic.refresh_from_db()
    assert str(topic.background_id) in topic.quality["backgrounds"]
    call_command("background", "--topic", "Bread", "--name", "none")
    assert json.loads(capsys.readouterr().out)[0]["topics"] == []
    call_command("background", "--topic", "Bread", "--hold-out", "regardless")
    topic.refresh_from_db()
    assert (topic.background_use, topic.hold_out) == ("none", "regardless")
    with pytest.raises(Exception, match="There is no web moon"):
        call_command("background", "web", "--set", "web=moon")


def test_training_compares_every_background_at_hand(topic: Topic) -> None:
    made, other = built(topic), built(topic, seed=2)
    Topic.objects.filter(pk=topic.pk).update(work_wanted="training", job_state="working")
    tasks.prepare(Topic.objects.get(pk=topic.pk), lambda: True)
    topic.refresh_from_db()
    assert set(topic.quality["backgrounds"]) == {str(made.pk), str(other.pk)}


def test_gathered_negatives_measure_no_background(topic: Topic) -> None:
    built(topic)
    topic.examples.filter(relevant=False).update(source="background")
    new_version(topic)
    train(topic, compare_all=True)
    assert not topic.quality["backgrounds"] and not topic.quality["models"]
    page = site_of(topic.owner).get(topic_page(topic)).content.decode()
    assert "needs negatives" in page and "after training" not in page


def test_no_figure_is_promised_to_a_topic_without_negatives(topic: Topic) -> None:
    built(topic)
    site = site_of(topic.owner)
    page = site.get(topic_page(topic)).content.decode()
    assert "after training" in page and "strategies that need no examples" not in page
    topic.examples.filter(relevant=False).delete()
    page = site.get(topic_page(topic)).content.decode()
    assert "needs negatives" in page and "after training" not in page
    assert "only strategies that need no examples can run" in page
