"""Tests of texts of others that are made to fit."""
