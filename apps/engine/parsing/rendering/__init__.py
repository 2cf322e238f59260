"""Pages whose text is made by scripts, rendered by Chromium in a process that can be killed.

Chromium sends no request itself: each one of a page is handed to the crawl, whose fetcher answers
it through the address guard, robots.txt and the pauses of the host.
"""
