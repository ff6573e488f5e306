"""Tests of the HTTP server for plugins."""
