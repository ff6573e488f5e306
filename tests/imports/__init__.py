"""Tests of the imports that come with offers."""
