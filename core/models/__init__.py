"""The algorithms that students read: one to a file, numpy and torch only, intermediates returned."""
