"""What an experiment is to compare: its schema, its TOML file, and its crawlers."""
