"""What two or more lessons on self-attention share."""
