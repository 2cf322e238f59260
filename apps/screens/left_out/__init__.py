"""The addresses that a crawl met and did not collect, with remedies."""
