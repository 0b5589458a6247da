"""Pages: a simulation that is steered in the browser, and a run as a page of its own."""

import os
import pathlib
import subprocess
import sys
import urllib.request

import polhode
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_a_live_page_is_served_until_it_is_stopped(tmp_path):
    simulation = polhode.Simulation("ball-chain")
    simulation.advance_to(0.1)
    out = str(tmp_path / "live.csv")
    page = simulation.live(port=0, out=out)
    assert b'src="/live-' in urllib.request.urlopen(page.url, timeout=20).read()
    assert page.url in page._repr_html_()
    page.stop()
    page.stop()
    with pytest.raises(OSError):
        urllib.request.urlopen(page.url, timeout=5)
    assert len(polhode.open(out)) > 0
    assert simulation.time == 0.1


def test_a_force_in_python_acts_on_the_live_page():
    called = []

    def push(t, body):
        called.append(t)
        return [0.1, 0, 0]

    model = polhode.Model({"body": {"a": {"mass": 1, "inertia": [1, 1, 1]}},
                           "simulation": {"integrator": "director-em", "step": 0.01}})
    page = polhode.Simulation(model.with_force("push", "a", push)).live(port=0)
    for _ in range(200):
        if called:
            break
        urllib.request.urlopen(page.url, timeout=20).read()
    page.stop()
    assert called


def test_a_program_may_end_with_its_page_open():
    program = """
import polhode
model = polhode.Model({"body": {"a": {"mass": 1, "inertia": [1, 1, 1]}},
                       "simulation": {"integrator": "director-em", "step": 0.01}})
page = polhode.Simulation(model.with_force("push", "a", lambda t, body: [1, 0, 0])).live(port=0)
print(page.url)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and done.stdout.startswith("http://") and done.stderr == ""


def test_a_run_is_a_page_of_its_own(tmp_path):
    player = polhode.run("heavy-top", end=0.5).show()
    assert "window.polhodeRun" in player.html and "http://" not in player.html.split("<script>")[0]
    assert player._repr_html_().startswith("<iframe srcdoc=")
    player.save(tmp_path / "top.html")
    if not os.path.exists("/usr/bin/chromium"):
        pytest.skip("there is no browser")
    subprocess.run(["node", ROOT / "web/test/player_page.mjs", tmp_path / "top.html", tmp_path / "top.png"], check=True)
    assert os.path.getsize(tmp_path / "top.png") > 1000


def test_long_runs_are_thinned():
    run = polhode.run("heavy-top", every=0.001)
    assert len(run.show(most_bytes=40_000).html) < len(run.show().html) - 100_000
