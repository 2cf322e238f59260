"""The pages of a recorded web in the browser: looked through, opened, indexed in the background."""

from __future__ import annotations

import json
import re

import pytest
from django.urls import reverse

from apps.jobs.tasks import run
from apps.stored_pages.stored_copy import CONTENT_SECURITY_POLICY
from apps.topics.models import Topic
from apps.webs.importing import import_web
from apps.webs.links import count_links, is_counted
from apps.webs.models import PageIndexing, Web
from apps.webs.opening import webs_folder
from apps.webs.pages.indexing import is_indexed, remove_index, write_index
from tests.people import site_of


def url_of(name: str, web: Web, *numbers: int) -> str:
    return reverse(f"webs:{name}", args=[web.pk, *numbers])


def look(person, web: Web, query: str = "") -> str:
    return site_of(person).get(f"{url_of('web', web)}{query}").content.decode()


def titles(page: str) -> list[str]:
    names = re.findall(r'<h2 class="name"><a[^>]*>(.*?)</a>', page)
    return [re.sub("<[^>]*>", "", name) for name in names]


def test_each_page_is_listed_with_title_address_labels_and_words(owner, web) -> None:
    page = look(owner, web)
    assert titles(page) == ["Barn owl", "Great auk", "Oak", "Fern", "No title"]
    assert "<b>wings.test</b>/owl.html" in page
    assert '<a class="tag" href="?label=Extinct">Extinct</a>' in page
    assert "<b>5</b> of 5 pages" in page and "nests in barns" in page


def test_words_and_filters_find_pages_and_mark_what_they_found(owner, web) -> None:
    page = look(owner, web, "?q=nesting&label=Birds")
    assert titles(page) == ["Barn owl"]
    assert "<mark>nests</mark>" in page and "label: Birds" in page
    assert "Show all pages" in look(owner, web, "?q=zzz")
    assert titles(look(owner, web, "?q=title:oak")) == ["Oak"]


def test_a_row_begins_with_the_main_text(owner, data_dir) -> None:
    sentence = "The council heats the school with two heat pumps, which replace the old boiler. "
    menu = "".join(f"<li><a href='/{n}'>Menu {n}</a></li>" for n in range(9))
    file = data_dir / "menus.jsonl"
    html = f"<title>Winters</title><nav><ul>{menu}</ul></nav><main><p>{sentence * 4}</p></main>"
    file.write_text(json.dumps({"url": "http://wings.test/", "html": html}))
    web = import_web("menus", file)[0]
    assert write_index(web)
    row = look(owner, web)
    assert "The council heats" in row and "Menu 1" not in row
    assert "The <mark>council</mark> heats" in look(owner, web, "?q=council")
    # A word that stands in the menu alone is shown where it stands.
    assert "<mark>Menu</mark> 0" in look(owner, web, "?q=menu")


def test_a_search_that_means_nothing_is_named_and_makes_no_topic(owner, web) -> None:
    assert titles(look(owner, web, "?q=auk&words_from=abc")) == ["Great auk"]
    page = look(owner, web, "?q=(((&words_from=abc")
    assert "“(((” has no word or number to look for." in page
    assert "“abc” is not a number of words." in page and "data-all-topic" not in page
    message = site_of(owner).get(f"{url_of('topic', web)}?q=(((", follow=True).content.decode()
    assert "No topic was made. “(((” has no word or number to look for." in message


def test_a_tag_adds_its_label_to_the_filters_and_counts_are_those_of_the_search(owner, web):
    page = look(owner, web, "?q=nest&label=Birds")
    assert 'href="?q=nest&amp;label=Birds"' in page
    counts = dict(re.findall(r'title="([^"]*)">[^<]*</span><span class="number">(\d+)', page))
    assert counts["Birds"] == "1" and counts["Plants"] == "1" and "Extinct" not in counts


def test_the_stored_copy_is_shown_safely(owner, make_web) -> None:
    bad = "<script>alert(1)</script><p onclick=x()>Bees <img src=http://x.test/a.png>"
    web = make_web([("http://a.test/", "Bees", bad, ["Insects"])] * 1, "bees")
    answer = site_of(owner).get(url_of("stored", web, 0))
    message = answer.content.decode()
    assert answer["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
    assert "Bees" in message and "alert" not in message and "onclick" not in message
    assert "x.test/a.png" not in message
    page = site_of(owner).get(url_of("page", web, 0)).content.decode()
    assert "iframe" in page and "label=Insects" in page
    assert "Bees" in site_of(owner).get(f"{url_of('page', web, 0)}?view=text").content.decode()
    assert site_of(owner).get(url_of("page", web, 1)).status_code == 404


def test_a_web_that_is_not_indexed_is_indexed_in_the_background(owner, web) -> None:
    remove_index(web.pk)
    PageIndexing.objects.all().delete()
    page = look(owner, web)
    assert "The pages are being indexed" in page and "data-working" in page
    look(owner, web)
    job = PageIndexing.objects.get()
    assert (job.job_state, job.job_attempt) == ("waiting", 1), "asked for once"
    assert run("webs.PageIndexing", job.pk, job.job_attempt) == "done"
    assert is_indexed(web) and is_counted(web)
    page = look(owner, web)
    assert len(titles(page)) == 5 and "In-links" in page and "Most in-links" in page


def test_every_way_to_the_pages_queues_their_indexing_and_reports_it(owner, web) -> None:
    remove_index(web.pk)
    PageIndexing.objects.all().delete()
    site = site_of(owner)
    for name in ("numbers", "selection"):
        send = site.get if name == "numbers" else site.post
        answer = send(url_of(name, web), {"pages": "0,1"} if name == "selection" else {})
        assert answer.status_code == 422
        assert answer.json()["message"].startswith("The pages are being indexed (0 of 5)")
    answer = site.post(url_of("topic", web), {"pages": "0,1,2,3"}, follow=True).content.decode()
    assert "No topic was made. The pages are being indexed" in answer
    assert "The pages are being indexed" in site.get(url_of("page", web, 0), follow=True).text
    assert "The pages are being indexed" in site.get(url_of("similar", web, 0), follow=True).text
    job = PageIndexing.objects.get()
    assert (job.job_state, job.job_attempt) == ("waiting", 1), "asked for once"


def test_an_index_that_failed_gives_the_reason_and_can_be_asked_for_again(owner, web) -> None:
    remove_index(web.pk)
    look(owner, web)
    job = PageIndexing.objects.get()
    folder = webs_folder() / web.folder
    folder.rename(folder.with_name("gone"))
    run("webs.PageIndexing", job.pk, job.job_attempt)
    assert "has no complete web" in look(owner, web)
    folder.with_name("gone").rename(folder)
    assert "Index the pages again" in look(owner, web)
    site_of(owner).post(url_of("index_again", web))
    job.refresh_from_db()
    run("webs.PageIndexing", job.pk, job.job_attempt)
    assert len(titles(look(owner, web))) == 5


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("web", ()),
        ("page", (0,)),
        ("stored", (0,)),
        ("numbers", ()),
        ("topic", ()),
        ("labels", ()),
        ("uses", ()),
        ("crawls", ()),
        ("links", ()),
        ("selection", ()),
        ("index_again", ()),
    ],
)
def test_what_is_not_shared_is_nobody_elses(owner, stranger, web, name, numbers) -> None:
    Web.objects.update(owner=owner)
    for ask in (site_of(stranger).get, site_of(stranger).post):
        assert ask(url_of(name, web, *numbers)).status_code in (404, 405)
    assert site_of(None).get(url_of(name, web, *numbers)).status_code == 302


def test_nothing_that_is_typed_into_the_address_is_an_error(owner, web) -> None:
    for query in (
        "?page=9999",
        "?page=x",
        "?page=-1",
        "?label=",
        "?q=%00&words_from=x",
        "?words_to=-1",
        "?label=/",
        "?label=//",
        "?order=best",
        "?host=%20",
        "?q=" + "a" * 3000,
    ):
        assert site_of(owner).get(url_of("web", web) + query).status_code == 200


def test_a_page_has_the_pages_that_link_to_it_and_that_it_links_to(owner, data_dir) -> None:
    links = {0: (1, 2), 1: (2,), 2: ()}
    file = data_dir / "linked.jsonl"
    file.write_text(
        "\n".join(
            json.dumps(
                {
                    "url": f"http://a.test/{n}",
                    "html": f"<title>Page {n}</title>"
                    + "".join(f'<a href="/{to}">to</a>' for to in targets),
                }
            )
            for n, targets in links.items()
        )
    )
    web = import_web("linked", file)[0]
    assert write_index(web)
    address = f"{url_of('page', web, 1)}?view=links"
    assert "are not counted yet" in site_of(owner).get(address).content.decode()
    assert count_links(web)
    page = site_of(owner).get(address).content.decode()
    assert "Linked from 1 page<" in page and "Links to 1 page<" in page
    here, there = page.split("Links to 1 page<")
    assert "Page 0</a>" in here and "Page 2</a>" in there and "Page 0</a>" not in there
    page = site_of(owner).get(f"{url_of('page', web, 2)}?view=links").content.decode()
    assert "Linked from 2 pages" in page and "Links to 0 pages" in page
    assert page.index("Page 1</a>") < page.index("Page 0</a>")
    assert f"{url_of('page', web, 2)}?view=links" in look(owner, web)
    page = site_of(owner).get(url_of("links", web)).content.decode()
    assert page.index("Page 2</a>") < page.index("Page 1</a>") < page.index("Page 0</a>")
    assert '?inlinks=1-9">1–9</a></td><td class="number">2</td>' in page
    assert f'href="{url_of("links", web)}" aria-current="page">Links <span>3</span>' in page


def test_a_web_offers_a_new_topic_on_it_and_crawls_of_its_topics(owner, web) -> None:
    topic = Topic.objects.create(owner=owner, name="Owls", web=web, web_label="Birds")
    page = look(owner, web)
    assert f'href="{reverse("new_crawl:form", args=[topic.pk])}"' in page
    assert "Topics <span>1</span>" in page and "Crawls <span>0</span>" in page
    assert url_of("links", web) not in page, "its links are not counted"
    assert site_of(owner).get(url_of("links", web)).url == url_of("web", web)
    form = site_of(owner).get(f"{reverse('topic:new')}?web={web.pk}").content.decode()
    assert f'value="{web.pk}" selected' in form
    page = site_of(owner).get(url_of("uses", web)).content.decode()
    assert "Owls</a>" in page and "<td>Birds</td>" in page
    assert "No crawl of yours" in site_of(owner).get(url_of("crawls", web)).content.decode()
