"""Opt-outs in the files of a topic's sites, with the times at which they appeared and were read."""
