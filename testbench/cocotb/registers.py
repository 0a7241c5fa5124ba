"""The register map, read from its page docs/registers.md. The client has no other source of it."""

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "registers.md"
ROW = re.compile(r"^\|\s*`?(0x[0-9a-fA-F]+)`?\s*\|\s*`?(\w+)`?\s*\|")


def offsets(page: Path = PAGE) -> dict[str, int]:
    """Offset of every register, by its name."""
    rows = (ROW.match(line) for line in page.read_text().splitlines())
    found = {row[2].lower(): int(row[1], 16) for row in rows if row}
    if "id" not in found:
        raise SystemExit(f"{page} has no table of registers that this client can read")
    return found
