"""ONNX Runtime computes the bundled model in the plain install.

`training` writes the graph; its docstring describes inputs and outputs. Everything is computed in float32 on
one thread, from weights in half precision on disk.

From 1.31 on ONNX Runtime sends events to its maker, and keeps an identifier of the machine for that. It reads
the variable that forbids both while it is imported.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fim_lsp.runtimes.folder import GRAPH, ModelError, first_line, read_config
from fim_lsp.runtimes.forks import Forks
from fim_lsp.runtimes.shape import NetworkShape, shape_of
from fim_lsp.runtimes.weights import WEIGHTS, tensors

os.environ["ORT_DISABLE_TELEMETRY"] = "1"
import onnxruntime

# Programs that have imported it before us, and Windows, whose own events these are, know only this call.
onnxruntime.disable_telemetry_events()


@dataclass(frozen=True)
class EmbeddedRuntime:
    """A session of ONNX Runtime, and the network's shape."""

    shape: NetworkShape
    n_parameters: int
    session: Any
    name = f"ONNX Runtime {onnxruntime.__version__}"
    device = "cpu"
    has_drafts = True

    @classmethod
    def at(cls, folder: Path) -> EmbeddedRuntime:
        """Raises `ModelError` for a folder that has no graph, or one that does not belong to its weights."""
        shape = shape_of(read_config(folder))
        n_parameters = sum(int(np.prod(tensor.shape)) for tensor in tensors(folder / WEIGHTS).values())
        try:
            session = onnxruntime.InferenceSession(
                str(folder / GRAPH), session_options(), providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # ONNX Runtime has a dozen, which have only that in common.
            raise ModelError(f"{folder} cannot be computed by ONNX Runtime: {first_line(error)}") from error
        return cls(shape, n_parameters, session)

    @property
    def n_positions(self) -> int:
        return self.shape.n_positions

    def cache(self) -> EmbeddedCache:
        shape = self.shape
        room = (2 * shape.n_layers, 1, shape.n_key_heads, shape.n_positions, shape.head_size)
        return EmbeddedCache(self, np.zeros(room, np.float32))


def session_options() -> Any:
    options = onnxruntime.SessionOptions()
    # One thread: more would wait for each other longer than they compute.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # An arena would grow with the longest prompt and never shrink: 12 MB, without saving time.
    options.enable_cpu_mem_arena = False
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    # Errors are raised as well, so they need not be logged.
    options.log_severity_level = 4
    return options


@dataclass(slots=True)
class EmbeddedCache:
    """Keys and values of all layers in turn, (2 x layers, 1, key heads, positions, numbers).

    The first `n_read` positions count. ONNX Runtime reads and writes them in place.
    """

    runtime: EmbeddedRuntime
    keys_values: npt.NDArray[np.float32]
    n_read: int = 0
    _bound: Any = field(init=False)

    def __post_init__(self) -> None:
        self._bound = bound = self.runtime.session.io_binding()
        for index, buffer in enumerate(self.keys_values):
            name = f"{('keys', 'values')[index % 2]}_{index // 2}"
            place = ("cpu", 0, np.float32, buffer.shape, buffer.ctypes.data)
            bound.bind_input(name, *place)
            bound.bind_output(f"{name}_out", *place)

    def read(self, tokens: Sequence[int], n_last: int) -> npt.NDArray[np.float32]:
        stop = self.n_read + len(tokens)
        if stop > self.runtime.n_positions:
            raise ValueError(f"{stop} tokens are more than the {self.runtime.n_positions} that it reads")
        bound = self._bound
        bound.bind_cpu_input("tokens", np.array(tokens, np.int64))
        bound.bind_cpu_input("n_last", np.array([-n_last], np.int64))
        bound.bind_cpu_input("stop", np.array([stop - 1], np.int32))
        bound.bind_cpu_input("n_read", np.array(stop, np.int32))
        rows = np.empty((n_last, self.runtime.shape.n_tokens), np.float32)
        bound.bind_output("rows", "cpu", 0, np.float32, rows.shape, rows.ctypes.data)
        self.runtime.session.run_with_iobinding(bound)
        self.n_read = stop
        return rows

    def crop(self, n_tokens: int) -> None:
        self.n_read = n_tokens

    def fork(self) -> EmbeddedCache:
        return EmbeddedCache(self.runtime, self.keys_values.copy(), self.n_read)

    def beams(self) -> Forks:
        return Forks([self.fork()])
