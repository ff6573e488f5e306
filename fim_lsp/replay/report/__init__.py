"""What is told about a run: the papers' tables and figures, and ours, as Markdown, HTML, CSV and JSON.

`results.py` reads a run's folder, `tables.py` counts, `fits.py` and `plots.py` draw, `writing.py` puts it all on
paper.
"""

from fim_lsp.replay.report.results import Results
from fim_lsp.replay.report.writing import Report, put_into, written

__all__ = ["Report", "Results", "put_into", "written"]
