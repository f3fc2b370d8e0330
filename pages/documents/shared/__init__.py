"""What two or more lessons on documents share."""
