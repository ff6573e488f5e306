"""The report of a run: the papers' tables and figures, and ours, as Markdown, HTML, CSV and JSON.

Read `results.py` (a run, ready to be counted), `tables.py`, `fits.py`, `plots.py`, `writing.py` (the files),
and `kept.py` (what all reports of kept runs share).
"""

from fim_lsp.replay.report.results import Results
from fim_lsp.replay.report.writing import Report, put_between, put_into, write_report

__all__ = ["Report", "Results", "put_between", "put_into", "write_report"]
