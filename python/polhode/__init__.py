"""polhode simulates mechanisms of rigid bodies, without singularities and without drift.

    import polhode

    model = polhode.load("heavy-top")                       # an example, a TOML or a URDF file; or polhode.Model({...})
    run = model.run(integrator="director-em", step=1e-3)    # a whole run: its motion, and what was conserved
    run.plot("top.position")

    top = polhode.Simulation(model)                         # step by step, pulled and steered
    top.advance_to(0.5)
    top.body("top").position

    polhode.equilibrium(model), polhode.modes(model)        # where it rests, and how it vibrates there
    polhode.inverse(model, {...})                           # what motors must do for a motion

    help(polhode.Model), help(polhode.Simulation), help(polhode.Run)

SI units, radians, right-handed frames. "In space" means components along the fixed axes of the model. Quaternions are
(w, x, y, z) and turn the body's axes into space.
"""

from ._core import BodyState, InputError, SimulationError, __version__
from .analysis import Equilibrium, Gradient, Mode, Modes, StateSpace, equilibrium, gradient, modes, state_space
from .ensemble import Ensemble
from .inverse_dynamics import inverse
from .live import LivePage, Player
from .model import Body, Model, examples, load
from .run import Interrupted, Run, run
from .run import open_run as open  # noqa: A004
from .signal import Signal
from .simulation import Simulation, no_end

__all__ = [
    "Body", "BodyState", "Ensemble", "Equilibrium", "Gradient", "InputError", "Interrupted", "LivePage", "Mode", "Model",
    "Modes", "Player", "Run", "Signal", "Simulation", "SimulationError", "StateSpace", "__version__", "equilibrium",
    "examples", "gradient", "inverse", "load", "modes", "no_end", "open", "run", "state_space",
]
