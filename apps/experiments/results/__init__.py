"""The results of experiments and of compared crawls: measures, tests, and what may be concluded.

Topics are the sample: repetitions are averaged first, and two crawlers are compared over the topics
in which both have a value.
"""
