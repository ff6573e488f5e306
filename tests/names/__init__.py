"""Names that exist, checked on real files: true middles are accepted, inserted wrong names are refused."""
