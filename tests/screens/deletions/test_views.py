"""A deletion that failed is shown at the list that its row has left, and is tried again there."""

from __future__ import annotations

import pytest
from django.urls import reverse

from apps.directories.importing import import_directory, remove_directory
from apps.directories.readers.listing import Listed
from apps.jobs import queue
from apps.jobs.models import Deletion
from tests.deletions import finish_deletions
from tests.people import Program, person, site_of

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


@pytest.fixture
def failed() -> Deletion:
    directory = import_directory(person("ada"), "Ants", [Listed("Ants", "http://a.test/")])
    remove_directory(directory)
    job = Deletion.objects.get()
    queue.claim(Deletion, job.pk, job.job_attempt)
    queue.fail(job, "The disk does not answer.")
    return job


def listed(job: Deletion) -> str:
    return site_of(job.owner).get(reverse("directories:list")).content.decode()


def test_it_gives_the_reason_and_offers_to_try_again(failed) -> None:
    here = reverse("directories:list")
    page = listed(failed)
    assert "<b>Ants</b> is not deleted yet. The disk does not answer." in page
    again = reverse("deletions:again", args=[failed.pk])
    assert site_of(person("bob")).post(again).status_code == 404
    assert site_of(failed.owner).post(again, {"next": here}).url == here
    page = listed(failed)
    assert "<b>Ants</b> is being deleted in the background, 0 rows so far" in page
    assert "Try again" not in page and "data-working" in page
    finish_deletions()
    assert "Ants" not in listed(failed)


def test_another_site_is_not_gone_back_to(failed) -> None:
    again = reverse("deletions:again", args=[failed.pk])
    answer = site_of(failed.owner).post(again, {"next": "https://elsewhere.test/"})
    assert answer.url == reverse("topics:list")


def test_a_program_lists_its_deletions_and_tries_one_again(failed) -> None:
    assert failed.owner is not None
    program = Program(failed.owner)
    (row,) = program.get("deletions").json()["items"]
    assert (row["kind"], row["name"], row["state"]) == ("directory", "Ants", "failed")
    assert row["problem"] == "The disk does not answer."
    answer = program.send("post", f"deletions/{row['id']}/again")
    assert (answer.status_code, answer.json()["state"]) == (202, "waiting")
    assert Program(person("bob")).send("post", f"deletions/{row['id']}/again").status_code == 404
    finish_deletions()
    assert program.get("deletions").json()["items"] == []
