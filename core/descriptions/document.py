"""A beat's description: the sentence, the table and the settings of what its document shows, for any view."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import orjson

from core.descriptions import (
    attention,
    bars,
    drawn,
    frames,
    graphs,
    images,
    laid_texts,
    lattices,
    maps,
    matrices,
    opened_model,
    planes,
    plots,
    states,
    texts,
    trees,
)
from core.descriptions.description import Description, once_stopped, say


def describe_figure(data: Mapping) -> Description:
    """Return the description of what plotly draws: a text laid out in lines, or a picture with axes."""
    figure = data["figure"]
    laid = laid_texts.is_laid_text(figure)
    return laid_texts.describe_laid_text(figure) if laid else drawn.describe_drawn(data)


KINDS: dict[str, Callable[[Mapping], Description]] = {
    "attention": attention.describe_attention,
    "attention_arrows": graphs.describe_attention_arrows,
    "attention_replay": attention.describe_attention_replay,
    "axis": planes.describe_axis,
    "batch": matrices.describe_batch,
    "captions": images.describe_captions,
    "causal_mask": attention.describe_causal_mask,
    "clock_hands": planes.describe_clock_hands,
    "concordance": matrices.describe_concordance,
    "figure": describe_figure,
    "gaps": texts.describe_gaps,
    "generation_tree": trees.describe_generation_tree,
    "head_grid": attention.describe_head_grid,
    "hidden_machine": graphs.describe_hidden_machine,
    "hidden_state": states.describe_hidden_state,
    "lattice": lattices.describe_lattice,
    "layer_bars": bars.describe_layer_bars,
    "layer_mix": states.describe_layer_mix,
    "learning_curve": plots.describe_learning_curve,
    "loop": graphs.describe_loop,
    "machine": graphs.describe_machine,
    "map": maps.describe_map,
    "masked_scores": matrices.describe_masked_scores,
    "next_token": bars.describe_next_token,
    "ngram_tree": bars.describe_ngram_tree,
    "opened_model": opened_model.describe_opened_model,
    "parse_triangle": graphs.describe_parse_triangle,
    "patches": images.describe_patches,
    "ranked_scenes": images.describe_ranked_scenes,
    "sampling": bars.describe_sampling,
    "score_table": matrices.describe_score_table,
    "score_weights": bars.describe_score_weights,
    "shifted_text": texts.describe_shifted_text,
    "soft_lookup": planes.describe_soft_lookup,
    "staircase": matrices.describe_staircase,
    "steps": frames.describe_steps,
    "surprisal_lines": texts.describe_surprisal_lines,
    "surprise_text": texts.describe_surprise_text,
    "tag_cards": bars.describe_tag_cards,
    "tagged_text": texts.describe_tagged_text,
    "tallies": bars.describe_tallies,
    "text_parts": matrices.describe_text_parts,
    "text_tree": graphs.describe_text_tree,
    "token_grid": matrices.describe_token_grid,
    "token_rows": matrices.describe_token_rows,
    "training_replay": plots.describe_training_replay,
    "trellis": graphs.describe_trellis,
    "two_orders": texts.describe_two_orders,
    "two_streams": matrices.describe_two_streams,
    "vector_rows": matrices.describe_vector_rows,
    "weight_row": attention.describe_weight_row,
    "word_board": texts.describe_word_board,
    "word_line": planes.describe_word_line,
    "word_matrix": matrices.describe_word_matrix,
    "word_pairs": bars.describe_word_pairs,
    "word_pieces": texts.describe_word_pieces,
    "word_plane": planes.describe_word_plane,
}


def describe_picture(view: str, data: Mapping) -> Description:
    """Return the description of a view's data. Raises KeyError for a view that no function describes."""
    return KINDS[view](orjson.loads(orjson.dumps(data, option=orjson.OPT_SERIALIZE_NUMPY)))


def describe_document(document: Mapping, count: int) -> dict:
    """Return the description of a beat's document, of `count` beats, as a player shows it.

    It is made of what the document sends and of nothing else: before a guess it holds no answer. `place` and `settings`
    are the step at which the picture stands: [[name, value, sentence]].
    """
    picture = document.get("picture")
    told = {
        "place": say(
            "place", number=document["number"], count=count, revealed=document.get("revealed", False)
        ),
        "settings": [describe_setting(each) for each in document.get("controls", ())],
    }
    if picture is None:  # a beat whose stored model is missing
        return {**told, "alt": "", "sentence": "", "axes": "", "columns": [], "rows": [], "largest": []}
    found = describe_picture(picture["view"], picture["data"])
    return {
        **told,
        "alt": once_stopped(picture["alt"]),
        **vars(found),
        "largest": list(map(vars, found.largest)),
    }


def describe_setting(control: Mapping) -> tuple[str, str, str]:
    """Return a control in words: its name, its value as the learner sees it, and both as a sentence."""
    value = control["value"]
    if control["kind"] == "choice":
        value = next((each["label"] for each in control["options"] if each["id"] == value), value)
    elif control["kind"] == "switch":
        value = say("on" if value else "off")
    name = control["label"]
    if control["kind"] == "slider":
        ends = {"least": control["least"], "most": control["most"]}
        return name, str(value), say("setting.range", name=name, value=value, **ends)
    return name, str(value), once_stopped(say("setting", name=name, value=value))
