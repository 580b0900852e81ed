"""Says what is missing where the processor is too old for this build, instead of crashing."""

from __future__ import annotations

import platform
from pathlib import Path

_NEEDED = ("avx2", "fma", "bmi2")


def missing(cpuinfo: str) -> list[str]:
    """The needed instructions that /proc/cpuinfo does not list; none where it lists no flags."""
    flags = next((line for line in cpuinfo.splitlines() if line.startswith("flags")), None)
    if flags is None:
        return []
    return [word for word in _NEEDED if word not in flags.split()]


def check() -> None:
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            lacking = missing(file.read())
    except OSError:
        return
    if lacking and engine_needs_them():
        raise ImportError(
            f"this build of separa needs a processor with {', '.join(lacking)} (any since about "
            "2015); on this one build it from source with RUSTFLAGS='-C target-cpu=native'"
        )


def engine_needs_them() -> bool:
    """What the engine was built for stands in its bytes: running it to ask might crash."""
    engines = Path(__file__).parent.glob("_separa*.so")
    return any(b"separa needs avx2" in engine.read_bytes() for engine in engines)


check()
