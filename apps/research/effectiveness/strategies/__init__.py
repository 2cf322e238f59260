"""All strategies against an oracle, the learner with other weights, mixtures and settings."""
