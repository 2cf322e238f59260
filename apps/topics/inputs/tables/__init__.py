"""Numbers by URL or host, up to millions of rows, as tables on the disk."""
