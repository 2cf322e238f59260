"""The papers' claims and how they are tested: one TOML file for each table or group of figures.

`papers/` has the files, `schema` their form, `catalogue` reads them. A protocol is an experiment of
the laboratory over topics made of a web's labels (`setting_up`), or it names a table of
`apps.experiments.reproduce` that computes what an experiment cannot. Both give an `Observed`, in
which `claims` finds a verdict on each claim; `result` is what is saved of it, and `document` writes
docs/reproduction.md of saved results.
"""
