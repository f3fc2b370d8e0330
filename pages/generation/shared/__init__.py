"""What two or more lessons on generation share."""
