"""Schemas, measured: which key comes next in real files."""
