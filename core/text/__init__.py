"""Bytes to text, text to tokens, tokens to ids; and the shelf of sample texts."""
