"""The API: everything that the screens do, one file for each resource."""
