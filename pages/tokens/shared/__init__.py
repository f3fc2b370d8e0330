"""What two or more lessons on tokens share."""
