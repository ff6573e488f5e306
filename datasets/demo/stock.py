class Warehouse:
    def restock(self, delivery):
        for item in s$0ore(delivery):
            self.shelf.append(item)
