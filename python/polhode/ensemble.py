"""Many members of one model, stepped together."""

from __future__ import annotations

import operator
import os
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from .model import Model, load


def _whole(name: str, number: Any, least: int) -> int:
    """The number, where it is a whole one and not too small."""
    try:
        whole = operator.index(number)
    except TypeError:
        whole = None
    if whole is None or whole < least:
        raise _core.InputError(f"{name} is {number!r}; give a whole number, {least} at least")
    return whole


class Ensemble:
    """`size` members of a model that live in memory and are stepped together by director-em with a fixed step.

        tops = polhode.Ensemble("heavy-top", size=10_000, step=1e-3)
        tops.set("body.top.density", np.linspace(2000, 4000, 10_000))
        tops.set("model.gravity", np.random.normal([0, 0, -9.81], 0.1, (10_000, 3)))
        tops.step(1000)
        tops.observe("top.position")                       # an array (10_000, 3), in m and in space
        tops.apply("top", forces=np.zeros((10_000, 3)))    # N at the centre of mass, in every step from now on
        tops.reset(tops.observe("top.position")[:, 2] < 0)  # these begin anew

    Trees of ball joints and hinges under their weight go side by side in vector registers (`in_lanes`), other models
    one after the other; all cores are used. What becomes of a member is the same, bit by bit, for any number of threads and
    whatever stands beside it. A member whose step does not converge stops, with a sentence in `failures`.

    With `device="gpu"` a GPU moves them, where polhode was built for one (docs/sweeps.md); tens of thousands of members keep it busy.
    What it cannot move is refused, with the reason.

    Arrays are numpy's, which torch and JAX take without a copy (`torch.from_dlpack(tops.observe("top.position"))`).
    """

    def __init__(self, model: Union[Model, str], size: int, step: Optional[float] = None, device: str = "cpu",
                 threads: Optional[int] = None) -> None:
        if device not in ("cpu", "gpu"):
            raise _core.InputError(f"there is no device {device!r}; take \"cpu\" or \"gpu\"")
        self._size = _whole("size", size, 1)
        self._model = model.copy() if isinstance(model, Model) else load(model)
        if self._model._own or self._model._functions or self._model._efforts:
            raise _core.InputError("forces, signals and efforts of Python do not go into an ensemble; give the members those "
                                   "of model files, or pull at them with apply()")
        self._step = step
        self._threads = _whole("threads", threads, 1) if threads is not None else os.cpu_count() or 1
        self._on_gpu = device == "gpu"
        self._varied: dict[str, NDArray[np.float64]] = {}
        self._made: Optional[_core.Ensemble] = None

    def set(self, key: Union[str, Mapping[str, ArrayLike]], values: Optional[ArrayLike] = None) -> "Ensemble":
        """A number of the model, one value for each member, or a vector, one row for each: `(size, 3)` for a position or a
        velocity; by its path as in `Model.set`. All members begin anew."""
        for path, given in (key.items() if isinstance(key, Mapping) else [(key, values)]):
            numbers = np.ascontiguousarray(given, dtype=float)
            if numbers.ndim not in (1, 2) or len(numbers) != self._size or numbers.size == 0:
                raise _core.InputError(f"{path!r} has values of the shape {numbers.shape}; give one for each of the "
                                       f"{self._size} members, or a row of a vector's components")
            self._varied[path] = numbers
        self._made = None
        return self

    @property
    def _members(self) -> _core.Ensemble:
        if self._made is None:
            text, name, overrides = self._model._text, self._model._name, self._model._overrides
            self._made = _core.Ensemble(text, name, overrides, self._size, list(self._varied.items()), self._step,
                                        self._threads, self._on_gpu)
        return self._made

    def __len__(self) -> int:
        return self._size

    @property
    def in_lanes(self) -> bool:
        """Whether members go side by side in vector registers."""
        return self._members.in_lanes

    @property
    def steps(self) -> int:
        """How many steps were made since the members began."""
        return self._members.steps

    def step(self, count: int = 1) -> None:
        """So many steps of all members."""
        self._members.step(_whole("count", count, 0))

    def observe(self, quantity: str) -> NDArray[np.float64]:
        """A quantity of all members: (size, 3) for "tip.position", (size, 4) for "tip.quaternion", (size,) for "energy"."""
        return self._members.observe(quantity)

    def apply(self, body: str, forces: Optional[ArrayLike] = None, torques: Optional[ArrayLike] = None) -> None:
        """Forces (N) at the centre of mass and torques (N m) on a body of every member, in space, until they are set anew."""
        nothing = np.zeros((self._size, 3))
        self._members.apply(body, nothing if forces is None else np.asarray(forces, dtype=float),
                         nothing if torques is None else np.asarray(torques, dtype=float))

    def reset(self, members: Optional[Union[Sequence[int], NDArray[np.bool_], NDArray[np.int_]]] = None) -> None:
        """Puts members back to their start: all, those of these numbers, or those where an array of bool is True."""
        chosen = np.arange(self._size) if members is None else np.atleast_1d(np.asarray(members))
        if chosen.dtype == bool:
            if chosen.shape != (self._size,):
                raise _core.InputError(f"members are chosen by an array of the shape {chosen.shape}; give one bool for each of "
                                       f"the {self._size} members")
            chosen = np.flatnonzero(chosen)
        if chosen.size and chosen.dtype.kind not in "iu":
            raise _core.InputError("members are chosen by their numbers, which are whole, or by an array of bool")
        for member in chosen[(chosen < 0) | (chosen >= self._size)]:
            raise _core.InputError(f"there is no member {member} in an ensemble of {self._size}; they are counted from 0")
        self._members.reset(chosen.astype(int).tolist())

    @property
    def failures(self) -> dict[int, str]:
        """Members that have stopped, by number, and why."""
        return dict(self._members.failures())

    def __repr__(self) -> str:
        return f"<polhode.Ensemble of {self._size} members>"
