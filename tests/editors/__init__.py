"""Tests in real editors, and of the packages for them."""
