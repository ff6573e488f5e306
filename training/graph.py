"""The bundled network as a graph for ONNX Runtime, which computes it where there is no PyTorch.

The graph holds no weights. It names their places in model.safetensors, where they lie in half precision, and
casts them; ONNX Runtime does that once, when it loads. Keys and values are read from and written to the same
buffers (GroupQueryAttention with past and present in one place). So a token adds its own keys and values and
moves none, and forgetting tokens only lowers their count.

Inputs: `tokens` (n,) int64; `n_last` (1,) int64, negative; `stop` (1,) int32, the last position that will
have been read; `n_read` () int32, the number of positions that will have been read; `keys_0`, `values_0`, ...
(1, key heads, room, numbers). Output: `rows` (n_last, vocabulary); `keys_0_out`, ... are the inputs of that
name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper

from fim_lsp.runtimes.folder import GRAPH, read_config
from fim_lsp.runtimes.shape import NetworkShape, shape_of
from fim_lsp.runtimes.weights import WEIGHTS, Tensor, tensors

# The versions that ONNX Runtime 1.20 reads.
IR_VERSION, OPSET, CONTRIBUTED = 9, 17, "com.microsoft"
DTYPES = {"F16": TensorProto.FLOAT16, "F32": TensorProto.FLOAT}


def write_graph(folder: Path) -> None:
    """Writes the graph of the network in a folder beside its weights."""
    shape = shape_of(read_config(folder))
    if shape.is_qwen and shape.head_size % 16:
        raise ValueError(
            f"ONNX Runtime turns heads of 16 numbers, or multiples of that, not of {shape.head_size}"
        )
    graph = Graph(shape, tensors(folder / WEIGHTS))
    graph.compute()
    onnx.save(graph.model(), str(folder / GRAPH))


@dataclass(slots=True)
class Graph:
    """A graph in the making. A method adds nodes and returns the name of their result."""

    shape: NetworkShape
    weights: dict[str, Tensor]
    nodes: list[Any] = field(default_factory=list)
    constants: dict[str, Any] = field(default_factory=dict)

    def compute(self) -> None:
        shape = self.shape
        if shape.is_qwen:
            self.add_turns()
        x = self.embedded()
        for index in range(shape.n_layers):
            x = self.qwen_layer(index, x) if shape.is_qwen else self.bigcode_layer(index, x)
        # Only the last rows are wanted, because the tokens behind the others are known.
        x = self.node("Slice", x, "n_last", self.integers("end", 2**31 - 1), self.integers("first", 0))
        if shape.is_qwen:
            last, head = self.root_norm(x, "model.norm"), "model.embed_tokens" if shape.is_tied else "lm_head"
        else:
            last, head = self.layer_norm(x, "transformer.ln_f"), "transformer.wte"
        self.node("Gemm", last, self.weight(head), out="rows", transB=1)

    def embedded(self) -> str:
        """(n, width)"""
        if self.shape.is_qwen:
            return self.looked_up("model.embed_tokens", "tokens")
        # Learned positions: those of the last n tokens that will have been read.
        first = self.integers("first", 0)
        stop = self.node("Cast", self.node("Unsqueeze", "n_read", first), to=TensorProto.INT64)
        start = self.node("Sub", stop, self.node("Shape", "tokens"))
        positions = self.node("Slice", self.stored("transformer.wpe.weight"), start, stop, first)
        return self.node("Add", self.looked_up("transformer.wte", "tokens"), self.as_float(positions))

    def bigcode_layer(self, index: int, x: str) -> str:
        name = f"transformer.h.{index}"
        read = self.linear(self.layer_norm(x, f"{name}.ln_1"), f"{name}.attn.c_attn")
        query, key, value = self.split(read, *self.widths())
        gathered = self.attention(index, query, key, value)
        x = self.node("Add", x, self.linear(gathered, f"{name}.attn.c_proj"))
        up = self.linear(self.layer_norm(x, f"{name}.ln_2"), f"{name}.mlp.c_fc")
        activated = self.node("FastGelu", up, domain=CONTRIBUTED)
        return self.node("Add", x, self.linear(activated, f"{name}.mlp.c_proj"))

    def qwen_layer(self, index: int, x: str) -> str:
        name = f"model.layers.{index}"
        attention = f"{name}.self_attn"
        normed = self.root_norm(x, f"{name}.input_layernorm")
        read = self.linear(normed, *(f"{attention}.{part}_proj" for part in "qkv"))
        query, key, value = self.split(read, *self.widths())
        query = self.normed_heads(query, f"{attention}.q_norm")
        key = self.normed_heads(key, f"{attention}.k_norm")
        gathered = self.attention(index, query, key, value)
        x = self.node("Add", x, self.linear(gathered, f"{attention}.o_proj"))
        normed = self.root_norm(x, f"{name}.post_attention_layernorm")
        both = self.linear(normed, f"{name}.mlp.gate_proj", f"{name}.mlp.up_proj")
        inner = self.weights[f"{name}.mlp.up_proj.weight"].shape[0]
        gate, gated = self.split(both, inner, inner)
        # x * sigmoid(x), which is SiLU. ONNX Runtime computes it in one step.
        activated = self.node("QuickGelu", gate, domain=CONTRIBUTED, alpha=1.0)
        return self.node("Add", x, self.linear(self.node("Mul", activated, gated), f"{name}.mlp.down_proj"))

    def widths(self) -> tuple[int, int, int]:
        n_queries = self.shape.n_heads * self.shape.head_size
        return n_queries, self.shape.n_key_values, self.shape.n_key_values

    def attention(self, index: int, query: str, key: str, value: str) -> str:
        """The values that each token gathers; (n, numbers of all heads)."""
        shape = self.shape
        batch = self.integers("first", 0)
        inputs = [self.node("Unsqueeze", part, batch) for part in (query, key, value)]
        inputs += [f"keys_{index}", f"values_{index}", "stop", "n_read"]
        inputs += ["cosines", "sines"] if shape.is_qwen else []
        outputs = [f"gathered_{index}", f"keys_{index}_out", f"values_{index}_out"]
        self.nodes.append(
            helper.make_node(
                "GroupQueryAttention",
                inputs,
                outputs,
                domain=CONTRIBUTED,
                num_heads=shape.n_heads,
                kv_num_heads=shape.n_key_heads,
                do_rotary=int(shape.is_qwen),
            )
        )
        return self.node("Squeeze", outputs[0], batch)

    def add_turns(self) -> None:
        """Adds the turns of rotary positions, (positions, pairs), which are computed once, when the graph is
        loaded."""
        shape = self.shape
        rates = shape.rope_theta ** -(np.arange(0, shape.head_size, 2) / shape.head_size)
        places = np.arange(shape.n_positions)[:, None]
        named = [("rates", rates), ("places", places)]
        angles = self.node("Mul", *(self.constant(name, array.astype(np.float32)) for name, array in named))
        self.node("Cos", angles, out="cosines")
        self.node("Sin", angles, out="sines")

    def normed_heads(self, x: str, name: str) -> str:
        """Queries or keys, with each head scaled to a root mean square of 1."""
        by_head = self.node("Reshape", x, self.integers("by_head", 0, -1, self.shape.head_size))
        return self.node("Reshape", self.root_norm(by_head, name), self.integers("flat", 0, -1))

    def layer_norm(self, x: str, name: str) -> str:
        weight, bias = self.weight(name), self.as_float(self.stored(f"{name}.bias"))
        return self.node("LayerNormalization", x, weight, bias, epsilon=self.shape.epsilon)

    def root_norm(self, x: str, name: str) -> str:
        return self.node("SimplifiedLayerNormalization", x, self.weight(name), epsilon=self.shape.epsilon)

    def linear(self, x: str, *names: str) -> str:
        """The product with a matrix, or with several matrices that read the same input, joined."""
        if len(names) > 1:
            weight = self.node("Concat", *(self.weight(name) for name in names), axis=0)
            return self.node("Gemm", x, weight, transB=1)
        bias = f"{names[0]}.bias"
        biases = [self.as_float(self.stored(bias))] if bias in self.weights else []
        return self.node("Gemm", x, self.weight(names[0]), *biases, transB=1)

    def split(self, x: str, *widths: int) -> list[str]:
        outputs = [f"{x}_{index}" for index in range(len(widths))]
        lengths = self.integers("_".join(map(str, widths)), *widths)
        self.nodes.append(helper.make_node("Split", [x, lengths], outputs, axis=1))
        return outputs

    def looked_up(self, name: str, tokens: str) -> str:
        """Rows of a table that stays in half precision."""
        return self.as_float(self.node("Gather", self.stored(f"{name}.weight"), tokens))

    def weight(self, name: str) -> str:
        return self.as_float(self.stored(f"{name}.weight"))

    def as_float(self, name: str) -> str:
        return self.node("Cast", name, to=TensorProto.FLOAT)

    def stored(self, name: str) -> str:
        """A tensor in the weights' file, at its place."""
        tensor = self.weights[name]
        found = TensorProto(name=name, data_type=DTYPES[tensor.dtype], dims=tensor.shape)
        found.data_location = TensorProto.EXTERNAL
        place = {"location": WEIGHTS, "offset": tensor.start, "length": tensor.stop - tensor.start}
        for key, value in place.items():
            found.external_data.add(key=key, value=str(value))
        self.constants[name] = found
        return name

    def integers(self, name: str, *values: int) -> str:
        return self.constant(name, np.array(values))

    def constant(self, name: str, value: Any) -> str:
        self.constants[name] = onnx.numpy_helper.from_array(value, name)
        return name

    def node(self, kind: str, *inputs: str, out: str = "", domain: str = "", **attributes: Any) -> str:
        name = out or f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], domain=domain, **attributes))
        return name

    def model(self) -> onnx.ModelProto:
        shape = self.shape
        room: list[str | int | None] = [1, shape.n_key_heads, "room", shape.head_size]
        inputs = [
            helper.make_tensor_value_info("tokens", TensorProto.INT64, ["n"]),
            helper.make_tensor_value_info("n_last", TensorProto.INT64, [1]),
            helper.make_tensor_value_info("stop", TensorProto.INT32, [1]),
            helper.make_tensor_value_info("n_read", TensorProto.INT32, []),
        ]
        outputs = [helper.make_tensor_value_info("rows", TensorProto.FLOAT, ["n_rows", shape.n_tokens])]
        for index in range(shape.n_layers):
            for kind in ("keys", "values"):
                inputs.append(helper.make_tensor_value_info(f"{kind}_{index}", TensorProto.FLOAT, room))
                outputs.append(helper.make_tensor_value_info(f"{kind}_{index}_out", TensorProto.FLOAT, room))
        graph = helper.make_graph(self.nodes, "network", inputs, outputs, list(self.constants.values()))
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(CONTRIBUTED, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION, producer_name="fim-lsp")
