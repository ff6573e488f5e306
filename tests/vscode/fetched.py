"""A hub for these tests, with a fake model, which can be downloaded but not loaded."""

from __future__ import annotations

import json

from tests.fake_hub import Hub

CONFIG = {"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2"}
HUB = Hub("some/model", {"config.json": json.dumps(CONFIG).encode(), "model.safetensors": bytes(1 << 19)})
