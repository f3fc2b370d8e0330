"""What two or more lessons on word vectors share."""
