"""Tests of what is packed: wheels, extensions, manifests."""
