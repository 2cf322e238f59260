"""Running a crawl: the runner between engine and rows, its lease, its checkpoints."""
