"""The product: an engine in pure Python, domain packages that keep its data, and surfaces.

Each package imports only those below it (pyproject.toml has the order, import-linter holds it):

    screens | api
    experiments
    recipes
    exports
    collection
    background_sources
    crawls
    uploads
    topics
    backgrounds
    directories
    webs
    accounts
    jobs | demo | schemas
    engine

Verbs that change things are in `services.py`, reads in `selectors.py`, rows in `models`, what
workers run in `tasks.py`. A command of the command line stands in the app of its noun.
"""
