"""Models: what is simulated."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from .signal import Signal
from .toml_text import model_text, value_text

if TYPE_CHECKING:
    from .run import Run

Changes = Union[Mapping[str, Any], Iterable[str]]


@dataclass(frozen=True)
class Body:
    """A body of a model and where it is at t = 0. SI units."""

    name: str
    mass: float  #: kg
    inertia: NDArray[np.float64]  #: 3 x 3, about the centre of mass, in the body's axes, kg m^2
    position: NDArray[np.float64]  #: of the centre of mass, in space, m
    quaternion: NDArray[np.float64]  #: (w, x, y, z), from the body's axes to space
    velocity: NDArray[np.float64]  #: of the centre of mass, in space, m/s
    angular_velocity: NDArray[np.float64]  #: in the body's axes, rad/s


@dataclass(frozen=True)
class _OwnForce:
    name: str
    first: str
    second: str
    function: Callable[..., Any]


class Model:
    """Bodies, joints, forces, actuators and how they are to be simulated, in the words of model files
    (docs/model-file.md).

        polhode.Model('''
            [[body]]
            name = "ball"
            mass = 2
            inertia = [1, 1, 1]
        ''')
        polhode.Model({"model": {"gravity": [0, 0, -9.81]},
                       "body": {"ball": {"mass": 2, "inertia": [1, 1, 1]}},
                       "simulation": {"integrator": "director-em", "step": 0.01, "end": 1}})

    A dict has the same words; "body", "joint", "force" and "actuator" are lists of dicts, or dicts by name. What is
    wrong is told by InputError with the sentence that the file would get. SI units and radians throughout; points,
    axes and velocities are in space at t = 0 unless the model says `body`.

    Any value can be read and replaced by its path, "KIND.NAME.KEY" or "simulation.KEY"; a function of time is a value
    where the model takes a signal (see Signal):

        model["body.ball.mass"]              # what is written there (KeyError where nothing is)
        model["body.ball.mass"] = 3          # changes this model
        heavier = model.set("body.ball.mass", 4)    # another model; this one stays

    Models can be copied and pickled: they are their text and what was changed of it.
    """

    def __init__(self, words: Union[str, Mapping[str, Any]], name: str = "model", set: Changes = ()):  # noqa: A002
        """`words`: a dict, or the text of a model file; `name` is what errors call it; `set` replaces values, as a dict
        {"body.ball.mass": 3} or as a list of texts "body.ball.mass=3"."""
        self._functions: dict[str, Signal] = {}
        if isinstance(words, str):
            self._text = words
        else:
            self._text, self._functions = model_text(words)
        self._name = name
        self._overrides: list[str] = []
        self._own: list[_OwnForce] = []
        self._efforts: Optional[Run] = None
        self._file: Optional[_core.ModelFile] = None
        self._change(set)

    # reading and changing ------------------------------------------------------------------------------------

    def set(self, path: Union[str, Mapping[str, Any]], value: Any = None) -> "Model":
        """A model with that value instead, or with several: model.set({"body.ball.mass": 3, "simulation.end": 2})."""
        other = self.copy()
        other._change(path if isinstance(path, Mapping) else {path: value})
        return other

    def __setitem__(self, path: str, value: Any) -> None:
        self._change({path: value})

    def __getitem__(self, path: str) -> Any:
        if path in self._functions:
            return self._functions[path]
        found: Any = self.to_dict()
        words = path.split(".")
        for i, word in enumerate(words):
            if isinstance(found, list) and i == 1:
                found = {part.get("name"): part for part in found}
            if not isinstance(found, Mapping) or word not in found:
                raise KeyError(f"nothing is written at {path!r} (no {word!r} there)")
            found = found[word]
        return found

    def to_dict(self) -> dict[str, Any]:
        """What is written, with what was changed of it. A URDF file stands there by its name, not by its bodies."""
        words = tomllib.loads(self._text)
        for override in self._overrides:
            path, text = override.split("=", 1)
            try:
                value = tomllib.loads("value = " + text)["value"]
            except tomllib.TOMLDecodeError:
                value = text.strip()  # a bare word
            *way, last = [word.strip() for word in path.split(".")]
            at: Any = words
            for i, word in enumerate(way):
                if isinstance(at, list) and i == 1:
                    at = next((part for part in at if part.get("name") == word), {})
                else:
                    at = at.setdefault(word, {})
            at[last] = value
        return words

    def copy(self) -> "Model":
        other = Model.__new__(Model)
        other.__setstate__(self.__getstate__())
        other._file = self._file  # which nobody changes
        return other

    def with_force(self, name: str, body: str, function: Callable[..., Any], other: str = "ground") -> "Model":
        """A model with a force of your own, written in Python.

            def drag(t, ball):
                return -0.1 * np.linalg.norm(ball.velocity) * ball.velocity      # N, in space, at the centre of mass

            model.with_force("drag", "ball", drag)

        `function(t, body)` is told the time (s) and a BodyState and returns the force on the body at its centre of
        mass (N, in space), or a pair (force, torque), the torque about the centre of mass (N m, in space). With
        `other` it acts between two bodies: `function(t, other, body)` returns a pair, what acts on the other body and
        what acts on the body, each of them a force or a pair (force, torque).

        The energy that it brings or takes counts as work. It is called many times a step, each call some microseconds.
        Functions of a module can be pickled with the model, lambdas not.
        """
        changed = self.copy()
        changed._own = [*self._own, _OwnForce(name, other, body, function)]
        changed._file = None
        changed._read()
        return changed

    def with_efforts(self, efforts: "Run") -> "Model":
        """A model with the motors of polhode.inverse, their efforts smooth between its rows; it starts as the first row
        does."""
        changed = self.copy()
        changed._efforts = efforts
        changed._file = None
        changed._read()
        return changed

    # what it is ----------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        return self._read().name

    @property
    def text(self) -> str:
        """The text of the model file, without what was changed of it."""
        return self._text

    @property
    def overrides(self) -> list[str]:
        """What was changed of it, as `polhode run --set` takes it."""
        return list(self._overrides)

    @property
    def gravity(self) -> NDArray[np.float64]:
        """In space, m/s^2."""
        return self._read().gravity

    @property
    def bodies(self) -> dict[str, Body]:
        """The bodies by name, as they were read: masses and inertias of shapes computed, joints closed."""
        return {words["name"]: Body(**words) for words in self._read().bodies}

    @property
    def joints(self) -> list[str]:
        """The names of the joints."""
        return self._read().joints

    @property
    def forces(self) -> list[str]:
        """The names of the forces."""
        return self._read().forces

    @property
    def actuators(self) -> list[str]:
        """The names of the actuators."""
        return self._read().actuators

    @property
    def settings(self) -> dict[str, Any]:
        """How it is simulated where nobody says otherwise: integrator, step (s), tolerance, end (s), ..."""
        return self._read().settings({})

    @property
    def remarks(self) -> list[str]:
        """What was changed to close joints, and what of a URDF file is not simulated."""
        file = self._read()
        return [text for text in (file.assembled, *file.left_out) if text]

    def run(self, **how: Any) -> "Run":
        """Simulates it to its end and says what came of it; `how` is that of polhode.run."""
        from .run import run

        return run(self, **how)

    # inside --------------------------------------------------------------------------------------------------

    def _change(self, changes: Changes) -> None:
        before = self.__getstate__()
        try:
            if isinstance(changes, str):
                changes = [changes]
            if isinstance(changes, Mapping):
                for path, value in changes.items():
                    self._replace(path, value)
            else:
                for text in changes:
                    self._functions = {p: f for p, f in self._functions.items() if p != text.split("=", 1)[0].strip()}
                    self._overrides.append(text)
            self._file = None
            self._read()
        except BaseException:
            self.__setstate__(before)
            raise

    def _replace(self, path: str, value: Any) -> None:
        self._functions.pop(path, None)

        def place(signal: Signal) -> str:
            self._functions[path] = signal
            return signal.placeholder(path)

        text = f"{path}={value_text(value, place)}"
        self._overrides = [old for old in self._overrides if old.split("=", 1)[0] != path] + [text]

    def _read(self) -> _core.ModelFile:
        """The model as the library has it."""
        if self._file is None:
            file = _core.ModelFile.read(self._text, self._name, self._overrides)
            for path, signal in self._functions.items():
                kind, name, key = path.split(".", 2)
                _core.set_signal(file, kind, name, key, signal.value, signal.rate_at, signal.acceleration_at)
            for own in self._own:
                _core.add_force(file, own.name, own.first, own.second, own.function)
            if self._efforts is not None:
                _core.take_efforts(file, self._efforts._recording)
            self._file = file
        return self._file

    def __getstate__(self) -> dict[str, Any]:
        return {"text": self._text, "name": self._name, "overrides": list(self._overrides), "own": list(self._own),
                "functions": dict(self._functions), "efforts": self._efforts}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._text, self._name, self._overrides = state["text"], state["name"], list(state["overrides"])
        self._own, self._functions, self._file = list(state["own"]), dict(state["functions"]), None
        self._efforts = state["efforts"]

    def __repr__(self) -> str:
        file = self._read()
        count = len(file.bodies), len(file.joints), len(file.forces), len(file.actuators)
        parts = [f"{n} {word if n == 1 else many}" for n, word, many in
                 zip(count, ("body", "joint", "force", "actuator"), ("bodies", "joints", "forces", "actuators")) if n]
        return f"<polhode.Model {file.name!r}: {', '.join(parts)}>"


def load(name_or_path: Union[str, os.PathLike[str]], set: Changes = (), **settings: Any) -> Model:  # noqa: A002
    """A model by the path of its file, TOML or URDF, or by the name of an example (polhode.examples()).

        polhode.load("jansen-walker")
        polhode.load("robot.urdf", set={"body.arm.mass": 2}, integrator="director-em", step=1e-3, end=2)

    `set` replaces values of the file, as a dict by path or as texts "body.arm.mass=2"; `settings` are keys of its
    [simulation]
    table: integrator, step (s), tolerance, end (s), coordinates, formulation, ...
    """
    path = os.fspath(name_or_path)
    text = _core.examples().get(path)
    if text is None or os.path.exists(path):
        name = os.path.abspath(path) if os.path.exists(path) else path
        text = _core.ModelFile.load(name, []).text  # a URDF file becomes a model file that names it
    else:
        name = path + ".toml"
    model = Model(text, name=name, set=set)
    if settings:
        words = {"every": "output.every"}  # as polhode.run calls it
        given = {key: value for key, value in settings.items() if value is not None}
        model._change({f"simulation.{words.get(key, key)}": value for key, value in given.items()})
    return model


def examples() -> list[str]:
    """The names of the models inside polhode."""
    return list(_core.examples())
