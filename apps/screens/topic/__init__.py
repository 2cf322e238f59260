"""One topic: its page, its form, its inputs."""
