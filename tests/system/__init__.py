"""Tests of what systems do in their own ways."""
