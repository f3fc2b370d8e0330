"""What two or more lessons on n-grams share."""
