"""Many members of one model from Python."""

import numpy as np
import polhode
import pytest


def test_members_move_as_simulations_do():
    masses = np.linspace(0.5, 2, 11)
    tops = polhode.Ensemble("spatial-double-pendulum", size=11, step=2e-3)
    name = list(polhode.load("spatial-double-pendulum").to_dict()["body"])[-1]["name"]
    tops.set(f"body.{name}.mass", masses)
    assert tops.in_lanes and len(tops) == 11
    tops.apply(name, forces=np.tile([0.0, 0.3, 0.0], (11, 1)), torques=np.tile([0.0, 0.0, 0.05], (11, 1)))
    tops.step(200)
    assert tops.steps == 200
    places = tops.observe(f"{name}.position")
    assert places.shape == (11, 3) and tops.observe("energy").shape == (11,)
    for i in (0, 7, 10):
        model = polhode.load("spatial-double-pendulum").set(f"body.{name}.mass", float(masses[i]))
        alone = polhode.Simulation(model, integrator="director-em", step=2e-3, end=1)
        alone.apply(name, force=[0, 0.3, 0], torque=[0, 0, 0.05])
        alone.advance_to(0.4)
        assert places[i] == pytest.approx(alone.body(name).position, abs=1e-11)
    assert tops.failures == {}


def test_threads_change_no_bit_and_members_begin_anew():
    def after(threads):
        chains = polhode.Ensemble("ball-chain", size=20, step=1e-3, threads=threads)
        chains.step(50)
        return chains

    one, three = after(1), after(3)
    assert (one.observe("energy") == three.observe("energy")).all()
    begin = polhode.Ensemble("ball-chain", size=20, step=1e-3).observe("kinetic_energy")
    moving = one.observe("kinetic_energy")
    one.reset(np.arange(20) % 2 == 0)
    now = one.observe("kinetic_energy")
    assert (now[::2] == begin[::2]).all() and (now[1::2] == moving[1::2]).all()
    one.step(50)
    assert one.observe("kinetic_energy")[::2] == pytest.approx(moving[::2], rel=1e-9)


def test_vectors_are_set_by_rows():
    gravity = np.array([[0.0, 0.0, -9.81], [0.0, 1.5, -5.0], [2.0, 0.0, 9.0]])
    spin = np.array([[0.0, 0.0, 2.0], [0.0, 1.0, 0.5], [0.3, 0.2, 0.1]])
    chains = polhode.Ensemble("ball-chain", size=3, step=1e-3)
    chains.set({"model.gravity": gravity, "body.rod8.angular_velocity.space": spin})
    assert chains.observe("rod8.angular_velocity") == pytest.approx(spin, abs=1e-12)
    chains.step(100)
    for i in range(3):
        model = polhode.load("ball-chain").set("model.gravity", gravity[i].tolist())
        model = model.set("body.rod8.angular_velocity.space", spin[i].tolist())
        alone = polhode.Simulation(model, integrator="director-em", step=1e-3, end=1)
        alone.advance_to(0.1)
        assert chains.observe("rod8.position")[i] == pytest.approx(alone.body("rod8").position, abs=1e-10)


def test_arrays_are_taken_by_others_without_a_copy():
    chains = polhode.Ensemble("ball-chain", size=4, step=1e-3)
    for quantity, shape in (("rod8.position", (4, 3)), ("energy", (4,))):
        seen = chains.observe(quantity)
        taken = np.from_dlpack(seen)
        assert taken.shape == shape and np.shares_memory(seen, taken)
        seen[0] = 7.0
        assert (taken[0] == 7.0).all()


def test_torch_takes_arrays_and_gives_them():
    torch = pytest.importorskip("torch")
    chains = polhode.Ensemble("ball-chain", size=4, step=1e-3)
    places = chains.observe("rod8.position")
    taken = torch.from_dlpack(places)
    assert taken.shape == (4, 3) and taken.data_ptr() == places.ctypes.data
    chains.apply("rod8", forces=torch.ones((4, 3), dtype=torch.float64))
    chains.step(5)
    chains.reset(torch.tensor([True, False, True, False]))
    now = chains.observe("rod8.position")
    assert (now[::2] == places[::2]).all() and (now[1::2] != places[1::2]).all()


def test_what_does_not_fit_the_lanes_goes_one_by_one():
    bars = polhode.Ensemble("bennett", size=3, step=1e-2)
    assert not bars.in_lanes
    energy = bars.observe("energy")
    bars.step(20)
    assert bars.observe("energy") == pytest.approx(energy, rel=1e-12)


def test_sentences():
    tops = polhode.Ensemble("heavy-top", size=4, step=1e-3)
    with pytest.raises(polhode.InputError, match="did you mean 'top.position'"):
        tops.observe("top.positon")
    with pytest.raises(polhode.InputError, match="there is no body 'tob'"):
        tops.apply("tob")
    with pytest.raises(polhode.InputError, match=r"shape \(4, 3\)"):
        tops.apply("top", forces=np.zeros((3, 3)))
    with pytest.raises(polhode.InputError, match="there is no member 4"):
        tops.reset([4])
    with pytest.raises(polhode.InputError, match="one for each of the 4 members"):
        tops.set("body.top.density", [1.0, 2.0])
    with pytest.raises(polhode.InputError, match=r"shape \(3, 3\); give one for each of the 4 members, or a row"):
        tops.set("body.top.position", np.zeros((3, 3)))
    with pytest.raises(polhode.InputError, match="member 2: .*density"):
        tops.set("body.top.density", [1.0, 2.0, -1.0, 3.0]).step()
    for members in ([-1], np.array([2, 7])):
        with pytest.raises(polhode.InputError, match=f"there is no member {members[-1]}"):
            polhode.Ensemble("heavy-top", size=4, step=1e-3).reset(members)
    with pytest.raises(polhode.InputError, match="one bool for each of the 4 members"):
        polhode.Ensemble("heavy-top", size=4, step=1e-3).reset(np.array([True, False]))
    with pytest.raises(polhode.InputError, match="numbers, which are whole"):
        polhode.Ensemble("heavy-top", size=4, step=1e-3).reset([0.5])
    for count in (-5, 2.5, "two"):
        with pytest.raises(polhode.InputError, match=f"count is {count!r}; give a whole number, 0 at least"):
            polhode.Ensemble("heavy-top", size=4, step=1e-3).step(count)
    for size in (0, -1, 2.5, "two"):
        with pytest.raises(polhode.InputError, match=f"size is {size!r}; give a whole number, 1 at least"):
            polhode.Ensemble("heavy-top", size=size)
    with pytest.raises(polhode.InputError, match="threads is 0; give"):
        polhode.Ensemble("heavy-top", size=4, threads=0)
    with pytest.raises(polhode.InputError, match="no device 'tpu'; take"):
        polhode.Ensemble("heavy-top", size=4, device="tpu")


def test_without_a_gpu_that_is_said():
    tops = polhode.Ensemble("heavy-top", size=4, step=1e-3, device="gpu")
    try:
        tops.step()
    except polhode.InputError as error:
        assert "no GPU moves this ensemble: this" in str(error)
    else:
        assert tops.steps == 1 and tops.observe("top.position").shape == (4, 3)
