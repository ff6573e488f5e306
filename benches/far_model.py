"""`python -m benches.far_model`: the bundled model behind a slow network, for `replay typing --clock`.

The server speaks llama-server's protocol, and delays each answer by the given milliseconds. Ctrl+C ends it.
"""

from __future__ import annotations

import argparse
import threading

from fim_lsp.decoding.models.model import load_model
from tests.served_models import ServedModel, serving


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--milliseconds", type=float, default=100.0, help="of each answer (%(default)s)")
    delay = parser.parse_args().milliseconds / 1000
    with serving(ServedModel(load_model(None), name="bundled", delay=delay)) as address:
        print(address, flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return 0
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
