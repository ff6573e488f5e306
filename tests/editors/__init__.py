"""Tests in real editors, and of what is packed for them."""
