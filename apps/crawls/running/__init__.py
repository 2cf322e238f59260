"""Running a crawl: the runner between engine and database, its lease, its checkpoints."""
