"""Tests of the project's memory."""
