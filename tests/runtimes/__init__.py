"""Tests of what computes a model."""
