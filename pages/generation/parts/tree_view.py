"""The grown tree in its browser view, with the opened distribution beside it, to be guessed first if asked for."""

from __future__ import annotations

import numpy as np

from core.figures.generation.generation_tree import choices_payload, tree_payload
from core.figures.generation.sampling import shown
from core.lesson.browser_view import browser_view
from core.lesson.choices.language_model_choice import ChosenModel
from core.lesson.predict_first import predict_first
from core.models.generation.generation_tree import GenerationTree
from core.models.stored_language_models import Prompt
from core.text.reading.documents import Document
from pages.generation.parts.grown_tree import scored, text_until


def show_tree(
    lesson: str,
    chosen: ChosenModel,
    document: Document,
    prompt: Prompt,
    tree: GenerationTree,
    opened: int,
    next_ln_p: np.ndarray,
) -> None:
    """Draw the tree; while a guess is awaited, without what follows the opened token and without its choices."""
    path = tree.path(opened)
    after = text_until(chosen, (*prompt.ids, *path))
    likeliest = [shown(chosen.names[i]) for i in np.argsort(-next_ln_p, kind="stable")[:6]]
    question = f"Which token is the likeliest after “{after}”?"
    about = f"{hash((prompt.ids, tuple(path)))}_{chosen.label}"
    revealed = predict_first(lesson, question, sorted(set(likeliest)), likeliest[0], about)
    if not revealed:
        tree = tree.kept(lambda i: opened and opened not in tree.ancestry(i)[:-1])
        _, opened = tree.grown(0, path, "forced")
    payload = tree_payload(tree, scored(chosen, document, prompt, tree), chosen.names, opened)
    if revealed:
        taken = [tree.tokens[child] for child in tree.children(opened)]
        payload["choices"] = choices_payload(next_ln_p, chosen.names, taken, after)
    browser_view("generation_tree", {**payload, "live": revealed}, f"{lesson}_view", {"act": None})
