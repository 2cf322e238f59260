"""The product: an engine in pure Python, domain packages that keep its data, and surfaces.

Each package imports only those below it (pyproject.toml has the order, import-linter holds it).

    research            what the authors measure for themselves; nothing imports it
    screens             the pages of the site, a folder for each
    api                 what the screens do, for programs
    papers              the papers' claims and how they are tested
    experiments         crawlers compared over topics
    recipes             a crawl as a file that runs it again
    agreement           how far people who label the same pages agree
    exports             the formats of downloads
    dossiers            what was asked of a host, taken from it, and by which rules
    hosts               the hosts of a topic: counted, decided on, their network
    collection          crawled pages: listed, searched, near-duplicates
    background_sources  where backgrounds come from
    begin               topics that begin with a sentence
    months              simulated months of a watch over a web that changes, policy by policy
    watches             topics that are visited again and again: new, changed, gone
    crawls              crawls: set up, run, steered, measured
    uploads             large files, read in the background
    topics              topics as analysts define them, and their classifiers
    backgrounds         unlabelled texts by which words are weighed
    directories         topic directories, browsed and split into topics
    webs                the live Web, recorded webs, and those served on loopback
    accounts            people, groups, tokens and shares
    stored_pages        stored pages for display
    main_text           what a person reads of a page: text, language, date, author
    search              filters, query language and pages of every list
    machines            the machines that work for the site
    jobs                background jobs, and the running site's state
    demo                the demo web, generated
    schemas             what people send, checked the same everywhere
    figures             numbers in words and in plots
    stored_files        the files of the data folder, and the store behind it
    lists               one reader for every list of addresses
    engine              topical crawling without a web framework

Verbs that change things are in `services.py`, reads in `selectors.py`, rows in `models`, what
workers run in `tasks.py`. A command of the command line stands in the app of its noun.
"""
