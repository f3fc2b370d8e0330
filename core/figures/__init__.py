"""Pure functions from arrays and labels to pictures; one palette for all of them."""
