"""The words that a reader reads: files of texts, their language, how numbers are written, Markdown."""
