"""Throughput and cost, measured over HTTP, as a replay and by strategy."""
