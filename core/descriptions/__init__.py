"""The text twin of every picture: what it shows now as a sentence, its axes, and a table of its numbers."""
