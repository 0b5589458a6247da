"""What Python costs: steps called one by one, and whole runs, beside the same in C++, within one run of this program.

    PYTHONPATH=build/release/python python3 bench/python_bench.py [STEPS]

Each pair alternates five times, and the quickest of each counts: other programs disturb both.
"""

import sys
import time

import polhode


def seconds(work):
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def quickest(*works):
    times = [[] for _ in works]
    for _ in range(5):
        for work, taken in zip(works, times):
            taken.append(seconds(work))
    return [min(taken) for taken in times]


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    chain = polhode.load("ball-chain")
    one, all_at_once = polhode.Simulation(chain), polhode.Simulation(chain)

    def from_python():
        step = one.step
        for _ in range(steps // 5):
            step()

    python, loop = (5e6 / steps * taken for taken in quickest(from_python, lambda: all_at_once.steps(steps // 5)))
    print(f"a step of 8 balls: {loop:.2f} us in a loop in C++, {python:.2f} us called from Python: "
          f"{python - loop:.2f} us more, {python / (1.5 * loop + 1):.2f} of 1.5 x + 1 us")

    # a whole run: what it takes in all beside what the library says that it took itself, without making and watching it
    for name in ("ball-chain", "jansen-walker", "lang-a"):
        model = polhode.load(name)
        ratios = []
        for _ in range(5):
            begun = time.perf_counter()
            run = model.run(end=5, record=True)
            ratios.append((time.perf_counter() - begun) / run.wall_seconds)
        print(f"run of {name}: {min(ratios):.4f} x the time in the library ({1e3 * run.wall_seconds:.1f} ms)")


if __name__ == "__main__":
    main()
