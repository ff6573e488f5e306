from dataclasses import dataclass


@dataclass
class Basket:
    prices: dict[str, int]
    counts: dict[str, int]

    def total(self, discount=0):
        gross = sum(price * $0 for name, price in self.prices.items())
        return gross - discount
