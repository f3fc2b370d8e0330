"""What is said of a transformer that translates: one step, its alignment, its heads, both translators by length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.figures.frame import frame
from core.figures.transformers.encoder_decoder import START, head_errors, three_attentions, worked_weight
from core.figures.worked import percent
from core.models.transformers.transformer_translation import Written
from core.models.translation.bottleneck import Estimate, wilson

TRAINED_TO = 25  # words of the longest English sentence in training


def step_frame(
    made: Written,
    t: int,
    layer: int,
    head: int,
    inputs: Sequence[str],
    outputs: Sequence[str],
    heard: bool = True,
) -> dict:
    """Return step t as the view "steps" draws it: three attentions of one head, and cross-attention's heaviest weight."""
    s = int(made.cross(layer, head)[t].argmax())
    read = f"{START} alone"
    if t:
        read = f"{START} and {'1 word' if t == 1 else f'{t} words'}, “{' '.join(outputs[:t])}”"
    return frame(
        f"writing “{outputs[t]}”",
        three_attentions(made, t, layer, head, inputs, outputs),
        "Attention weights of one head: the encoder's, the decoder's own, and cross-attention",
        said_of_step(made, t, layer, head, inputs, outputs, heard),
        [
            f"The decoder has read {read}. It gives “{outputs[t]}” p = {percent(made.probability(t))}. "
            "The heaviest weight of cross-attention:"
        ],
        [worked_weight(made.steps[t].cross[layer], head, t, s, outputs[t], inputs[s])],
    )


def said_of_step(
    made: Written,
    t: int,
    layer: int,
    head: int,
    inputs: Sequence[str],
    outputs: Sequence[str],
    heard: bool = True,
) -> str:
    """Return where one head looks at step t, in the input and back; `heard` is whether what it gathers is added."""
    row, own = made.cross(layer, head)[t], made.steps[t].attention[layer].weights[0, head, t]
    s, read = int(row.argmax()), [START, *outputs[:t]]
    this = f"head {layer + 1}.{head + 1}"  # others look elsewhere
    looks = (
        f"To write “{outputs[t]}” {this} of cross-attention puts {percent(float(row[s]))} on “{inputs[s]}”"
    )
    if len(inputs) == 1:
        looks = f"To write “{outputs[t]}” cross-attention has one input word to look at, “{inputs[s]}”"
    unheard = "" if heard else ", but adds nothing of it"
    back = (
        f"looking back, the decoder's head takes most from “{read[int(own.argmax())]}”: {percent(float(own.max()))}"
        if t
        else f"looking back, the decoder has only {START}"
    )
    return f"{looks}{unheard}; {back}."


def said_of_shares(whole: Estimate, broken: Estimate) -> str:
    """Return the 95% intervals of a share whole and broken.

    >>> said_of_shares(wilson(9, 9), wilson(0, 9))
    '95% intervals: 70.1% to 100.0% whole, 0.0% to 29.9% broken'
    """
    each = [f"{percent(found.low)} to {percent(found.high)}" for found in (whole, broken)]
    return f"95% intervals: {each[0]} whole, {each[1]} broken"


def said_of_alignment(aligned: Mapping[str, tuple[int, int] | None], known: bool) -> str:
    """Return how many aligned words each translator's attention misaligns: {name: (misaligned, aligned) or None}.

    None is a translation that is not the right one, whose alignment is not known; `known` whether the right one is.

    >>> said_of_alignment({"one": (1, 9), "other": None}, True)
    'Heaviest where gold links the word. One: 8 of 9; other is not scored, for its translation is not the right one.'
    >>> said_of_alignment({"one": None}, False)
    'The right translation is not known here, so no alignment is scored.'
    """
    if not known:
        return "The right translation is not known here, so no alignment is scored."
    each = [
        f"{name} is not scored, for its translation is not the right one"
        if found is None
        else f"{name}: {found[1] - found[0]} of {found[1]}"
        for name, found in aligned.items()
    ]
    said = "; ".join(each)
    return f"Heaviest where gold links the word. {said[:1].upper()}{said[1:]}."


def said_of_heads(quality: Mapping[str, float]) -> str:
    """Return which heads misalign fewest words of the held-out pairs, beside the recurrent translator.

    >>> said_of_heads({"alignment_error_layer_1_head_2": 0.25, "recurrent_alignment_error": 0.5, "held_out_pairs": 9})[:75]
    'On 9 held-out pairs, when the right words are given, layer 1, head 2 misali'
    """
    errors, other = head_errors(quality), quality["recurrent_alignment_error"]
    least = min(errors.values())
    best = [f"layer {layer}, head {head}" for (layer, head), error in errors.items() if error == least]
    return (
        f"On {quality['held_out_pairs']:,} held-out pairs, when the right words are given, {' and '.join(best)} "
        f"{'misaligns' if len(best) == 1 else 'misalign'} fewest: {percent(least)} of the aligned words. The recurrent "
        f"translator misaligns {percent(other)}. No head was told where to look, but some began by favouring near places."
    )


def said_by_length(quality: Mapping[str, float]) -> str:
    """Return how many pairs both translators get right, up to the longest sentence in training and beyond it.

    By these pairs the transformer's recipe was chosen: last it is said how many of as many later ones both get right.

    >>> card = {"pairs_3_to_7_words": 9, "right_3_to_7_words": 8, "recurrent_right_3_to_7_words": 9}
    >>> card |= {"pairs_26_to_28_words": 9, "right_26_to_28_words": 7, "recurrent_right_26_to_28_words": 1}
    >>> card |= {"later_right": 8, "later_recurrent_right": 9, "held_out_pairs": 9}
    >>> card |= {"later_longer_right": 5, "later_recurrent_longer_right": 2, "longer_pairs": 9}
    >>> for sentence in said_by_length(card).split(". "):
    ...     print(sentence)
    Of 9 held-out sentences of 3 to 7 words the transformer gets 8 right, the recurrent translator 9: too close to part them
    Of 9 of 26 to 28 words, longer than any in training, 7 and 1: the transformer is ahead
    The transformer's recipe was chosen by these
    Of others, drawn later, 8 and 9 of 9 are right, and of longer ones 5 and 2 of 9.
    """
    ranges = [tuple(map(int, key.split("_")[1:4:2])) for key in quality if key.startswith("pairs_")]
    short, long = ([ends for ends in ranges if (ends[0] > TRAINED_TO) == longer] for longer in (False, True))
    parts = []
    for chosen, lead, rest in (
        (
            short,
            "Of {n:,} held-out sentences",
            " the transformer gets {k:,} right, the recurrent translator {r:,}",
        ),
        (long, "Of {n:,}", ", longer than any in training, {k:,} and {r:,}"),
    ):
        n, k, r = (
            sum(int(quality[f"{count}_{a}_to_{b}_words"]) for a, b in chosen)
            for count in ("pairs", "right", "recurrent_right")
        )
        lengths = f" of {chosen[0][0]} to {chosen[-1][1]} words"
        parts.append(lead.format(n=n) + lengths + rest.format(k=k, r=r) + f": {ahead(k, r, n)}.")
    return " ".join([*parts, said_of_later(quality)])


def said_of_later(quality: Mapping[str, float]) -> str:
    """Return that the recipe was chosen by the card's pairs, and how both translators do on pairs drawn later."""
    right = [
        f"{quality[f'later_{which}right']:,} and {quality[f'later_recurrent_{which}right']:,} of {quality[pairs]:,}"
        for which, pairs in (("", "held_out_pairs"), ("longer_", "longer_pairs"))
    ]
    return (
        f"The transformer's recipe was chosen by these. Of others, drawn later, {right[0]} are right, and of longer ones "
        f"{right[1]}."
    )


def ahead(k: int, r: int, n: int) -> str:
    """Return which of two models with k and r right of n is ahead, if their 95% intervals are apart.

    >>> ahead(9, 9, 10), ahead(0, 10, 10)
    ('too close to part them', 'the recurrent translator is ahead')
    """
    one, other = wilson(k, n), wilson(r, n)
    if not one.lies_apart(other):
        return "too close to part them"
    return "the transformer is ahead" if k > r else "the recurrent translator is ahead"
