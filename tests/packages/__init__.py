"""Tests of packages: wheels, extensions, manifests."""
