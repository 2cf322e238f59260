"""The addresses that a crawl met and did not collect: numbers by reason, remedies, lists."""
