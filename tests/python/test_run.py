"""Whole runs: figures, arrays without copies, files, pickles, Ctrl-C."""

import os
import pickle
import signal
import threading
import time

import matplotlib
import numpy as np
import polhode
import pytest

matplotlib.use("Agg")


@pytest.fixture(scope="module")
def top():
    return polhode.run("heavy-top", integrator="director-em", step=1e-3, every=0.01, end=0.5)


def address(array):
    return array.__array_interface__["data"][0]


def test_arrays_are_the_memory_of_the_recording(top):
    start, width = top._recording.address, 8 * len(top.columns)
    assert address(top.values) == start
    assert address(top.time) == start and top.time.strides == (width,)
    at = top.columns.index("top.position.z")
    assert address(top["top.position.z"]) == start + 8 * at
    assert address(top["top.position"]) == start + 8 * (at - 2) and top["top.position"].shape == (len(top), 3)
    assert top["top.quaternion"].shape == (len(top), 4)
    assert address(top.to_pandas()["energy"].to_numpy()) == start + 8 * top.columns.index("energy")
    with pytest.raises(ValueError):
        top.values[0, 0] = 1


def test_arrays_outlive_the_run():
    heights = polhode.run("heavy-top", end=0.1)["top.position.z"]
    np.testing.assert_allclose(heights, heights.copy())
    assert heights.base is not None and np.isfinite(heights).all()


def test_the_figures_are_those_of_the_command_line(top):
    assert top.energy_drift < 1e-12 and top.position_violation < 1e-12
    assert top.conserves_energy and top.conserved["angular momentum about z"] < 1e-12
    assert top.work["steps"] == 500 and top.final["time"] == 0.5
    assert top.failure == "" and not top.interrupted and not top.stopped_by_event
    np.testing.assert_array_equal(top.final["bodies"]["top"]["position"], top["top.position"][-1])
    assert "by director-em" in repr(top)


def test_an_integrator_that_nobody_chose_is_told_with_its_reason(top):
    assert top.integrator_reason == ""
    ball = polhode.Model({"body": {"ball": {"mass": 1, "inertia": [1, 1, 1]}}})
    assert polhode.run(ball, end=0.1).integrator_reason.startswith("no integrator is named; this one")
    assert polhode.run(ball, end=0.1, integrator="dopri5").integrator_reason == ""
    assert polhode.run(polhode.Simulation(ball, end=0.1)).integrator_reason.startswith("no integrator is named")
    assert polhode.run(polhode.Simulation(ball, end=0.1, integrator="dopri5")).integrator_reason == ""


def test_columns_that_are_not_there_are_told(top):
    with pytest.raises(KeyError, match="did you mean 'top.position.z'"):
        top["top.positio.z"]
    assert "top.position" in top and "energy" in top and "nothing" not in top


@pytest.mark.parametrize("name", ["top.csv", "top.h5"])
def test_a_run_is_saved_and_opened(top, tmp_path, name):
    top.save(tmp_path / name)
    again = polhode.open(tmp_path / name)
    assert again.columns == top.columns
    np.testing.assert_array_equal(again.values, top.values)
    assert again.energy_drift is None
    if name.endswith(".h5"):
        assert again.model.name == top.model.name and again.attributes["integrator"] == "director-em"
        assert again.show().html.startswith("<!doctype html>")


def test_rows_go_to_a_file_as_they_happen(tmp_path):
    out = str(tmp_path / "top.h5")
    run = polhode.run("heavy-top", end=0.1, every=0.01, out=out, record=False)
    assert len(run) == 0
    assert len(polhode.open(out)) == 11
    with pytest.raises(polhode.InputError, match="end its name with .csv or .h5"):
        polhode.run("heavy-top", out=str(tmp_path / "top.txt"))


def test_a_simulation_is_run_from_where_it_is():
    simulation = polhode.Simulation("ball-chain", end=0.2)
    simulation.advance_to(0.1)
    run = polhode.run(simulation, every=0.05)
    np.testing.assert_allclose(run.time, [0.1, 0.15, 0.2], atol=1e-12)
    assert simulation.time == pytest.approx(0.2)
    with pytest.raises(polhode.InputError, match="has no end"):
        polhode.run(polhode.Simulation("ball-chain"))
    with pytest.raises(polhode.InputError, match="has its integrator already"):
        polhode.run(simulation, integrator="dop853")


def test_an_event_ends_a_run():
    run = polhode.Model({"model": {"gravity": [0, 0, -9.81]},
                         "body": {"ball": {"mass": 1, "inertia": [1, 1, 1], "position": [0, 0, 1]}}}
                        ).run(integrator="dop853", end=2, stop_when="ball.position.z=0")
    assert run.stopped_by_event and run.time[-1] == pytest.approx(np.sqrt(2 / 9.81))


def test_a_run_that_fails_keeps_what_it_has():
    model = polhode.Model({"body": {"a": {"mass": 1, "inertia": [1, 1, 1]}},
                           "force": {"push": {"type": "load", "body": "a", "force": [1, 0, 0],
                                              "scale": {"formula": "1/(1 - t)"}}}})
    with pytest.raises(polhode.SimulationError) as error:
        model.run(integrator="dopri5", tolerance=1e-9, end=2)
    assert error.value.run.failure == str(error.value)
    assert len(error.value.run) > 1 and error.value.time == error.value.run.time[-1]


def press_when(ready):
    """Presses Ctrl-C as soon as that is so."""
    def watch():
        while not ready():
            time.sleep(0.01)
        signal.raise_signal(signal.SIGINT)

    threading.Thread(target=watch).start()


def test_ctrl_c_ends_a_run_in_order(tmp_path):
    # a hundred thousand seconds of it would take many minutes; its file is there when it is on its way
    out = str(tmp_path / "chain.h5")
    press_when(lambda: os.path.exists(out))
    with pytest.raises(KeyboardInterrupt) as error:
        polhode.run("ball-chain", end=1e5, every=0.1, out=out)
    run = error.value.run
    assert isinstance(error.value, polhode.Interrupted) and run.interrupted
    assert 0 < run.time[-1] < 1e5 and len(polhode.open(out)) == len(run)


def test_ctrl_c_ends_an_advance():
    chain = polhode.Simulation("ball-chain")

    def is_at_work():
        try:
            return chain.time < 0
        except RuntimeError:
            return True

    press_when(is_at_work)
    with pytest.raises(KeyboardInterrupt):
        chain.advance_to(1e5)
    chain.step()  # it is whole


def test_a_run_is_pickled(top):
    again = pickle.loads(pickle.dumps(top))
    np.testing.assert_array_equal(again.values, top.values)
    assert again.energy_drift == top.energy_drift and again.model.name == top.model.name


def test_it_is_plotted(top):
    axes = top.plot("top.position", "energy")
    assert [line.get_label() for line in axes.lines] == ["top.position.x", "top.position.y", "top.position.z", "energy"]
    np.testing.assert_array_equal(axes.lines[2].get_ydata(), top["top.position.z"])
    assert len(top.plot().lines) == 1
    assert list(top.to_pandas().columns) == top.columns[1:]
