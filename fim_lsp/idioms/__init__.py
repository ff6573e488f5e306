"""Idioms: texts that everybody writes at a place, and a small model may not. Rules that are data, held by the
grammar and the names as all offers are.

python.json     whole lines, and from where on they are offered; which functions construct
idiom.py        what is to be tried at a place
constructors.py `self.orders = orders`
"""
