"""The filters of a recorded web's pages, one file each, listed in the catalogue."""
