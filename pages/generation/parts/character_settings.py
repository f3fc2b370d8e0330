"""The settings of a character model's training as widgets, and its progress while it runs."""

from __future__ import annotations

from math import log

import streamlit as st

from core.models.generation.fit_characters import CharacterConfig, looking_back

NETWORKS = {"feed-forward": "feed-forward", "GRU": "recurrent", "GPT": "gpt"}
LOOK_BACK = (4, 8, 16, 32, 64, 128)
STEPS = (50, 100, 200, 400, 800, 1600, 3200)


def character_settings(lesson: str) -> CharacterConfig:
    """Draw the settings, all in the address, and return them."""
    network = st.segmented_control(
        "Network", list(NETWORKS), default="GRU", required=True, key=f"{lesson}_network", bind="query-params"
    )
    look_back = st.select_slider(
        "Window: characters it looks back at",
        LOOK_BACK,
        32,
        key=f"{lesson}_window",
        bind="query-params",
        help="For the GRU, how far back the gradient goes: its state may carry further.",
    )
    steps = st.select_slider(
        "Steps",
        STEPS,
        800,
        key=f"{lesson}_steps",
        bind="query-params",
        help="A step reads about 1,024 characters. Training ends by itself after ten minutes.",
    )
    seed = st.number_input("Seed", 0, 9999, 1, key=f"{lesson}_seed", bind="query-params")
    return looking_back(NETWORKS[network], look_back, steps=steps, seed=seed)


def name_of(config: CharacterConfig) -> str:
    """Return how a configuration's network is called on the page."""
    return next(name for name, network in NETWORKS.items() if network == config.network)


def watch_characters(reports: list) -> None:
    """Draw how far a training is: step, losses, speed, time left, and what the model writes by now."""
    if not reports:
        st.progress(0.0, "Reading the text")
        return
    now = reports[-1]
    left = f"{now.seconds_left:.0f} s left" if now.step else "starting"
    st.progress(
        now.share,
        f"Step {now.step:,} of {now.steps:,} · loss {now.loss:.3f} nats on training text, {now.held_out_loss:.3f} = "
        f"{now.held_out_loss / log(2):.3f} bits on held-out text · {now.characters_per_second:,.0f} characters a "
        f"second · {left}",
    )
    st.caption("What it writes by now:")
    st.code(now.sample or " ", language=None, wrap_lines=True)
