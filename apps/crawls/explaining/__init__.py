"""Why a URL has the priority it has: read again from what the crawl has kept."""
