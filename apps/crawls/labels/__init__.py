"""Labels of a crawl's pages: which count, which are shown, and which pages to label next."""
