"""The tests, in folders by their subject. They are a package so that modules can import each other."""
