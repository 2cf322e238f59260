"""Where candidate pages come from: one file each, one line in the catalogue."""
