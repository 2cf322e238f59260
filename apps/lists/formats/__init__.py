"""The formats of lists: one file each, in the order in which `catalogue` tries them."""
