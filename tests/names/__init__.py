"""Names that exist, checked on real files: true middles are let through, planted wrong names are caught."""
