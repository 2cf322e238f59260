"""Pages that several crawls have fetched: which crawls, whose row shows the page, the overlap."""
