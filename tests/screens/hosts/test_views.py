"""The list of a topic's hosts, its decisions, and who may take them."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.html import strip_tags

from apps.accounts.sharing import share
from apps.collection.models import UNDETERMINED
from apps.hosts.downloads import ATTRIBUTES, cells, gexf
from apps.hosts.models import HostSummary
from apps.hosts.tasks import count_here
from apps.topics.hosts import decisions_on
from tests.crawl_fixtures import owner  # noqa: F401
from tests.crawl_rows import made_topic
from tests.host_rows import linked_crawl
from tests.people import Program, person, site_of

pytestmark = pytest.mark.alike


@pytest.fixture
def topic(owner):
    topic = made_topic(owner)
    linked_crawl(topic)
    return topic


def text_of(answer) -> str:
    return " ".join(strip_tags(answer.content.decode()).split())


def page(topic, query: str = "") -> str:
    return text_of(site_of(topic.owner).get(f"/topics/{topic.pk}/hosts/{query}"))


def decide(site, topic, **sent):
    headers = {"Accept": "application/json"}
    return site.post(f"/topics/{topic.pk}/hosts/decide/", sent, headers=headers)


def test_it_lists_the_hosts_with_the_most_relevant_first(topic):
    text = page(topic)
    assert "7 hosts met by crawl #" in text and "3 relevant pages" in text
    assert text.index("a.test") < text.index("u.test") < text.index("b.org")
    assert "100 % · 2 of 2" in text


def test_a_host_of_which_no_page_is_judged_has_no_harvest(owner):
    topic = made_topic(owner)
    crawl = linked_crawl(topic)
    unjudged = {"relevant": None, "votes": None, "votes_of": None}
    crawl.pages_fetched.filter(host="a.test").update(**unjudged)
    count_here(topic)
    text = page(topic, "?q=a.test")
    assert "not judged" in text and "0 % ·" not in text and "· 0 of" not in text
    host = Program(owner).get(f"topics/{topic.pk}/hosts?q=a.test").json()["items"][0]
    assert (host["pages"], host["judged"], host["harvest"]) == (2, 0, None)
    (row,) = (row for row in cells(topic, HostSummary.objects.all()) if row["name"] == "a.test")
    assert (row["judged"], row["harvest"]) == (0, None)
    network = site_of(owner).get(f"/topics/{topic.pk}/hosts/network.json").json()
    drawn = {node["name"]: node["harvest"] for node in network["nodes"]}
    assert drawn["a.test"] is None
    graph = b"".join(gexf(topic)).decode()
    node = next(line for line in graph.splitlines() if 'label="a.test"' in line)
    assert f'for="{[name for name, _ in ATTRIBUTES].index("harvest")}"' not in node


@pytest.mark.parametrize(
    ("query", "present", "absent"),
    [
        ("?unit=domain", "github.io", "www.b.org"),
        ("?unit=user", "u.test/~ann", "www.b.org"),
        ("?q=b.org", "www.b.org", "a.test"),
        ("?state=in", "No host has state in", "c.test"),
        ("?order=name", "a.test", "nothing"),
        ("?state=sideways", "is not a state of this list", "nothing"),
    ],
)
def test_the_address_narrows_and_turns_it(topic, query, present, absent):
    text = page(topic, query)
    assert present in text and absent not in text


def test_a_decision_is_answered_shown_and_undone(topic):
    site = site_of(topic.owner)
    page(topic)
    answer = decide(site, topic, state="out", host=["c.test", "b.org"]).json()
    assert answer["message"] == "2 hosts are out: 3 waiting links left out."
    assert answer["states"] == {"c.test": "out", "b.org": "out"}
    assert "2 hosts out: 3 waiting links left out since" in page(topic)
    undone = site.post(
        f"/topics/{topic.pk}/hosts/undo/",
        {"act": answer["undo"]},
        headers={"Accept": "application/json"},
    )
    assert undone.json()["message"] == "2 hosts are as before."
    assert decisions_on(topic) == {}


def test_a_browser_without_scripts_decides_and_comes_back(topic):
    site = site_of(topic.owner)
    back = f"/topics/{topic.pk}/hosts/?unit=domain"
    answer = site.post(
        f"/topics/{topic.pk}/hosts/decide/", {"one": "in a.test", "next": back}, follow=True
    )
    assert answer.redirect_chain == [(back, 302)] and "a.test is in." in text_of(answer)


def test_what_is_no_host_is_refused_in_words(topic):
    answer = decide(site_of(topic.owner), topic, state="in", hosts="a.test\nnot a host")
    assert answer.status_code == 422 and "“not a host” is not a host" in answer.json()["message"]


@pytest.mark.parametrize("part", ["pasted", "file"])
def test_a_browser_without_scripts_sends_a_list_of_any_form(topic, part):
    site, address = site_of(topic.owner), f"/topics/{topic.pk}/hosts/decide/"
    table = "Nr;Site\n1;https://a.test/x\n2;*.b.org\n3;c.test/~ann\n"
    sent = SimpleUploadedFile("list.csv", table.encode()) if part == "file" else table
    answer = site.post(address, {"state": "in", part: sent}, follow=True)
    assert "3 hosts are in." in text_of(answer)
    assert decisions_on(topic) == {"a.test": True, "*.b.org": True, "c.test/~ann": True}
    answer = site.post(address, {"state": "out", part: table + "4;nothing\n"}, follow=True)
    assert "is not a host" in text_of(answer) or part == "file"
    assert all(decisions_on(topic).values())


def test_readers_see_the_list_and_only_editors_decide(topic):
    reader, editor, outsider = person("ben"), person("cyn"), person("eve")
    share(topic, reader.username)
    share(topic, editor.username, may_edit=True)
    address = f"/topics/{topic.pk}/hosts/"
    assert [site_of(p).get(address).status_code for p in (reader, editor, outsider)] == [
        *(200, 200, 404)
    ]
    assert "Add hosts" not in text_of(site_of(reader).get(address))
    codes = [
        decide(site_of(p), topic, state="in", host="a.test").status_code
        for p in (reader, editor, outsider)
    ]
    assert codes == [404, 200, 404]


def test_the_network_is_json_and_hosts_stay_where_they_were_laid_out(topic):
    site, address = site_of(topic.owner), f"/topics/{topic.pk}/hosts"
    page(topic)
    network = site.get(f"{address}/network.json").json()
    keys = [node["key"] for node in network["nodes"]]
    assert network["of"] == 7 and all(len(edge) == 3 for edge in network["edges"])
    for x in (1.5, 9.0):  # what is placed stays
        sent = {"positions": [[key, x, -2] for key in keys]}
        answer = site.post(f"{address}/positions/", sent, content_type="application/json")
        assert answer.status_code == 200
    nodes = site.get(f"{address}/network.json").json()["nodes"]
    assert {(node["x"], node["y"]) for node in nodes} == {(1.5, -2.0)}
    bad = site.post(f"{address}/positions/", {"positions": [[1]]}, content_type="application/json")
    assert bad.status_code == 422
    assert "u.test" in text_of(site.get(f"{address}/links/"))


def test_hosts_are_connected_by_words_in_common_too(topic):
    site, address = site_of(topic.owner), f"/topics/{topic.pk}/hosts"
    page(topic)
    by_links, by_words = (site.get(f"{address}/network.json{q}").json() for q in ("", "?by=words"))
    assert by_links["edges"] and by_words == {**by_links, "edges": []}
    text = text_of(site.get(f"{address}/links/?by=words"))
    assert "Hosts with words in common" in text and "No pages of two hosts can be compared" in text


def test_a_new_crawl_of_selected_hosts_starts_with_them(topic):
    answer = site_of(topic.owner).get(
        f"/topics/{topic.pk}/new-crawl/", {"follow": "these", "hosts": "a.test c.test"}
    )
    assert 'value="a.test c.test"' in answer.content.decode()


def test_a_host_whose_pages_have_no_language_shows_none(topic):
    page(topic)
    HostSummary.objects.filter(topic=topic, name="a.test").update(language=UNDETERMINED)
    html = site_of(topic.owner).get(f"/topics/{topic.pk}/hosts/?q=a.test").content.decode()
    cell = html.split('<td class="text">')[1].split("</td>")[0]
    assert strip_tags(cell) == "–"
