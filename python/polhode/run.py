"""Whole runs, and files of them."""

from __future__ import annotations

import os
from typing import Any, Iterator, Mapping, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from .live import Player, player_page
from .model import Model, load
from .simulation import Simulation, no_end

_components = ("wxyz", "xyz")  # of a quaternion, of a vector


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a run in order; `run` is the Run as far as it came."""

    run: "Run"


class Run:
    """What came of a run: a table of numbers over time, and the figures by which a run is judged.

        run = polhode.run("heavy-top", integrator="dop853", tolerance=1e-10)
        run["top.position.z"]        # a column, over run.time
        run["top.position"]          # n x 3
        run.values, run.columns      # everything
        run.plot("energy"), run.to_pandas(), run.show()
        run.save("top.h5");  again = polhode.open("top.h5")

    Columns are named as in docs/outputs.md, in SI units: NAME.position (m, in space), NAME.quaternion (w, x, y, z),
    NAME.velocity (m/s, in space), NAME.angular_velocity (rad/s, in the body's axes), joint.NAME.force (N, on the
    second body, in space), energy (J), linear_momentum and angular_momentum (about the origin, in space),
    constraint.position (the largest gap of a joint), ... Arrays are views of the memory of the recording, which
    nobody may write; nothing is copied.

    A run that was read from a file has no figures of its own (they are None), but its model where the file carries it.
    """

    def __init__(self, recording: Any, attributes: Mapping[str, str], figures: Mapping[str, Any] = {},
                 model: Optional[Model] = None):
        self._recording = recording
        self._figures = dict(figures)
        self._model = model
        #: Words about the run: model, integrator, step, tolerance, model_file, ...
        self.attributes: dict[str, str] = dict(attributes)
        #: The names of the columns; the first is "time".
        self.columns: list[str] = recording.columns
        #: All numbers, a row for each time of output; a view.
        self.values: NDArray[np.float64] = recording.values
        self._index = {name: i for i, name in enumerate(self.columns)}

    # numbers over time ---------------------------------------------------------------------------------------

    @property
    def time(self) -> NDArray[np.float64]:
        """s"""
        return self["time"]

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        """A column by name, or the columns of a vector (NAME.position: n x 3) side by side; a view."""
        if name in self._index:
            return self.values[:, self._index[name]]
        for letters in _components:
            at = [self._index.get(f"{name}.{letter}", -1) for letter in letters]
            if at[0] >= 0 and at == list(range(at[0], at[0] + len(at))):
                return self.values[:, at[0]:at[0] + len(at)]
        raise KeyError(f"the run has no column {name!r}; {self._nearest(name)}")

    def __contains__(self, name: str) -> bool:
        return name in self._index or f"{name}.x" in self._index

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    # figures -------------------------------------------------------------------------------------------------

    @property
    def model(self) -> Optional[Model]:
        """What was simulated; of a file what it carries, functions and forces in Python left out."""
        if self._model is None and self.attributes.get("model_file"):
            changes = self.attributes.get("overrides", "")
            self._model = Model(self.attributes["model_file"], name=self.attributes.get("model", "run"),
                                set=changes.splitlines())
        return self._model

    @property
    def initial(self) -> Optional[dict[str, Any]]:
        """All that can be said of the beginning, in the words of `polhode run --json` (see Simulation.observe)."""
        return self._figures.get("initial")

    @property
    def final(self) -> Optional[dict[str, Any]]:
        """The same of the end: run.final["bodies"]["top"]["position"]."""
        return self._figures.get("final")

    @property
    def integrator_reason(self) -> Optional[str]:
        """Why this integrator, where nobody chose one; otherwise empty."""
        return self._figures.get("integrator_reason")

    @property
    def energy_drift(self) -> Optional[float]:
        """The largest one on the way, relative to the largest part of the energy."""
        return self._figures.get("energy_drift")

    @property
    def balance_error(self) -> Optional[float]:
        """The same of the energy less the work of loads and dampers."""
        return self._figures.get("balance_error")

    @property
    def linear_momentum_drift(self) -> Optional[NDArray[np.float64]]:
        """The largest one by component, relative to the largest momentum."""
        return self._figures.get("linear_momentum_drift")

    @property
    def angular_momentum_drift(self) -> Optional[NDArray[np.float64]]:
        """The largest one by component, relative to the largest angular momentum about the origin."""
        return self._figures.get("angular_momentum_drift")

    @property
    def conserved(self) -> Optional[dict[str, float]]:
        """Momenta that the model ought to conserve, by name, and their largest drift; see conserves_energy too."""
        return self._figures.get("conserved")

    @property
    def conserves_energy(self) -> Optional[bool]:
        """Whether the model ought to."""
        return self._figures.get("conserves_energy")

    @property
    def position_violation(self) -> Optional[float]:
        """The largest gap of a joint, m or rad."""
        return self._figures.get("position_violation")

    @property
    def velocity_violation(self) -> Optional[float]:
        """The largest speed at which a joint opened, m/s or rad/s."""
        return self._figures.get("velocity_violation")

    @property
    def work(self) -> Optional[dict[str, int]]:
        """What it has cost: steps, rejected, rhs_evaluations, jacobians, newton_iterations."""
        return self._figures.get("work")

    @property
    def wall_seconds(self) -> Optional[float]:
        """The time that it took, s."""
        return self._figures.get("wall_seconds")

    @property
    def warning(self) -> Optional[str]:
        """What a user of this integrator should know about this run; empty if nothing."""
        return self._figures.get("warning")

    @property
    def failure(self) -> Optional[str]:
        """Why it ended early (SimulationError.run has such runs); empty if it did not."""
        return self._figures.get("failure")

    @property
    def stopped_by_event(self) -> Optional[bool]:
        """Whether `stop_when` ended it."""
        return self._figures.get("stopped_by_event")

    @property
    def interrupted(self) -> Optional[bool]:
        """Whether Ctrl-C ended it (Interrupted.run has such runs)."""
        return self._figures.get("interrupted")

    # what to do with it --------------------------------------------------------------------------------------

    def plot(self, *names: str, ax: Any = None, **style: Any) -> Any:
        """Columns over time, by matplotlib; without names the drift of the energy. Returns the axes."""
        import matplotlib.pyplot as plt

        if ax is None:
            ax = plt.subplots()[1]
        if not names:
            energy = self["energy"]
            ax.plot(self.time, energy - energy[0], **{"label": "energy - initial energy", **style})
            ax.set_ylabel("J")
        for name in names:
            values = self[name]
            labels = [name] if values.ndim == 1 else [f"{name}.{letter}" for letter in _components[4 - values.shape[1]]]
            for i, label in enumerate(labels):
                ax.plot(self.time, values if values.ndim == 1 else values[:, i], **{"label": label, **style})
        ax.set_xlabel("time (s)")
        ax.legend()
        return ax

    def to_pandas(self) -> Any:
        """A DataFrame with the time as its index; its numbers are those of the run, not copied."""
        import pandas

        time = pandas.Index(self.time, name="time")
        return pandas.DataFrame(self.values[:, 1:], index=time, columns=self.columns[1:], copy=False)

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes it as CSV or HDF5, by the ending of the path (docs/recordings.md). HDF5 carries the model."""
        _core.write_recording(os.fspath(path), self._recording, self.attributes)

    def show(self, height: int = 500, most_bytes: int = 8_000_000) -> Player:
        """The motion in three dimensions, to be played, turned and looked at; in a notebook below the cell."""
        model = self.model
        name = self.attributes.get("model", "run")
        return Player(player_page(name, self._recording, None if model is None else model._read(), most_bytes), height)

    def __reduce__(self) -> Any:
        return _unpickled, (self.columns, np.array(self.values), self.attributes, self._figures, self._model)

    def __repr__(self) -> str:
        words = [f"{self.attributes.get('model', 'run')!r}"]
        if self.attributes.get("integrator"):
            words.append(f"by {self.attributes['integrator']}")
        if len(self):
            words.append(f"to t = {self.time[-1]:g} s, {len(self)} rows of {len(self.columns)} columns")
        if self.energy_drift is not None:
            words.append(f"energy drift {self.energy_drift:.1e}, gaps {self.position_violation:.1e}")
        return f"<polhode.Run of {', '.join([' '.join(words[:2]), *words[2:]])}>"

    def _nearest(self, name: str) -> str:
        import difflib

        near = difflib.get_close_matches(name, self.columns, 1)
        return f"did you mean {near[0]!r}?" if near else "run.columns lists them"


def run(what: Union[Model, Simulation, str], *, integrator: Optional[str] = None, step: Optional[float] = None,
        tolerance: Optional[float] = None, largest_step: Optional[float] = None, coordinates: Optional[str] = None,
        formulation: Optional[str] = None, projection: Optional[str] = None, threads: Optional[int] = None,
        end: Optional[float] = None, every: Optional[float] = None, stop_when: Optional[str] = None,
        out: Union[str, os.PathLike[str]] = "", record: bool = True) -> Run:
    """Simulates a model to its end, watches what ought to be conserved, and says what came of it.

    `what` is a Model, what polhode.load takes, or a Simulation with an end, which goes on from where it is with the
    settings that it has (then only every, stop_when, out and record can be given). `every`: seconds between two rows,
    every step if neither this nor the model says so. `stop_when`: "top.position.z=0" ends it where a quantity reaches
    a value. `out`: a CSV or HDF5 file that rows go to as they happen. `record=False` keeps no rows in memory. The
    other settings are those of Simulation.

    The interpreter's lock is released meanwhile. Raises InputError for what does not fit; SimulationError where a
    step fails, and Interrupted (a KeyboardInterrupt) on Ctrl-C, both with the run as far as it came in their
    attribute `run`.
    """
    how = dict(integrator=integrator, step=step, tolerance=tolerance, largest_step=largest_step,
               coordinates=coordinates, formulation=formulation, projection=projection, threads=threads, end=end,
               every=every, stop_when=stop_when)
    if isinstance(what, Simulation):
        fixed = [key for key, value in how.items() if value is not None and key not in ("every", "stop_when")]
        if fixed:
            raise _core.InputError(f"a simulation has its {fixed[0]} already; give it to Simulation(...)")
        if what._how["end"] == no_end:
            raise _core.InputError("the simulation has no end; give one: Simulation(model, end=...)")
        model = what._model
        parts = _core.run_simulation(what, model._read(), {**how, "integrator": what._how["integrator"]},
                                     os.fspath(out), record)
    else:
        model = what.copy() if isinstance(what, Model) else load(what)
        parts = _core.run_model(model._read(), how, os.fspath(out), record)
    recording, figures, attributes = parts
    result = Run(recording, attributes, figures, model)
    if figures["failure"]:
        failed = _core.SimulationError(figures["failure"])
        failed.time, failed.run = figures["final"]["time"], result
        raise failed
    if figures["interrupted"]:
        interrupted = Interrupted(f"the run was interrupted at t = {figures['final']['time']:g} s")
        interrupted.run = result
        raise interrupted
    return result


def open_run(path: Union[str, os.PathLike[str]]) -> Run:
    """A run from a file that Run.save, `polhode run --out` or the live page wrote, CSV or HDF5."""
    recording, attributes = _core.read_recording(os.fspath(path))
    return Run(recording, attributes)


def _unpickled(columns: list[str], values: Any, attributes: Any, figures: Any, model: Optional[Model]) -> Run:
    return Run(_core.Recording(columns, values), attributes, figures, model)
