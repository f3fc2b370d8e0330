"""Large blocks of memory go back to the system when they are freed, whatever was freed before them."""

import ctypes
import subprocess
import sys

import pytest

from tests.browser.conftest import ROOT

# A learner's text makes arrays of all sizes; what is small and stays lies between those that are large and go.
SCRIPT = """
import app
import numpy as np

def held():
    return next(int(line.split()[1]) // 1024 for line in open("/proc/self/smaps_rollup") if line.startswith("Rss:"))

np.ones(30 << 20, np.uint8)
before = held()
large, small = [], []
for _ in range(100):
    large.append(np.ones(2 << 20, np.uint8))
    small.append(np.ones(1 << 10, np.uint8))
most = held()
large.clear()
print(most - before, held() - before)
"""


@pytest.mark.skipif(not hasattr(ctypes.pythonapi, "mallopt"), reason="the C library is not glibc")
def test_large_arrays_leave_nothing_behind():
    said = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, check=True
    )
    most, left = map(int, said.stdout.split()[-2:])
    assert most > 190
    assert left < 10
