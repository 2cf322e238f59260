"""The visits of a watch: their times, the addresses they request, and their observations."""
