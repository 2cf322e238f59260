"""Learning from labels while a crawl runs: the pages to label, and the effects of their labels."""
