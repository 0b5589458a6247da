"""Model files from Python values: a dict in the words of docs/model-file.md becomes TOML text."""

from __future__ import annotations

import json
import re
from typing import Any, Callable, Mapping

import numpy as np

from .signal import Signal

Functions = dict[str, Signal]
_bare = re.compile(r"[A-Za-z0-9_-]+\Z")


def key_text(key: str) -> str:
    return key if _bare.match(key) else json.dumps(key, ensure_ascii=False)


def value_text(value: Any, place: Callable[[Signal], str] | None = None) -> str:
    """A value on one line, as it stands behind '='. `place` takes functions of time and says what stands for them."""
    if isinstance(value, np.generic):
        value = value.item()
    elif isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key_text(str(k))} = {value_text(v, place)}" for k, v in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(value_text(item, place) for item in value) + "]"
    if place is not None and (isinstance(value, Signal) or callable(value)):
        return place(Signal.of(value))
    raise TypeError(f"{value!r} is nothing that a model file can hold; give a number, a text, a list or a dict")


def model_text(words: Mapping[str, Any]) -> tuple[str, Functions]:
    """The text of a model, and the functions of time in it by their path, "force.push.scale"."""
    functions: Functions = {}
    lines: list[str] = []

    def table(head: str, path: str, entries: Mapping[str, Any]) -> None:
        lines.append(head)
        for key, value in entries.items():
            lines.append(f"{key_text(str(key))} = {entry(f'{path}.{key}', value)}")
        lines.append("")

    def entry(path: str, value: Any) -> str:
        if isinstance(value, Mapping):
            return "{ " + ", ".join(f"{key_text(str(k))} = {entry(f'{path}.{k}', v)}" for k, v in value.items()) + " }"

        def place(signal: Signal) -> str:
            functions[path] = signal
            return signal.placeholder(path)

        return value_text(value, place)

    alone = {key: value for key, value in words.items() if not isinstance(value, (Mapping, list, tuple))}
    for key, value in alone.items():
        lines.append(f"{key_text(str(key))} = {value_text(value)}")
    for kind, value in words.items():
        if kind in alone:
            continue
        if isinstance(value, Mapping) and kind in ("body", "joint", "coupling", "force", "actuator", "sensor"):
            value = [{"name": name, **entries} for name, entries in value.items()]  # parts by their names
        if isinstance(value, Mapping):
            table(f"[{key_text(kind)}]", kind, value)
            continue
        for number, entries in enumerate(value, 1):
            if not isinstance(entries, Mapping):
                raise TypeError(f"{kind} {number} is {entries!r}; give a dict with its keys")
            table(f"[[{key_text(kind)}]]", f"{kind}.{entries.get('name', number)}", entries)
    return "\n".join(lines), functions
