"""A crawl as a file that runs it again, here or elsewhere."""
