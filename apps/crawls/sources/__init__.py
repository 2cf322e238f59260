"""Where the pages of a crawl come from. A source is one file here and one line in `catalogue`."""
