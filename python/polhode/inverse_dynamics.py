"""What the motors must do for a motion."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from .model import Model, load
from .run import Run
from .signal import Signal


def inverse(model: Union[Model, str], follow: Union[Mapping[str, Any], Run, None] = None, *,
            motors: Sequence[str] = (), end: Optional[float] = None, every: Optional[float] = None,
            times: Optional[ArrayLike] = None) -> Run:
    """The efforts of motors that make a mechanism move as it is asked to, the smallest where there are more motors than
    needed (docs/inverse.md).

        motion = {"joint.hinge1.angle": "0.3*sin(2*t)", "joint.hinge2.angle": lambda t: 0.5 * np.sin(3 * t)}
        efforts = polhode.inverse("planar-double-pendulum", motion, end=2)
        efforts["joint.hinge1.angle.effort"]          # N m (or N), over efforts.time; .power in W
        model.with_efforts(efforts).run()             # and there it goes

    `follow`: what quantities do over time, by name: "joint.NAME.angle" (rad, m), "BODY.position.x" (m, in space),
    "BODY.position" and "BODY.rotation" (three components; a rotation vector in space away from t = 0); each a formula,
    a number, a function of t or a Signal. Or a Run with all its motion; or nothing, for what drives and actuators of
    the model follow. `motors`: "joint.NAME.angle", the name of a motor, load, torque or actuator, "BODY.force.x"; by
    default those of the model, or along what is followed. Times are `times` (s), or even ones `every` until `end`.

    Raises InputError where there are too few motors or names are wrong, SimulationError where the motion cannot be
    reached or the motors have no grip. What is returned has the efforts, and all that a run records, at each time.
    """
    model = model.copy() if isinstance(model, Model) else load(model)
    file = model._read()
    if isinstance(follow, Run):
        recording, missing = _core.inverse_of_run(file, follow._recording, list(motors))
    else:
        settings = model.settings
        last = settings["end"] if end is None else end
        step = every or settings["every"] or last / 100
        even = np.append(np.arange(0, last - 1e-9 * step, step), last)
        at = even if times is None else np.asarray(times, dtype=float)
        recording, missing = _core.inverse_along(file, _entries(follow or {}), list(motors), at.tolist())
    return Run(recording, {"model": model.name, "max_missing": repr(missing)}, model=model)


def _entries(follow: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    entries: list[tuple[Any, ...]] = []
    for name, given in follow.items():
        if isinstance(given, (list, tuple, np.ndarray)):
            entries += _entries({f"{name}.{letter}": part for letter, part in zip("xyz", given, strict=True)})
        elif isinstance(given, (str, int, float, np.number)):
            entries.append((name, given if isinstance(given, str) else repr(float(given))))
        else:
            signal = Signal.of(given)
            way = (signal.value, signal.rate_at, signal.acceleration_at)
            if np.ndim(signal.value(0.0)) == 0:
                entries.append((name, *way, -1))
            else:
                entries += [(f"{name}.{letter}", *way, i) for i, letter in enumerate("xyz")]
    return entries
