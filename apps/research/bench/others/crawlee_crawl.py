"""A crawl by crawlee with its Parsel crawler and default client, and its CPU a page. See
`others`."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
from pathlib import Path

from crawlee import ConcurrencySettings
from crawlee.crawlers import ParselCrawler, ParselCrawlingContext
from crawlee.proxy_configuration import ProxyConfiguration
from crawlee.storage_clients import MemoryStorageClient

AT_ONCE = 16


async def crawl(port: int, pages: int, file: Path, urls: list[str]) -> list[float]:
    """The CPU time of the process at each page."""
    cpu: list[float] = []
    crawler = ParselCrawler(
        # Names of hosts are not resolved by crawlee: the server takes requests as a proxy does.
        proxy_configuration=ProxyConfiguration(proxy_urls=[f"http://127.0.0.1:{port}"]),
        concurrency_settings=ConcurrencySettings(
            min_concurrency=AT_ONCE, desired_concurrency=AT_ONCE, max_concurrency=AT_ONCE
        ),
        max_requests_per_crawl=pages,
        respect_robots_txt_file=True,
        storage_client=MemoryStorageClient(),
        configure_logging=False,
    )
    with file.open("w") as lines:

        async def take(context: ParselCrawlingContext) -> None:
            cpu.append(time.process_time())
            page = context.selector
            links = page.css("a::attr(href)").getall()
            read = {
                "url": context.request.url,
                "title": page.css("title::text").get(),
                "text": page.xpath("string(//body)").get(),
                "links": links,
            }
            lines.write(json.dumps(read) + "\n")
            await context.enqueue_links(strategy="all")

        crawler.router.default_handler(take)
        await crawler.run(urls)
    return cpu


def main(port: int, pages: int, folder: str, name: str, urls: list[str]) -> None:
    logging.disable(logging.CRITICAL)
    cpu = asyncio.run(crawl(port, pages, Path(folder) / f"{name}.jsonl", urls))
    first = len(cpu) // 5
    a_page = (cpu[-1] - cpu[first]) / (len(cpu) - 1 - first) * 1e6
    print(json.dumps({"pages": len(cpu), "cpu": a_page}))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4], sys.argv[5:])
