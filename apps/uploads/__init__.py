"""Large files, read in the background."""
