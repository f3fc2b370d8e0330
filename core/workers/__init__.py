"""Where training on a learner's own text runs."""
