"""What two or more lessons on translation share."""
