"""Commands that change which addresses a crawl may fetch, and events of its frontier."""
