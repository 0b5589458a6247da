"""Functions of time in Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional

import numpy as np

_h = 1e-3  # s; of differences of fourth order


@dataclass(frozen=True)
class Signal:
    """A function of time t (s), for what a model file gives as a number, a formula or a table over time:
    force.NAME.scale, joint.NAME.length (m), joint.NAME.drive.COORDINATE (m or rad) and actuator.NAME.follow (three
    numbers
    for a point in space or a turn, one for the coordinate of a joint).

        model["force.push.scale"] = lambda t: 1.0 if t < 0.5 else 0.0
        model["joint.crank.drive.angle"] = polhode.Signal(lambda t: t * t, lambda t: 2 * t, lambda t: 2.0)

    Derivatives that are not given are taken by differences over 1 ms, to about 1e-9 of the value for smooth
    functions. It is taken as smooth: integrators that choose their steps do not know of its kinks; a table in the
    model does tell them.
    """

    value: Callable[[float], Any]
    rate: Optional[Callable[[float], Any]] = None
    acceleration: Optional[Callable[[float], Any]] = None

    @staticmethod
    def of(given: "Signal | Callable[[float], Any]") -> "Signal":
        return given if isinstance(given, Signal) else Signal(given)

    def rate_at(self, t: float) -> Any:
        if self.rate is not None:
            return self.rate(t)
        at = self._around(t)
        return (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * _h)

    def acceleration_at(self, t: float) -> Any:
        if self.acceleration is not None:
            return self.acceleration(t)
        if self.rate is not None:
            return Signal(self.rate).rate_at(t)
        at = self._around(t)
        return (16 * (at(1) + at(-1)) - (at(2) + at(-2)) - 30 * at(0)) / (12 * _h * _h)

    def placeholder(self, path: str) -> str:
        """What stands for it in the model's text: something with the same beginning, so that drives begin as they go
        on."""
        if path.startswith("actuator."):
            return '"live"'
        a, b, c = (float(f(0.0)) for f in (self.value, self.rate_at, self.acceleration_at))
        return f'{{ formula = "{a!r} + ({b!r})*t + ({c / 2!r})*t^2" }}'

    def _around(self, t: float) -> Callable[[int], Any]:
        return lambda steps: np.asarray(self.value(t + steps * _h), dtype=float)
