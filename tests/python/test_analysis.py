"""Equilibrium and modes from Python."""

import math

import numpy as np
import polhode
import pytest


def test_a_four_bar_hangs_where_drake_says():
    # links of 4 m and 20 kg, ground 2 m: it leans by atan(sqrt 15) from the ground's line; a sketch, to be assembled
    points = {"A": (0, 0, 0), "B": (-1.5, 0, -3.7), "C": (2.5, 0, -3.9), "D": (2, 0, 0)}
    words = {"model": {"gravity": [0, 0, -9.8], "assemble": True}, "body": {}, "joint": {}}
    for name, first, second in (("a", "A", "B"), ("b", "B", "C"), ("c", "C", "D")):
        p, q = np.array(points[first]), np.array(points[second])
        words["body"][name] = {"mass": 20, "inertia": [0.1, 80 / 3, 80 / 3], "position": (p + q) / 2,
                               "orientation": {"axis": [0, 1, 0], "radians": math.atan2((p - q)[2], (q - p)[0])}}
    for name, first, second in (("A", "ground", "a"), ("B", "a", "b"), ("C", "b", "c"), ("D", "c", "ground")):
        ends = [[2, 0, 0] if first != "ground" else points[name], [-2, 0, 0] if second != "ground" else points[name]]
        words["joint"][name] = {"type": "revolute", "bodies": [first, second], "points": {"body": ends},
                                "axis": [0, 1, 0]}
    found = polhode.equilibrium(polhode.Model(words))
    assert found.stable and found.degrees_of_freedom == 1
    x, _, z = found.bodies["a"]["position"]
    assert math.atan2(-z, -x) == pytest.approx(math.atan(math.sqrt(15)), abs=1e-12)


def test_a_pendulum_swings_with_its_frequency():
    found = polhode.modes("simple-pendulum")
    assert found.frequencies == pytest.approx([math.sqrt(9.81) / (2 * math.pi)], rel=1e-10)
    assert found.stable and not found.asymptotically_stable and found.equilibrium.stable
    np.testing.assert_allclose(found.eigenvalues, [1j * math.sqrt(9.81), -1j * math.sqrt(9.81)], atol=1e-10)
    displacement, rotation = found.modes[0].shape["bob"]
    assert abs(displacement[0]) > 0 and displacement.shape == rotation.shape == (3,)
    about = found.equilibrium
    np.testing.assert_allclose(about.stiffness_matrix / about.mass_matrix, [[9.81]], rtol=1e-9)


def test_several_starts_and_none():
    assert len(polhode.equilibrium("simple-pendulum", starts=3)) == 1
    with pytest.raises(polhode.SimulationError):
        polhode.equilibrium(polhode.Model({"model": {"gravity": [0, 0, -1]},
                                           "body": {"a": {"mass": 1, "inertia": [1, 1, 1]}}}))


def test_a_model_starts_where_it_rests():
    rest = polhode.equilibrium("planar-double-pendulum")
    there = polhode.Simulation(rest.model, integrator="director-em", step=1e-2)
    np.testing.assert_allclose(there.body("rod2").position, [0, -1.5, 0], atol=1e-12)
    there.advance_to(1)
    np.testing.assert_allclose(there.body("rod2").position, [0, -1.5, 0], atol=1e-9)
    assert polhode.equilibrium(rest.model).at_start


def test_a_spinning_top_is_seen_as_it_moves():
    top = polhode.modes("heavy-top")
    assert top.about == "steady motion" and top.equilibrium is None and top.stable
    assert np.linalg.norm(top.frame_angular_velocity) > 0.1
    assert polhode.modes("simple-pendulum", at=0.3).about == "instant"


def test_matrices_push_a_pendulum():
    system = polhode.state_space("simple-pendulum", ["load:bob.force.x"], ["bob.position.x", "bob.acceleration.x"])
    np.testing.assert_allclose(np.linalg.eigvals(system.A), [1j * math.sqrt(9.81), -1j * math.sqrt(9.81)], atol=1e-9)
    mass = 1.0
    transfer = system.C @ np.linalg.solve(-system.A, system.B) + system.D  # a steady push
    assert transfer[0, 0] == pytest.approx(1 / (mass * 9.81), rel=1e-9)  # m g x / l = F, l = 1 m
    assert transfer[1, 0] == pytest.approx(0, abs=1e-9)
    assert system.D[1, 0] == pytest.approx(1 / mass, rel=1e-9)
    with pytest.raises(polhode.InputError, match="bob"):
        polhode.state_space("simple-pendulum", ["load:bop.force.x"])


def test_gradients_come_along_with_a_run():
    # a pendulum that is let go near the bottom: x = l a cos(t sqrt(g/l))
    small, end = 1e-4, 1.3
    model = polhode.Model({
        "parameters": {"length": 0.7},
        "model": {"gravity": [0, 0, -9.81]},
        "body": {"bob": {"mass": 1.0, "inertia": [1e-9, 1e-9, 1e-9],
                         "position": [f"length*{math.sin(small)!r}", 0, f"-length*{math.cos(small)!r}"]}},
        "joint": {"hinge": {"type": "revolute", "bodies": ["ground", "bob"], "point": [0, 0, 0], "axis": [0, 1, 0]}},
        "simulation": {"integrator": "director-em", "step": 1e-3, "end": end},
    })
    found = polhode.gradient(model, {"parameters.length": 0.7, "body.bob.mass": 1.0}, ["bob.position.x", "energy"])
    assert found.along_the_run and found.derivatives.shape == (2, 2)
    omega = math.sqrt(9.81 / 0.7)
    x, slope = 0.7 * small * math.cos(omega * end), 0.7 * small * end * math.sin(omega * end)
    assert found.values[0] == pytest.approx(x, abs=1e-3 * small)
    assert found.derivatives[0, 0] == pytest.approx(x / 0.7 + slope * omega / 1.4, abs=1e-3 * small)
    assert found.derivatives[0, 1] == pytest.approx(0, abs=1e-8 * small)  # the bob is no point, by so much
    assert found.derivatives[1, 1] == pytest.approx(-9.81 * 0.7 * math.cos(small), rel=1e-9)

    damped = model.set("simulation.integrator", "dop853")
    other = polhode.gradient(damped, {"parameters.length": 0.7}, ["bob.position.x"])
    assert not other.along_the_run
    assert other.derivatives[0, 0] == pytest.approx(found.derivatives[0, 0], abs=1e-3 * small)
    with pytest.raises(polhode.InputError, match="there is no measure 'bop.position.x'; did you mean"):
        polhode.gradient(model, {"body.bob.mass": 1.0}, ["bop.position.x"])
