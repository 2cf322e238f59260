"""Scope and politeness in the words of the form's summary."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.html import format_html

from apps.engine.frontier.host_decisions import Reach
from apps.engine.frontier.scope import LINKS_PER_PAGE
from apps.figures.quantities import number_of
from apps.screens.new_crawl.cost import pause_of
from apps.screens.new_crawl.forms import NewCrawlForm
from apps.screens.new_crawl.scope_fields import THESE
from apps.search.languages import language_name


def where_to(form: NewCrawlForm) -> str:
    """The scope in one sentence."""
    scope = form.scope()
    hosts = scope["allow_hosts"]
    rules = ["Links to any host are followed"]
    if hosts:
        rules = [f"Only links to {number_of(len(hosts), 'host')} are followed"]
    elif form["follow"].value() == THESE:
        rules = ["Only links to the hosts you name are followed"]
    elif scope["reach"] != Reach.ALL:
        beyond = " and one link beyond" if scope["reach"] == Reach.ONE_LINK else ""
        rules = [f"Only links to hosts that are in{beyond} are followed"]
    if scope["depth"] is not None:
        rules.append(f"at most {number_of(scope['depth'], 'link')} away from a seed")
    if scope["pages_per_host"] is not None:
        rules.append(f"at most {number_of(scope['pages_per_host'], 'page')} of one host")
    if scope["frontier_cap"] is not None:
        rules.append(f"at most {number_of(scope['frontier_cap'], 'link')} wait")
    if scope["links_per_page"] != LINKS_PER_PAGE:
        rules.append(f"of a page the first {number_of(scope['links_per_page'], 'link')} count")
    if (page_kb := form.cleaned_data.get("page_kb")) is not None:
        rules.append(f"of a page the first {page_kb:,} KB are read")
    if form.source.sends_requests:
        rules.append(
            f"a host’s sitemaps and feeds add up to {number_of(scope['listed_per_host'], 'link')}"
            if scope["site_lists"] is None
            else "sitemaps and feeds are not asked for"
        )
    if form.source.is_live:
        rules.append("documents are read" if scope["documents"] else "documents are not read")
    if scope["languages"]:
        languages = " or ".join(map(language_name, scope["languages"]))
        rules.append(f"pages that are clearly not in {languages} are left out")
    if scope["main_text"]:
        rules.append("pages are judged by their main text")
    if scope["opt_out_files"]:
        rules.append("tdmrep.json and ai.txt are asked for")
    if scope["obey_opt_outs"]:
        rules.append("pages of which a use is reserved are left out")
    if scope["render"]:
        rules.append("pages that need scripts are rendered")
    return format_html("{}.", ", ".join([*rules, *_patterns(scope)]))


def _patterns(scope: dict[str, Any]) -> Iterator[str]:
    """The addresses that are taken alone, and those never taken."""
    if scope["allow_patterns"]:
        yield f"only addresses like {', '.join(scope['allow_patterns'])}"
    if never := [*scope["deny_hosts"], *scope["deny_patterns"]]:
        yield f"never {', '.join(never)}"


def politeness_of(form: NewCrawlForm) -> str:
    """How often hosts get requests, and the overall speed limit."""
    robots = form.cleaned_data.get("obey_robots")
    rules = ["No requests are sent: pages are read from disk"]
    if form.source.sends_requests:
        pause = pause_of(form)
        rules = [
            f"No host is asked more than once in {pause:g} s"
            if pause
            else "Hosts are asked without a pause"
        ]
        if most := form.cleaned_data.get("concurrent"):
            rules.append(f"at most {number_of(most, 'request')} at once")
        if most := form.cleaned_data.get("hosts_per_domain"):
            rules.append(f"at most {number_of(most, 'host')} of a domain at once")
        if most := form.cleaned_data.get("hosts_per_address"):
            rules.append(f"at most {number_of(most, 'host')} of an address at once")
    if pace := form.cleaned_data.get("pages_per_second"):
        rules.append(f"at most {pace:g} pages a second")
    obeyed = "robots.txt is obeyed" if robots else "robots.txt is not read"
    return f"{', '.join(rules)}; {obeyed}."
