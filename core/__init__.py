"""The shared core of Attend: text, models, figures, lesson building blocks and training recipes."""
