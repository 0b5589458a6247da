"""Forces and signals written in Python."""

import math
import pickle

import numpy as np
import polhode
import pytest

BALL = {"model": {"gravity": [0, 0, -9.81]}, "body": {"ball": {"mass": 2, "inertia": [1, 1, 1]}}}


def drag(t, ball):
    return -0.5 * np.linalg.norm(ball.velocity) * ball.velocity


@pytest.mark.parametrize("integrator, accuracy", [("dop853", 1e-7), ("director-em", 1e-6)])
def test_a_ball_falls_through_a_fluid(integrator, accuracy):
    # v = sqrt(m g/c) tanh(t sqrt(g c/m))
    model = polhode.Model(BALL).with_force("drag", "ball", drag)
    assert model.forces == ["drag"]
    step = {"step": 1e-2} if integrator == "director-em" else {}
    ball = polhode.Simulation(model, integrator=integrator, **step)
    before = ball.energy
    ball.advance_to(1)
    speed = math.sqrt(2 * 9.81 / 0.5) * math.tanh(math.sqrt(9.81 * 0.5 / 2))
    assert ball.body("ball").velocity[2] == pytest.approx(-speed, abs=100 * accuracy)
    assert ball.energy - ball.work == pytest.approx(before, abs=100 * accuracy)
    assert ball.observe()["forces"]["drag"]["force"][2] == pytest.approx(0.5 * speed**2, abs=1e-2)
    again = pickle.loads(pickle.dumps(ball))  # with the force, a function of a module
    again.step(), ball.step()
    assert (again.body("ball").velocity == ball.body("ball").velocity).all()


def test_a_force_between_two_bodies_keeps_their_momentum():
    words = {"body": {name: {"mass": mass, "inertia": [1, 2, 3], "position": [x, 0, 0]}
                      for name, mass, x in (("a", 1, 0), ("b", 3, 1.5))}}

    def spring(t, a, b):
        between = b.point([0, 0.1, 0]) - a.position
        pull = 40 * between * (1 - 1 / np.linalg.norm(between))
        return pull, (-pull, np.cross(b.axes @ [0, 0.1, 0], -pull))

    pair = polhode.Simulation(polhode.Model(words).with_force("spring", "b", spring, other="a"), integrator="dop853",
                              tolerance=1e-10)
    pair.advance_to(1)
    assert np.abs(pair.momentum).max() < 1e-9 and np.linalg.norm(pair.body("a").velocity) > 0.1


def test_what_a_body_is_told_of_itself():
    seen = []

    def look(t, body):
        seen.append((body.position, body.velocity, body.angular_velocity, body.point_velocity([1, 0, 0]), body.axes))
        return np.zeros(3), [0, 0, 0]

    words = {"body": {"a": {"mass": 1, "inertia": [1, 2, 3], "velocity": [1, 2, 3],
                            "angular_velocity": {"space": [0, 0, 5]}}}}
    polhode.Simulation(polhode.Model(words).with_force("look", "a", look), integrator="dop853").step()
    np.testing.assert_allclose(seen[0][1], [1, 2, 3])
    np.testing.assert_allclose(seen[0][2], [0, 0, 5], atol=1e-14)
    np.testing.assert_allclose(seen[0][3], [1, 2, 3] + np.cross([0, 0, 5], seen[0][4][:, 0]), atol=1e-14)


def test_errors_in_a_force_reach_the_caller():
    def wrong(t, body):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        polhode.run(polhode.Model(BALL).with_force("wrong", "ball", wrong), end=0.1)
    with pytest.raises(polhode.InputError, match="force 'two': what its function returned is .*give three numbers"):
        polhode.run(polhode.Model(BALL).with_force("two", "ball", lambda t, body: [1, 2, 3, 4]), end=0.1)
    with pytest.raises(polhode.InputError, match="there is no body 'bal'; did you mean 'ball'"):
        polhode.Model(BALL).with_force("drag", "bal", drag)
    with pytest.raises(polhode.InputError, match="has the name of another force"):
        polhode.Model(BALL).with_force("drag", "ball", drag).with_force("drag", "ball", drag)


def test_a_force_must_not_step_its_own_simulation():
    held = []

    def meddle(t, body):
        for simulation in held:
            simulation.step()
        return [0, 0, 0]

    held.append(polhode.Simulation(polhode.Model(BALL).with_force("meddle", "ball", meddle), integrator="dop853"))
    with pytest.raises(RuntimeError, match="is at work"):
        held[0].step()


def test_a_load_follows_a_function():
    # from rest under sin t along x: m v = 1 - cos t
    words = {**BALL, "force": {"push": {"type": "load", "body": "ball", "force": [1, 0, 0], "scale": math.sin}}}
    constant = {"push": {**words["force"]["push"], "scale": 1}}
    for model in (polhode.Model(words), polhode.Model({**words, "force": constant})):
        model["force.push.scale"] = math.sin
        run = model.run(integrator="dop853", end=2)
        assert run["ball.velocity.x"][-1] == pytest.approx((1 - math.cos(2)) / 2, abs=1e-8)
    assert pickle.loads(pickle.dumps(model)).run(integrator="dop853", end=2).values[-1, 1] == run.values[-1, 1]
    model["force.push.scale"] = 2  # a number again
    assert model.run(integrator="dop853", end=1)["ball.velocity.x"][-1] == pytest.approx(1.0)


def test_a_joint_is_driven_by_a_function():
    words = {"model": {"gravity": [0, 0, -9.81]},
             "body": {"arm": {"mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [0.5, 0, 0]}},
             "joint": {"hinge": {"type": "revolute", "bodies": ["ground", "arm"], "point": [0, 0, 0], "axis": [0, 0, 1],
                                 "drive": {"angle": lambda t: 2 * t + 0.5 * math.sin(t)}}}}
    model = polhode.Model(words)
    for integrator, step in (("director-em", 1e-2), ("dop853", None)):
        arm = polhode.Simulation(model, integrator=integrator, step=step)
        arm.advance_to(1)
        assert arm.joint("hinge").angle == pytest.approx(2 + 0.5 * math.sin(1), abs=1e-6)
        assert arm.joint("hinge").rate() == pytest.approx(2 + 0.5 * math.cos(1), abs=1e-4)
    exact = model.set("joint.hinge.drive.angle",
                      polhode.Signal(lambda t: t * t, rate=lambda t: 2 * t, acceleration=lambda t: 2.0))
    arm = polhode.Simulation(exact, integrator="dop853")
    arm.advance_to(1)
    assert arm.joint("hinge").angle == pytest.approx(1, abs=1e-8)  # dop853 to a tolerance of 1e-9


def test_a_function_where_none_belongs_is_told():
    with pytest.raises(polhode.InputError):
        polhode.Model(BALL).set("body.ball.mass", lambda t: 1.0)


def test_derivatives_by_differences():
    signal = polhode.Signal(math.sin)
    assert signal.rate_at(0.3) == pytest.approx(math.cos(0.3), abs=1e-9)
    assert signal.acceleration_at(0.3) == pytest.approx(-math.sin(0.3), abs=1e-7)
