"""A view and the modules that it imports are one script, so no two of them may define the same name."""

import subprocess

import pytest

from core.lesson.browser_view import VIEWS, bundled

SCRIPTS = sorted(VIEWS.glob("*/view.js"))


def faults(script):
    """Return what Node finds wrong with a module's syntax, nothing where it is sound."""
    checked = subprocess.run(
        ["node", "--input-type=module", "--check", "-"], input=script, capture_output=True, text=True
    )
    return checked.stderr


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.parent.name)
def test_a_view_s_bundle_defines_no_name_twice(script):
    assert faults(bundled(script)) == ""


def test_a_name_that_two_modules_define_is_found():
    assert "already been declared" in faults("const a = 1;\nfunction a() {}\n")
