"""The answers of an experiment: which crawler is better, by how much, and how certain that is.

Pure functions over `outcomes.Outcomes`. Topics are the sample: repetitions are averaged first, and
two crawlers are compared over the topics in which both have a value.
"""
