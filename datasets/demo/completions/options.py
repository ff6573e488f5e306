class Options:
    def __init__(self, **kwargs):
        for key, value in kwargs.items():
            setattr(self, $0)
