"""One recipe a model."""
