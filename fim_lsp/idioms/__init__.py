"""Idioms: texts that everybody writes at a place, while a small model may not. The rules are data; grammar
and names hold for these texts as for all offers.

python.json     whole lines, and from where on they are offered; which functions construct
idiom.py        the texts to try at a place
constructors.py `self.orders = orders`
"""
