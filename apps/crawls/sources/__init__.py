"""The sources of a crawl's pages, one file each, listed in `catalogue`."""
