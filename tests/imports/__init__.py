"""Tests of the imports that offers bring along."""
