"""The tests, in folders by what they test: a package, so that its modules find one another."""
