"""The client for scripts and notebooks, against a running site."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas
import pytest

from apps.accounts.tokens import make_token
from apps.crawls.models import Crawl
from apps.topics.models import Topic
from crawlsite import client as client_module
from crawlsite.client import ApiError, Client
from tests.collection_fixtures import store
from tests.crawl_rows import made_crawl, made_topic
from tests.people import person
from tests.running_site import ROOT

pytestmark = [
    pytest.mark.django_db(transaction=True),
    # The test's server is not the site's: it reads a stream whole.
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume"),
]


@pytest.fixture
def topic(transactional_db, data_dir: Path) -> Topic:
    """A topic with a finished crawl of five pages, two of them relevant."""
    topic = made_topic(person("ada"), "Seagrass")
    crawl = made_crawl(topic, state="finished")
    pages = [
        {"title": f"T{n}", "text": f"Zostera, number {n}.", "relevant": n < 2} for n in range(5)
    ]
    store(crawl, *pages)
    return topic


@pytest.fixture
def client(topic: Topic, live_server) -> Iterator[Client]:
    with Client(live_server.url, make_token(topic.owner, "test")[1]) as client:
        yield client


def test_it_lists_every_item_whatever_the_size_of_a_page(
    client: Client, topic: Topic, monkeypatch
) -> None:
    monkeypatch.setattr(client_module, "ROWS", 2)
    titles = [page["title"] for page in client.pages(topic=topic.pk)]
    assert sorted(titles) == ["T0", "T1", "T2", "T3", "T4"]
    assert [each["name"] for each in client.topics()] == ["Seagrass"]
    assert len([*client.pages(topic=topic.pk, relevant=True, q="zostera")]) == 2


def test_a_frame_has_the_text_and_typed_columns(client: Client, topic: Topic) -> None:
    frame = client.frame(topic=topic.pk, relevant=True)
    assert sorted(frame["title"]) == ["T0", "T1"]
    assert set(frame["text"]) == {"Zostera, number 0.", "Zostera, number 1."}
    assert isinstance(frame["captured_at"].dtype, pandas.DatetimeTZDtype)
    assert frame["votes"].dtype == "Int64" and frame["relevant"].dtype == "boolean"
    chosen = client.frame(crawl=Crawl.objects.get().pk, columns=["url", "title"])
    assert list(chosen.columns) == ["url", "title"] and len(chosen) == 5


def test_a_download_is_written_whole_or_not_at_all(
    client: Client, topic: Topic, tmp_path: Path
) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    path = client.download(folder / "pages.csv", "csv", topic=topic.pk, columns="title,url")
    assert path.read_text().splitlines()[0] == "title,url"
    with pytest.raises(ApiError, match="“rank” is not a column"):
        client.download(folder / "other.csv", "csv", topic=topic.pk, columns="rank")
    assert [file.name for file in folder.iterdir()] == ["pages.csv"]


def test_a_refusal_names_its_field(client: Client, topic: Topic) -> None:
    with pytest.raises(ApiError) as caught:
        client.crawl(topic.pk, "full_page", budget=-1)
    assert (caught.value.status, caught.value.field) == (422, "budget")
    with pytest.raises(ApiError, match="There is no such thing"):
        client.request("GET", "crawls/999")
    with pytest.raises(ValueError, match="Name a topic or a crawl"):
        next(client.pages())


def test_it_waits_for_the_end_of_a_crawl(client: Client) -> None:
    crawl = Crawl.objects.get()
    assert client.wait(crawl.pk, every=0.01)["pages"] == 5
    assert [each["crawl"] for each in client.crawls(state="finished")] == [crawl.pk]


def test_the_notebook_runs_from_its_first_cell_to_its_last(
    topic: Topic, live_server, tmp_path: Path
) -> None:
    notebook = json.loads((ROOT / "docs" / "client.ipynb").read_text("utf-8"))
    cells = ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"]
    script = tmp_path / "notebook.py"
    script.write_text("\n".join(cells), "utf-8")
    token = make_token(topic.owner, "notebook")[1]
    run = subprocess.run(
        [sys.executable, script],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "CRAWLSITE_URL": live_server.url,
            "CRAWLSITE_TOKEN": token,
        },
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert "2 of 5 pages are relevant" in run.stdout and "pages.xlsx True" in run.stdout
    assert not any(cell.get("outputs") for cell in notebook["cells"])
