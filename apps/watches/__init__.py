"""Watching a topic: which of its pages are new, changed or gone since a person last looked.

A `Watch` is a topic's standing order. A visit is a crawl whose seeds are the addresses that are
due: pages by their own rate of change, sources of new links by what they have yielded. `services`
has the verbs, `selectors` the reads. Every moment is passed in, so that a month can be simulated.

    tasks        the steps of a visit, done by workers: plan, crawl, settle
    visits/rhythm      when a watch is visited next
    visits/scheduling  opens the visits that are due; called by the supervisor
    visits/gathering   takes the relevant pages and the sources of the topic's crawls under watch
    visits/planning    what is visited under a budget
    visits/rates       how often a page changes, estimated
    visits/settling    what a visit's crawl has seen, as states, versions and yields
    visits/states      the state of a page after a visit, by rules
    visits/thinning    versions within the limits of a watch
    versions     the main text of a page as it was
    text_changes what has changed between two texts, by blocks and words, without what passes by
                 itself or is none of the text
    changes      what has become of a page at a visit, in a line
    digests      what a visit has brought, composed once; digest_text is it as plain text, and
                 search_news what the searches that people watch match of it
    subscriptions  each person's choice of carriers (`carriers/`), which deliveries try and log
    teaching     changes that people deny, and what that teaches; claiming is of those they claim,
                 and taught_blocks applies it
    seen         what is new since a person has marked all as seen
"""
