class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        $0

    def deposit(self, amount):
        self.balance += amount
