"""The cells of an experiment: each is one crawl, run by a worker and kept as arrays."""
