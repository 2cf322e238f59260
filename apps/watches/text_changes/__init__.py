"""Compares two main texts of a page; no rows are read here.

differences     the two texts compared, by blocks, then by words
alignment       which blocks and words of the one are those of the other
passing_values  dates, counters and numbers that change by themselves
noise_rules     whether a difference of such values is one of the text
boilerplate     blocks that are none of the text, such as menus and cookie notices
headlines       the difference in one line
link_lists      whether a list page has only got other links
"""
