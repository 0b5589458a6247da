"""Models in motion."""

from __future__ import annotations

from typing import Any, Optional, Union

from . import _core
from .model import Model, load
from .live import LivePage


class Simulation(_core.Simulation):
    """A model in motion.

        walker = polhode.Simulation(polhode.load("jansen-walker"), step=1e-3)
        walker.advance_to(0.5)                       # s; or step(), as long as the integrator makes it
        walker.body("shaft").position                # also quaternion, velocity, angular_velocity, acceleration
        walker.joint("bearing").reaction             # also torque, angle, coordinate("displacement"), rate("angle")
        walker.energy, walker.work, walker.momentum, walker.angular_momentum
        walker.observe()                             # all of it

        walker.apply("shaft", torque=[0, 0, 5])      # until it is replaced, or clear_loads()
        hand = walker.grab("shaft")                  # a point of a body, or hand("motor") of the model
        hand.lead_to([0, 0, 0.1])                    # hand.pull is its force, hand.release() lets go
        walker.grab("shaft", turns=True)             # its orientation, by a torque: led to a turn away from the one it has now
        saved = walker.state()                       # restore(saved) goes on from there, bit by bit

    SI units and radians. Positions, velocities, forces and momenta are in space, along the fixed axes of the model;
    angular velocities are in the body's axes. Arrays that are returned are new ones, of three or four numbers.

    The interpreter's lock is released while it steps, so that other threads go on; a simulation itself belongs to one
    thread at a time. It can be pickled (loads and what grab() has taken are not part of that).

    Parameters
    ----------
    model : Model, or what polhode.load takes
    integrator : by name; `polhode list integrators` explains each
    step : s; the first one where the integrator chooses its steps
    tolerance : relative and absolute, of integrators that choose their steps
    largest_step : s
    coordinates : 'quaternion', 'director', 'euler313' or 'cardan'
    formulation : 'null-space', 'absolute', 'index-1', 'index-2', 'index-3' or 'ggl'
    projection : 'none', 'explicit' or 'polar'
    threads : how many share each step of director-em where the mechanism is large and branched; the same result with any
    end : s; steps end there exactly, and none go beyond. Without it there is no end, whatever the model says.

    What is not given is as the model says. Raises InputError for what does not fit, with the library's sentence;
    step() and advance_to() raise SimulationError where a step fails, and everything is as it was before then.
    """

    def __init__(self, model: Union[Model, str], *, integrator: Optional[str] = None, step: Optional[float] = None,
                 tolerance: Optional[float] = None, largest_step: Optional[float] = None,
                 coordinates: Optional[str] = None, formulation: Optional[str] = None,
                 projection: Optional[str] = None, threads: Optional[int] = None, end: Optional[float] = None):
        self._model = model.copy() if isinstance(model, Model) else load(model)
        self._how = dict(integrator=integrator, step=step, tolerance=tolerance, largest_step=largest_step,
                         coordinates=coordinates, formulation=formulation, projection=projection, threads=threads,
                         end=no_end if end is None else end)
        super().__init__(self._model._read(), self._how)

    @property
    def model(self) -> Model:
        """A copy of what it simulates, as it was at t = 0."""
        return self._model.copy()

    @property
    def settings(self) -> dict[str, Any]:
        """How it is simulated: integrator, step (s), tolerance, end (s), ..."""
        return self._model._read().settings(self._how)

    def live(self, *, address: str = "127.0.0.1", port: Optional[int] = None, playing: bool = True, out: str = "",
             every: float = 0.01, height: int = 600) -> LivePage:
        """Opens the page of `polhode live` from where the simulation is now; in a notebook it is shown there.

        The page has a copy that goes on in real time as people steer it, in the background, until stop() of what is
        returned, or until Python ends (a program lets people steer by live().open().wait()); this simulation stays
        where it is. `out`
        names a CSV or HDF5 file of everything that happens, with a row `every` so many seconds. Address 0.0.0.0 lets
        others watch and steer who are given the url.

        A mechanism with actuators, bushings, driven joints or springs on joints can only be shown from its beginning:
        such things remember how it stood there.
        """
        file = _core.present_model(self, self._model._read())
        return LivePage(_core.open_page(file, self._how, address, port, playing, out, every), height)

    def __reduce__(self) -> Any:
        return _restored, (self._model, self._how, self.state())

    def __repr__(self) -> str:
        return f"<polhode.Simulation of {self._model.name!r} by {self.settings['integrator']} at t = {self.time:g} s>"


#: An end (s) that is as good as none: eleven days.
no_end = 1e6


def _restored(model: Model, how: dict[str, Any], state: bytes) -> Simulation:
    simulation = Simulation(model, **how)
    simulation.restore(state)
    return simulation
