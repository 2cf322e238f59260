"""The design of an experiment: its schema, its TOML file, and its crawlers."""
