"""Worker processes that train on a learner's own text."""
