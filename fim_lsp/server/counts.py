"""Local statistics: the offers that were made, shown and accepted since the server started. Nothing leaves
the machine.

Off unless the setting `statistics` is on; kept in memory only.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(slots=True)
class UsageCounts:
    requests: int = 0
    offered: int = 0
    cached: int = 0
    shown: int = 0
    accepted: int = 0
    partially_accepted: int = 0

    def as_json(self, is_enabled: bool) -> dict[str, object]:
        counts = asdict(self)
        counts["partiallyAccepted"] = counts.pop("partially_accepted")
        return {"enabled": is_enabled, **counts}
