"""What two or more lessons on images share."""
