"""What two or more lessons on hidden markov models share."""
