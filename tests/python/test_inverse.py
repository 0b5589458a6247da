"""Inverse dynamics from Python: efforts of a motion, and the motion of these efforts."""

import math

import numpy as np
import polhode
import pytest

ARM = polhode.Model({
    "model": {"gravity": [0, 0, -9.81]},
    "body": {"arm": {"mass": 2, "inertia": [0.1, 0.2, 0.3], "position": [0.5, 0, 0]}},
    "joint": {"hinge": {"type": "revolute", "bodies": ["ground", "arm"], "point": [0, 0, 0], "axis": [0, 1, 0]}},
})


@pytest.mark.parametrize("angle", ["0.3*sin(2*t)",
                                   polhode.Signal(lambda t: 0.3 * math.sin(2 * t), lambda t: 0.6 * math.cos(2 * t),
                                                  lambda t: -1.2 * math.sin(2 * t))])
def test_an_arm_is_led(angle):
    # J q'' - m g l cos q about y, which turns x to -z
    efforts = polhode.inverse(ARM, {"joint.hinge.angle": angle}, end=1, every=0.02)
    t = efforts.time
    q, a = 0.3 * np.sin(2 * t), -1.2 * np.sin(2 * t)
    np.testing.assert_allclose(efforts["joint.hinge.angle.effort"], 0.7 * a - 2 * 9.81 * 0.5 * np.cos(q), atol=1e-11)
    assert float(efforts.attributes["max_missing"]) < 1e-12
    run = ARM.with_efforts(efforts).run(integrator="dop853", tolerance=1e-11, end=1)
    assert run["joint.hinge.angle"][-1] == pytest.approx(0.3 * math.sin(2), abs=1e-6)


def test_efforts_of_a_run():
    run = ARM.run(integrator="dop853", tolerance=1e-12, end=0.5, every=0.05)
    efforts = polhode.inverse(ARM, run, motors=["joint.hinge"])
    assert np.abs(efforts["joint.hinge.angle.effort"]).max() < 1e-8  # it falls by itself


def test_what_is_wrong_is_told():
    with pytest.raises(polhode.InputError, match="hing"):
        polhode.inverse(ARM, {"joint.hing.angle": "t"}, end=1)
    with pytest.raises(polhode.InputError):
        polhode.inverse(ARM, end=1)
