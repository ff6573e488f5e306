"""Schemas, measured: the next key in real files."""
