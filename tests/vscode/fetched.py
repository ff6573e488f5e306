"""A hub for these tests, with a model that is none. It can be fetched, but not be loaded."""

from __future__ import annotations

import json

from tests.fake_hub import Hub

CONFIG = {"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2"}
HUB = Hub("some/model", {"config.json": json.dumps(CONFIG).encode(), "model.safetensors": bytes(1 << 19)})
