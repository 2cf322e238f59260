"""The papers' claims and how they are tested: one TOML file for each table or group of figures.

`protocols/` has the files, `schema` their form, `catalogue` reads them. A protocol is an experiment
over topics made of a web's labels (`setting_up`), or it names one of the `tables` that compute what
an experiment cannot. Both give an `Observed`, of which `claims` gives a verdict on each claim;
`result` is what is saved of it.
"""
