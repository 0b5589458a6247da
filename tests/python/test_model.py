"""Models: files, examples, dicts; the same sentences as from C++; copies, changes and pickles."""

import pathlib
import pickle
import tomllib

import numpy as np
import polhode
import pytest

PENDULUM = {
    "model": {"name": "pendulum", "gravity": [0, 0, -9.81]},
    "body": {"rod": {"mass": 2, "inertia": [0.001, 0.17, 0.17], "position": np.array([0.5, 0, 0])}},
    "joint": {"hinge": {"type": "revolute", "bodies": ["ground", "rod"], "point": [0, 0, 0], "axis": (0, 1, 0)}},
    "simulation": {"integrator": "director-em", "step": 0.01, "end": 0.5},
}


def test_an_example_is_what_it_is_on_the_command_line():
    model = polhode.load("heavy-top")
    assert model.name == "Heavy top on a ball joint"
    assert list(model.bodies) == ["top"]
    assert model.joints == ["tip"]
    assert "jansen-walker" in polhode.examples()
    assert repr(model) == "<polhode.Model 'Heavy top on a ball joint': 1 body, 1 joint>"


def test_a_dict_and_its_text_are_the_same_model():
    model = polhode.Model(PENDULUM)
    as_list = polhode.Model({**PENDULUM, "body": [{"name": "rod", **PENDULUM["body"]["rod"]}]})
    as_text = polhode.Model(model.text)
    ends = [m.run().final["bodies"]["rod"]["position"] for m in (model, as_list, as_text)]
    assert (ends[0] == ends[1]).all() and (ends[0] == ends[2]).all()
    assert model.settings["integrator"] == "director-em"
    np.testing.assert_array_equal(model.bodies["rod"].inertia, np.diag([0.001, 0.17, 0.17]))


def test_texts_of_all_kinds_survive():
    name = 'rod "2" \\ \u00e9\u4e2d'
    body = {"name": name, "mass": 1e-300, "inertia": np.eye(3)}
    model = polhode.Model({"body": [body], "model": {"name": "a = b\tc"}})
    assert list(model.bodies) == [name]
    assert model.bodies[name].mass == 1e-300
    assert model.name == "a = b\tc"


@pytest.mark.parametrize("words, sentence", [
    ({"body": {"a": {"mas": 2}}}, "body 'a' has an unknown key 'mas'; did you mean 'mass'?"),
    ({"body": {"a": {"mass": 2}}}, "body 'a'"),
    ({"model": {"gravity": [0, 1]}}, "gravity"),
])
def test_errors_have_the_sentences_of_the_library(words, sentence):
    with pytest.raises(polhode.InputError) as error:
        polhode.Model(words, name="mine")
    assert str(error.value).startswith("mine:") and sentence in str(error.value)
    assert isinstance(error.value, ValueError)


def test_what_no_file_can_hold_is_told():
    with pytest.raises(TypeError, match="nothing that a model file can hold"):
        polhode.Model({"body": {"a": {"mass": object()}}})


def test_an_unknown_file_is_told():
    with pytest.raises(polhode.InputError, match="no-such.toml"):
        polhode.load("no-such.toml")


def test_values_are_read_and_replaced_by_path():
    model = polhode.load("ball-chain")
    other = model.set("body.rod1.mass", 3)
    assert model["body.rod1.mass"] != 3 and other["body.rod1.mass"] == 3
    assert other.bodies["rod1"].mass == 3
    model["body.rod1.mass"] = 4
    model["simulation.output.every"] = 0.5
    assert model["body.rod1.mass"] == 4 and model.settings["every"] == 0.5
    assert model.overrides == ["body.rod1.mass=4", "simulation.output.every=0.5"]
    with pytest.raises(polhode.InputError, match="there is no body 'rood1'; did you mean 'rod1'"):
        model["body.rood1.mass"] = 1
    with pytest.raises(polhode.InputError):
        model["body.rod1.mass"] = -1
    assert model.bodies["rod1"].mass == 4  # as before
    with pytest.raises(KeyError, match="nothing is written at 'body.rod1.colour'"):
        model["body.rod1.colour"]
    loaded = polhode.load("ball-chain", set=["body.rod1.mass=2"], integrator="dop853", end=0.25, every=0.05)
    assert loaded.bodies["rod1"].mass == 2 and loaded.settings["end"] == 0.25 and loaded.settings["every"] == 0.05
    assert polhode.load("ball-chain", set={"body.rod1.mass": 2}).bodies["rod1"].mass == 2


def test_a_file_finds_the_files_that_it_names(tmp_path, monkeypatch):
    (tmp_path / "arm.urdf").write_text(
        '<robot name="arm"><link name="base"/><link name="arm"><inertial><origin xyz="0 0 0.5"/><mass value="2"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        '<joint name="hinge" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>'
        "</joint></robot>")
    monkeypatch.chdir(tmp_path)
    model = polhode.load("arm.urdf", set={"body.arm.mass": 3})
    monkeypatch.chdir("/")
    assert model.set("simulation.end", 0.1).bodies["arm"].mass == 3
    assert pickle.loads(pickle.dumps(model)).bodies["arm"].mass == 3


def test_a_model_is_pickled_with_its_changes():
    model = polhode.load("ball-chain").set({"body.rod1.mass": 3, "simulation.end": 0.1})
    again = pickle.loads(pickle.dumps(model))
    assert again.text == model.text and again.overrides == model.overrides
    assert (again.run().values == model.run().values).all()


def test_the_package_has_the_version_of_the_library():
    project = tomllib.loads((pathlib.Path(__file__).resolve().parents[2] / "pyproject.toml").read_text())
    assert polhode.__version__ == project["project"]["version"]
