"""A recipe is read by one schema: the page, the API and the command refuse it in the same words."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import zlib
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError
from django.urls import reverse

from apps.crawls.models import Crawl
from apps.engine.codes import State
from apps.recipes.recipe import recipe_of
from apps.recipes.schemas import AddressRow, HostRow
from apps.schemas.refused import Refused
from apps.topics.models import Topic
from tests.crawl_rows import made_crawl, made_topic
from tests.people import Program, person, site_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def recipe(data_dir: Path) -> dict[str, Any]:
    """The recipe of another person's draft."""
    topic = made_topic(person("ada"))
    return recipe_of(
        made_crawl(topic, state=State.DRAFT, reason="", strategy="breadth_first", parameters={})
    )


def packed(lines: str) -> dict[str, Any]:
    data = lines.encode()
    return {
        "name": "x",
        "rows": 1,
        "sha256": hashlib.sha256(data).hexdigest(),
        "data": base64.b64encode(zlib.compress(data)).decode(),
    }


def outcome_of_each_way(owner: Any, recipe: Any, folder: Path) -> dict[str, str]:
    """The refusal of each way in, `field: message`."""
    text = json.dumps(recipe)
    site, page, program = site_of(owner), reverse("recipes:from_recipe"), Program(owner)
    file = folder / "recipe.json"
    file.write_text(text)
    with pytest.raises(CommandError) as stopped:
        call_command("import_recipe", str(file), "--owner", owner.username, stderr=io.StringIO())

    def uploaded() -> SimpleUploadedFile:
        return SimpleUploadedFile("recipe.json", text.encode())

    sent = program.send("post", "recipes", recipe)
    as_file = program.upload("recipes/file", file=uploaded())
    return {
        "pasted": site.post(page, {"text": text}).context["refusal"],
        "uploaded": site.post(page, {"file": uploaded()}).context["refusal"],
        "sent": "{field}: {message}".format(**sent.json()),
        "sent as a file": "{field}: {message}".format(**as_file.json()),
        "command": str(stopped.value),
    }


@pytest.mark.alike
@pytest.mark.parametrize(
    ("change", "output"),
    [
        ({"format": 2}, "format: Give 1, the format of recipes that this crawlsite reads."),
        ({"nonsense": 1}, "nonsense: There is no nonsense; there are: strategy, budget, "),
        ({"web": "made"}, "web: Give an object."),
        ({"web": {"name": "nowhere", "source": "folder"}}, "web: There is no web nowhere here. "),
        ({"budget": "many"}, "budget: Give a whole number of pages from 1 to 10,000,000."),
        ({"strategy": "nonsense"}, "strategy: no strategy nonsense; there are: learner, "),
        (
            {"scope": {"depth": "x"}},
            "scope.depth: Give a whole number from 0 to 10,000, or leave it empty.",
        ),
        ({"topic": {"name": ""}}, "topic.name: Give the topic a name of up to 200 characters"),
        (
            {"topic": {"name": "x", "examples": [{"url": "no address", "relevant": True}]}},
            "topic.examples.url: Entry 1: Give a web address.",
        ),
        (
            {"topic": {"name": "x", "seeds": ["nonsense"]}},
            "seeds: nonsense: not a web address such as https://www.example.org/page.",
        ),
        (
            {"tables": {"nonsense": {}}},
            "tables: Give an object of tables (inlinks, ranks, traffic, sites), each with name, "
            "rows, ",
        ),
        (
            {"tables": {"traffic": packed("a.test\t7\na b\t1\n")}},
            "tables: The table traffic, line 2, key: Give a host name.",
        ),
        (
            {"tables": {"inlinks": packed("http://a.test/\tmany\n")}},
            "tables: The table inlinks, line 1, number: Give a whole number from 0 to "
            "2,147,483,647.",
        ),
        ({"earlier": {"pages": 0}}, "earlier.pages: Give a whole number from 1 up."),
    ],
)
def test_page_api_and_command_refuse_the_same_in_the_same_words(
    recipe, tmp_path: Path, change: dict[str, Any], output: str
) -> None:
    bob = person("bob")
    answers = outcome_of_each_way(bob, {**recipe, **change}, tmp_path)
    assert answers == dict.fromkeys(answers, answers["command"])
    assert answers["command"].startswith(output)
    assert not Topic.objects.filter(owner=bob).exists()
    assert not Crawl.objects.filter(owner=bob).exists()


@pytest.mark.parametrize(
    "line",
    [
        "http://a.test/\t1",
        "a b\t1",
        "A.test\t1",
        "a.test",
        "a.test\t-1",
        "a.test\t1.5",
        "a.test\t9999999999",
        "a.test\t" + "9" * 5_000,
        "\t1",
        "",
    ],
)
def test_a_row_by_hosts_is_a_host_and_a_whole_number(line: str) -> None:
    assert HostRow.of_line("a.test\t3") == HostRow(key="a.test", number="3")
    with pytest.raises(Refused, match=r"Give a (host name|whole number)"):
        HostRow.of_line(line)


@pytest.mark.parametrize(
    "line", ["a.test\t1", "http://A.test/\t1", f"http://a.test/{'x' * 2_000}\t1"]
)
def test_a_row_of_in_links_has_a_canonical_address(line: str) -> None:
    assert AddressRow.of_line("http://a.test/\t3").number == 3
    with pytest.raises(Refused, match="Give a web address"):
        AddressRow.of_line(line)
