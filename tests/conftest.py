"""One thread for torch, as in the app, and no deadlines: how fast a shared machine is, is no fact about the code."""

import torch
from hypothesis import settings

torch.set_num_threads(1)
settings.register_profile("attend", deadline=None)
settings.load_profile("attend")


def pytest_make_parametrize_id(val, argname):
    """Name a long text or file by its length: an archive holds the time, so two workers would name it differently."""
    return f"{argname} of {len(val)}" if isinstance(val, (str, bytes)) and len(val) > 80 else None
