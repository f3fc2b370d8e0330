"""One thread for torch, as in the app, and no deadlines: how fast a shared machine is, is no fact about the code."""

import torch
from hypothesis import settings

torch.set_num_threads(1)
settings.register_profile("attend", deadline=None)
settings.load_profile("attend")
