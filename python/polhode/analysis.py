"""Where a mechanism rests, and how it vibrates there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from .model import Model, load


@dataclass(frozen=True)
class Equilibrium:
    """Where a mechanism rests, loops and redundant joints included (docs/equilibrium-and-modes.md)."""

    bodies: dict[str, dict[str, NDArray[np.float64]]]  #: position (m, in space), quaternion, ... by name
    joints: dict[str, dict[str, Any]]  #: coordinates, force (N) and torque (N m) on the second body, in space
    forces: dict[str, dict[str, Any]]
    potential_energy: float  #: J
    stable: bool  #: no motion falls away, and those that are not neutral are resisted
    unstable: bool
    singular_position: bool  #: loops are stretched out or folded up; the stiffness does not tell all then
    stiffness: NDArray[np.float64]  #: eigenvalues relative to the mass, 1/s^2, ascending
    degrees_of_freedom: int
    neutral_motions: int
    rigid_body_motions: int
    at_start: bool  #: the model starts there
    held: list[str]  #: what was left aside, in sentences
    mass_matrix: NDArray[np.float64]  #: M of M s'' + C s' + K s = 0, along the true degrees of freedom
    damping_matrix: NDArray[np.float64]  #: C
    stiffness_matrix: NDArray[np.float64]  #: K
    basis: NDArray[np.float64]  #: u = N s': velocity and angular velocity of each body in space, six rows a body
    _of: Model

    @property
    def model(self) -> Model:
        """The model, but starting there at rest."""
        text = _core.text_at_rest(self._of._read(), self._of._name, self.bodies)
        there = self._of.copy()
        there.__setstate__({**there.__getstate__(), "text": text, "overrides": []})
        return there

    @staticmethod
    def _made(words: dict[str, Any], model: Model) -> "Equilibrium":
        names = [name for name in Equilibrium.__dataclass_fields__ if name != "_of"]
        return Equilibrium(**{name: words[name] for name in names}, _of=model)

    def __repr__(self) -> str:
        how = "unstable" if self.unstable else "stable" if self.stable else "neutral"
        return f"<polhode.Equilibrium, {how}, {self.degrees_of_freedom} degrees of freedom>"


@dataclass(frozen=True)
class Mode:
    """One motion s = Re(phi exp(mu t)): an eigenvalue, or a pair of conjugate ones."""

    eigenvalue: complex  #: mu, 1/s; of a pair the one with positive imaginary part
    frequency: float  #: Hz
    damping: float  #: -Re mu / |mu|
    #: displacement of the centre of mass and turn of each body, in space; complex where parts do not move in phase
    shape: dict[str, tuple[NDArray[np.complex128], NDArray[np.complex128]]]


@dataclass(frozen=True)
class Modes:
    """How a mechanism vibrates about an equilibrium or a steady motion, or moves apart from an instant of a run
    (docs/equilibrium-and-modes.md). The matrices are those of M s'' + C s' + K s = 0 along the true degrees of freedom."""

    about: str  #: "equilibrium", "steady motion" or "instant", whose eigenvalues tell nothing of later
    time: float  #: s, of the motion that it is about
    eigenvalues: NDArray[np.complex128]  #: all of them, 1/s, by size
    modes: list[Mode]  #: by size of their eigenvalues
    zero_modes: int  #: motions that nothing resists
    rigid_body_modes: int  #: of these, motions of all bodies as one
    stable: bool  #: no motion grows
    asymptotically_stable: bool  #: every motion dies out
    held: list[str]  #: what was left aside, in sentences
    bodies: dict[str, dict[str, NDArray[np.float64]]]  #: position (m, in space), velocity, ... by name
    mass_matrix: NDArray[np.float64]  #: M
    damping_matrix: NDArray[np.float64]  #: C, with gyroscopic terms
    stiffness_matrix: NDArray[np.float64]  #: K, with centrifugal ones
    basis: NDArray[np.float64]  #: what a unit of each s displaces and turns, in space, six rows a body
    frame_angular_velocity: NDArray[np.float64]  #: of the frame that it is seen from, rad/s in space
    unsteadiness: float  #: by how much the motion misses a steady one
    equilibrium: Optional[Equilibrium]  #: where one was sought

    @property
    def frequencies(self) -> NDArray[np.float64]:
        """Hz, of each mode."""
        return np.array([mode.frequency for mode in self.modes])

    @property
    def damping(self) -> NDArray[np.float64]:
        """-Re mu / |mu| of each mode: 1 where it creeps back, negative where it grows, 0 for neutral ones."""
        return np.array([mode.damping for mode in self.modes])


def equilibrium(model: Union[Model, str], starts: int = 1, seed: int = 1) -> Any:
    """Where a mechanism rests under gravity, springs and constant loads, found from where the model starts.

    With `starts` above one from so many placements, the others at random: a list of all that are different, the lowest
    potential energy first. Raises SimulationError, naming what accelerates, where there is none.
    """
    model = model.copy() if isinstance(model, Model) else load(model)
    found = [Equilibrium._made(words, model) for words in _core.equilibria(model._read(), starts, seed)]
    return found if starts > 1 else found[0]


@dataclass(frozen=True)
class StateSpace:
    """Small motions as an engineer of control wants them: x' = A x + B u, y = C x + D u with x = (s, s') along the true
    degrees of freedom, u efforts beside those that act already (N, N m), y the changes of what is observed."""

    A: NDArray[np.float64]
    B: NDArray[np.float64]
    C: NDArray[np.float64]
    D: NDArray[np.float64]
    states: list[str]
    inputs: list[str]
    outputs: list[str]


def modes(model: Union[Model, str], at_start: bool = False, at: Optional[float] = None) -> Modes:
    """How a mechanism vibrates: about the steady motion that the model starts with, if it does, or about the equilibrium
    that is found from its start. With `at_start` about the start itself, which must be an equilibrium; with `at` about
    the motion that a run reaches at that time (s)."""
    model = model.copy() if isinstance(model, Model) else load(model)
    words, rest = _core.modes(model._read(), at_start, at)
    words["modes"] = [Mode(**mode) for mode in words["modes"]]
    return Modes(**words, equilibrium=None if rest is None else Equilibrium._made(rest, model))


def state_space(model: Union[Model, str], inputs: Sequence[str] = (), outputs: Sequence[str] = (),
                at_start: bool = False, at: Optional[float] = None) -> StateSpace:
    """The matrices A, B, C, D about what `modes` is about.

    Inputs are names of motors, loads and actuators, "motor:hip" or "load:top.force.x"; outputs are observables such as
    "tip.position.z" or "joint.hip.angle" (docs/equilibrium-and-modes.md has both lists).
    """
    model = model.copy() if isinstance(model, Model) else load(model)
    return StateSpace(**_core.state_space(model._read(), list(inputs), list(outputs), at_start, at))


@dataclass(frozen=True)
class Gradient:
    """What a run ends with, and its derivatives by parameters of the model."""

    values: NDArray[np.float64]  #: of the measures
    derivatives: NDArray[np.float64]  #: a row for each measure, a column for each parameter
    along_the_run: bool  #: carried along by dual numbers, to round-off; otherwise from differences of whole runs


def gradient(model: Union[Model, str], parameters: Mapping[str, float], measures: Sequence[str]) -> Gradient:
    """Measures at the end of a run, such as "tip.position.x" or "energy", and their derivatives by parameters.

    `parameters` are keys of the model with the values at which it is run: {"body.rod.mass": 1.7, "parameters.length": 0.4}.

    Trees of ball joints and hinges under their weight, with integrator director-em and a fixed step, carry their derivatives
    along by dual numbers: exact derivatives of the steps, in chaotic motions too. Other models are run at eight values of
    each parameter, 2e-3 of it apart (of 1 where it is zero), for central differences of eighth order.
    """
    model = model.copy() if isinstance(model, Model) else load(model)
    here = model.set(dict(parameters))
    varied = []
    for key, value in parameters.items():
        step = 2e-3 * (abs(value) or 1.0)
        offsets = (-4, -3, -2, -1, 1, 2, 3, 4)
        varied.append((step, [here.set(key, float(value) + k * step)._read() for k in offsets]))
    return Gradient(*_core.gradient(here._read(), varied, list(measures)))
