"""Recipes that make what is in assets/models: `python -m core.training <model>`."""
