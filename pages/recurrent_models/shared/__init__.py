"""What two or more lessons on recurrent models share."""
