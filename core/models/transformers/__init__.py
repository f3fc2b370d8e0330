"""Transformers, opened: the models of the lessons on what stands inside them."""
