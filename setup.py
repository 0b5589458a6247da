"""Builds the module of the Python package by CMake, in build/release where that is for this Python, so that nothing
is compiled twice; otherwise in a folder of its own, build/pythonX.Y."""

import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

root = pathlib.Path(__file__).resolve().parent
module = "_core" + sysconfig.get_config_var("EXT_SUFFIX")


def build_folder() -> pathlib.Path:
    """build/release where its CMake found this Python, or Debian's, which it looks for first, where there is none
    yet."""
    folder = root / "build/release"
    found = os.path.realpath("/usr/bin/python3")
    if (folder / "CMakeCache.txt").exists():
        for line in (folder / "CMakeCache.txt").read_text().splitlines():
            if line.startswith("_Python_EXECUTABLE:"):
                found = os.path.realpath(line.split("=", 1)[1])
    if found == os.path.realpath(sys.executable):
        return folder
    return root / f"build/python{sys.version_info.major}.{sys.version_info.minor}"


def build(folder: pathlib.Path) -> None:
    first = [] if (folder / "CMakeCache.txt").exists() else ["-DPOLHODE_TESTS=OFF", "-DPOLHODE_BENCH=OFF"]
    subprocess.run(["cmake", "--preset", "release", "-B", folder, f"-DPython_EXECUTABLE={sys.executable}",
                    "-DPOLHODE_PYTHON=ON", *first], cwd=root, check=True)
    subprocess.run(["cmake", "--build", folder, "--target", "polhode_python", "-j", str(os.cpu_count())], check=True)


class BuildByCMake(build_ext):
    def build_extension(self, extension):
        folder = pathlib.Path(os.environ.get("POLHODE_BUILD") or build_folder())
        if "POLHODE_BUILD" not in os.environ:  # one that is built already
            build(folder)
        built = folder / "python/polhode" / module
        if not built.exists():
            raise SystemExit(f"{folder} builds for another Python, without {module}; remove the folder and try again")
        target = pathlib.Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(built, target)


setup(ext_modules=[Extension("polhode._core", [])], cmdclass={"build_ext": BuildByCMake})
