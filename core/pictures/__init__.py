"""Pictures as arrays of numbers: read from a file, drawn by a seed, scaled to a model's size."""
