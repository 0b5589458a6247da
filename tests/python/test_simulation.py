"""A model in motion: steps, observation, loads, hands, states."""

import pickle
import threading

import numpy as np
import polhode
import pytest


@pytest.fixture
def chain():
    return polhode.Simulation("ball-chain")


def test_it_is_observed_as_in_cpp():
    # the program of the README
    walker = polhode.Simulation("jansen-walker")
    walker.advance_to(0.5)
    assert walker.time == 0.5
    assert walker.body("shaft").angular_velocity[2] == pytest.approx(-0.73745, abs=1e-5)
    assert walker.energy == pytest.approx(-20.5274, abs=1e-4)
    assert walker.joint("bearing").reaction.shape == (3,)
    assert walker.joint("bearing").angle == walker.joint("bearing").coordinate()
    everything = walker.observe()
    np.testing.assert_array_equal(everything["bodies"]["shaft"]["position"], walker.body("shaft").position)
    np.testing.assert_array_equal(everything["joints"]["bearing"]["force"], walker.joint("bearing").reaction)
    assert everything["energy"] == walker.energy


def test_sensors_are_observed_and_recorded():
    model = polhode.Model({
        "parameters": {"length": 2.0},
        "model": {"gravity": [0, 0, -9.81]},
        "body": {"rod": {"mass": 2, "inertia": [0.001, 0.7, 0.7], "position": ["length/2", 0, 0]}},
        "joint": {"pin": {"type": "revolute", "bodies": ["ground", "rod"], "point": [0, 0, 0], "axis": [0, 1, 0]}},
        "sensor": {
            "tip": {"type": "position", "body": "rod", "point": ["length", 0, 0]},
            "height": {"type": "formula", "formula": "z/length", "of": {"z": "sensor.tip.z"}},
        },
        "simulation": {"integrator": "director-em", "step": 0.01, "end": 0.5},
    })
    pendulum = polhode.Simulation(model)
    pendulum.advance_to(0.5)
    sensors = pendulum.observe()["sensors"]
    assert np.linalg.norm(sensors["tip"]) == pytest.approx(2.0, abs=1e-12)
    assert sensors["height"] == pytest.approx(sensors["tip"][2] / 2)
    assert model.run()["sensor.tip.z"][-1] == pytest.approx(sensors["tip"][2], abs=1e-12)


def test_a_step_is_a_step(chain):
    chain.step()
    assert chain.time == pytest.approx(0.001)
    chain.steps(9)
    assert chain.time == pytest.approx(0.01)
    chain.advance_to(0.02)
    before = chain.body("rod8").position
    chain.step()
    assert (before != chain.body("rod8").position).any()  # arrays are their own, not looks at what comes


def test_it_has_no_end_unless_it_is_given_one():
    pendulum = polhode.Simulation("simple-pendulum")
    pendulum.advance_to(pendulum.model.settings["end"] + 1)
    ended = polhode.Simulation("simple-pendulum", end=0.1)
    ended.advance_to(0.1)
    with pytest.raises(polhode.InputError, match="has reached its end at t = 0.1"):
        ended.step()


def test_names_that_are_not_there_are_told(chain):
    with pytest.raises(polhode.InputError, match="there is no body 'rod9'; did you mean 'rod"):
        chain.body("rod9")
    with pytest.raises(polhode.InputError, match="there is no joint 'bal1'; did you mean 'ball1'"):
        chain.joint("bal1")
    with pytest.raises(polhode.InputError, match="director-m"):
        polhode.Simulation("ball-chain", integrator="director-m")
    with pytest.raises(polhode.InputError, match="step is -1; give a positive number"):
        polhode.Simulation("ball-chain", step=-1)
    with pytest.raises(polhode.InputError, match="time goes forward"):
        chain.advance_to(1)
        chain.advance_to(0.5)


def test_loads_do_work(chain):
    before = chain.energy - chain.work
    chain.apply("rod8", force=[0, 5, 0], point=(0.5, 0, 0))
    chain.advance_to(0.2)
    assert chain.work != 0
    assert chain.energy - chain.work == pytest.approx(before, abs=1e-9)
    work = chain.work
    chain.clear_loads()
    chain.advance_to(0.3)
    assert chain.work == pytest.approx(work, abs=1e-12)
    with pytest.raises(polhode.InputError, match="force is .*give three numbers"):
        chain.apply("rod8", force=[0, 5])


def test_a_hand_leads_a_body():
    puck = polhode.Simulation(polhode.Model({"body": {"puck": {"mass": 1, "inertia": [1, 1, 1]}}}),
                              integrator="director-em", step=1e-3)
    hand = puck.grab("puck", largest_force=50)
    hand.lead_to([0.1, 0, 0])
    puck.advance_to(0.01)
    assert hand.pull[0] > 0
    puck.advance_to(2)
    np.testing.assert_allclose(puck.body("puck").position, [0.1, 0, 0], atol=1e-3)
    hand.release()
    puck.step()
    for use in (hand.release, lambda: hand.pull, lambda: hand.lead_to([0, 0, 0])):
        with pytest.raises(polhode.InputError, match="this hand has let go"):
            use()


def test_a_hand_turns_a_body():
    puck = polhode.Simulation(polhode.Model({"body": {"puck": {"mass": 1, "inertia": [1, 2, 3]}}}),
                              integrator="director-em", step=1e-3)
    hand = puck.grab("puck", largest_force=50, turns=True)
    hand.lead_to([0, 0, 0.5])
    puck.advance_to(0.01)
    assert hand.pull[2] > 0
    puck.advance_to(2)
    np.testing.assert_allclose(puck.body("puck").quaternion, [np.cos(0.25), 0, 0, np.sin(0.25)], atol=1e-3)
    np.testing.assert_allclose(puck.body("puck").position, 0, atol=1e-12)
    point = polhode.Simulation(polhode.Model({"body": {"bob": {"mass": 1, "inertia": [0, 0, 0]}}}),
                               integrator="director-em", step=1e-3)
    with pytest.raises(polhode.InputError, match="no moments of inertia"):
        point.grab("bob", turns=True)


def test_a_state_goes_on_bit_by_bit(chain):
    chain.advance_to(0.1)
    saved = chain.state()
    chain.advance_to(0.2)
    there = chain.body("rod8").position
    chain.restore(saved)
    assert chain.time == 0.1
    chain.advance_to(0.2)
    assert (chain.body("rod8").position == there).all()


def test_a_simulation_is_pickled_where_it_is(chain):
    chain.advance_to(0.1)
    again = pickle.loads(pickle.dumps(chain))
    assert again.settings == chain.settings
    for simulation in (chain, again):
        simulation.steps(100)
    assert (again.body("rod8").position == chain.body("rod8").position).all()


def test_other_threads_go_on_and_keep_away(chain):
    # while it steps another thread runs Python, and is told that the simulation is at work
    seen, said = threading.Event(), []

    def work():
        while not seen.is_set():
            chain.steps(2000)

    thread = threading.Thread(target=work)
    thread.start()
    while not said:
        try:
            chain.energy
        except RuntimeError as error:
            said.append(str(error))
    seen.set()
    thread.join()
    assert "is at work" in said[0]
    chain.energy


def test_a_step_that_fails_says_why():
    model = polhode.Model({"body": {"a": {"mass": 1, "inertia": [1, 1, 1]}},
                           "force": {"push": {"type": "load", "body": "a", "force": [1, 0, 0],
                                              "scale": {"formula": "1/(1 - t)"}}}})
    simulation = polhode.Simulation(model, integrator="dopri5", tolerance=1e-9)
    with pytest.raises(polhode.SimulationError) as error:
        simulation.advance_to(2)
    assert isinstance(error.value, RuntimeError)
    assert 0.9 < error.value.time < 1.1 and error.value.run is None


def test_the_help_is_a_manual_page():
    for text in (polhode.Simulation.__doc__, polhode.Simulation.advance_to.__doc__, polhode.Simulation.apply.__doc__,
                 polhode.Run.__doc__, polhode.Model.__doc__, polhode.load.__doc__):
        assert len(text) > 80
