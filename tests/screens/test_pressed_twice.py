"""Whatever a button makes, pressed twice it makes one: each form of each screen is sent twice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client
from lxml import html

from apps.research.bench.screens.addresses import addresses
from tests.experiment_fixtures import owner, topics, web  # noqa: F401
from tests.people import site_of
from tests.screens.test_every_screen import numbers  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.alike]

INSERT = re.compile(r'INSERT (?:OR \w+ )?INTO "(\w+)"')
# What was asked is recorded as often as it was asked, and a secret is shown only where it is made.
RECORDS = ("django_session", "crawls_event", "crawls_change")
SECRETS = ("accounts_apitoken", "accounts_signinlink")
MADE = {
    *("accounts_share", "auth_group", "auth_user", "backgrounds_backgroundversion"),
    *("crawls_crawl", "dossiers_takedown", "experiments_experiment"),
    *("jobs_deletion", "months_monthrun", "topics_guideline", "topics_hostdecision"),
    *("topics_topic", "uploads_upload", "watches_digestsubscription", "watches_watchvisit"),
}
TOKEN = "csrfmiddlewaretoken"
LIST = ("a.csv", b"http://coast.test/,Arts/Glass\n")
ADDRESSES = ("seeds", "hosts", "positives")
WEB = b'{"url": "http://coast.test/", "html": "<p>Rye", "topics": ["bread"]}'
FILES = {"webs": ("coast.jsonl", WEB)}


@dataclass(frozen=True)
class Press:
    """A button of a form: where it sends what."""

    action: str
    values: tuple[tuple[str, str], ...]
    has_file: bool

    def send(self, site: Client) -> int:
        data: dict[str, Any] = {}
        for name, value in self.values:
            data.setdefault(name, []).append(value)
        if self.has_file:
            name, content = FILES.get(self.action.split("/")[1], LIST)
            data["file"] = SimpleUploadedFile(name, content)
        return site.post(self.action, data).status_code


def presses(screen: str, text: str, draft: object) -> Iterator[Press]:
    """Every button of a screen; a beginning has the draft that its script asks for."""
    for form in html.fromstring(text).iterfind(".//form[@method='post']"):
        action = form.get("action") or screen
        action = action if action.startswith("/") else screen.split("?")[0] + action
        values = [(n, v or typed(n, draft)) for n, v in form.form_values() if n != TOKEN]
        has_file = form.find(".//input[@type='file']") is not None
        for button in form.xpath(".//button[not(@type='button') and not(@disabled)]"):
            named = [(button.get("name"), button.get("value", ""))] if button.get("name") else []
            yield Press(button.get("formaction") or action, (*values, *named), has_file)


def typed(name: str, draft: object) -> str:
    """What a person types into an empty field."""
    if name in ADDRESSES:
        return "\n".join(f"http://kelp.test/{n}" for n in range(3))
    words = {"name": "ben", "group": "Field", "text": "In is kelp.", "draft": str(draft)}
    return words.get(name, "")


class Inserts:
    """The tables into which a row was put while it stood around queries, but for those."""

    def __init__(self) -> None:
        self.tables: set[str] = set()

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if (into := INSERT.match(sql)) and into[1] not in (*RECORDS, *SECRETS):
            self.tables.add(into[1])
        return execute(sql, params, many, context)


def rows(tables: Iterable[str]) -> Counter[str]:
    """The rows of each of these tables."""
    counted = Counter[str]()
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f'SELECT count(*) FROM "{table}"')
            counted[table] = cursor.fetchone()[0]
    return counted


def made_more(site: Client, press: Press, made: set[str]) -> Mapping[str, int]:
    """The rows by which a second press makes more than one does, by table."""
    with connection.execute_wrapper(inserts := Inserts()):
        press.send(site)
    once = rows(inserts.tables)
    made |= inserts.tables
    if inserts.tables:
        press.send(site)
    return rows(inserts.tables) - once


def test_sent_twice_makes_one(owner, numbers, data_dir) -> None:
    made: set[str] = set()
    twice: dict[str, Mapping[str, int]] = {}
    seen: set[Press] = set()
    for address in addresses(numbers):
        answer = site_of(owner).get(address)
        if answer.status_code != 200 or answer.streaming or "html" not in answer["Content-Type"]:
            continue
        for press in presses(address, answer.text, numbers["new/pk"]):
            if press in seen:
                continue
            seen.add(press)
            point = transaction.savepoint()
            site = site_of(owner)  # one of the buttons signs out
            site.raise_request_exception = False
            if more := made_more(site, press, made):
                twice[f"{press.action} {press.values[-1:]}"] = more
            transaction.savepoint_rollback(point)
    assert twice == {}
    assert set() == MADE - made
