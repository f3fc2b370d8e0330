"""Masked words: the story's and the lab's probabilities are those of a reading of our own, and follow the text."""

import numpy as np
import pytest
import torch

from core.models.pretraining.gap_measure import measure_gaps
from core.models.pretraining.gaps import from_both_sides, from_the_left
from core.models.pretraining.masked_training import masked_training_step
from core.models.self_attention.ablation import total_variation
from core.models.self_attention.masked_language_model import stored_masked_model
from core.models.stored_language_models import stored_language_model
from pages.pretraining.masked_words.page import (
    ENDING,
    IN_TRAINING,
    LESSON,
    NAMED,
    SEED,
    SENTENCE,
    STEP_SEED,
    STEP_SHARE,
    read_marked,
    toggle,
)
from tests.lessons.lesson_page import (
    document,
    frames,
    guess,
    metrics,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    sent,
    table_with,
    views,
)
from tests.lessons.n_grams.three_texts import PASTED

OWN = "The river is deep. A prophet came to the river, and the king gave him bread. " * 3


@pytest.fixture(scope="module")
def masked():
    return stored_masked_model()


@pytest.fixture(scope="module")
def causal():
    return stored_language_model("word_gpt")


OPENED = {"moved": "true", "training": "true", "hits": "true"}
NAME = "masked_words"


def opened(*arguments, **query):
    return open_lesson(NAME, *arguments, **OPENED, **query)


# The story.


def by_torch(masked, ids, places):
    """p at each place (len(ids), V) by the network itself, <mask> at the places."""
    shown = torch.tensor([list(ids)])
    shown[0, list(places)] = masked.mask
    with torch.inference_mode():
        return masked.network(shown)[0][0].double().softmax(-1).numpy()


def causal_by_torch(causal, ids):
    """p of each token after `ids`, by the network itself."""
    with torch.inference_mode():
        logits, _ = causal.network(torch.tensor([[causal.start, *ids]]))
    return logits[0, -1].double().softmax(-1).numpy()


def bars(beat, *revealed, panel=0, **changes):
    rows = picture(NAME, beat, *revealed, **changes)["panels"][panel]["rows"]
    return {row["name"]: row["to"] for row in rows}


def test_the_gap_is_filled_as_the_networks_fill_it(masked, causal):
    ids = masked.pairs.encode(SENTENCE)
    p, left = by_torch(masked, ids, [1])[1], causal_by_torch(causal, ids[:1])
    names = masked.vocabulary
    assert set(bars("gap").values()) == {0}
    assert list(bars("gap", True)) == [names[i].strip() for i in np.argsort(-p)[:5]]
    assert document(NAME, "gap", True)["ask"]["answer"] == "David" == names[p.argmax()].strip()
    assert bars("gap", True)["David"] == pytest.approx(p[ids[1]], rel=1e-5)
    assert bars("left", panel=1)["David"] == pytest.approx(left[ids[1]], rel=1e-4)
    rank = int((left > left[ids[1]]).sum()) + 1
    assert f"has rank {rank:,}." in said_in(document(NAME, "left"))


def test_another_ending_moves_the_masked_model_alone(masked):
    ids = [*masked.pairs.encode("And David"), *masked.pairs.encode(ENDING)]
    before = by_torch(masked, masked.pairs.encode(SENTENCE), [1])[1]
    after = by_torch(masked, ids, [1])[1]
    told = said_in(document(NAME, "follows", True))
    assert f"{np.abs(before - after).sum() / 2:.0%} of the masked model's probability has gone" in told
    assert document(NAME, "follows", True)["ask"]["answer"] == "masked"
    assert bars("follows", True, panel=1) == bars("follows", panel=1)
    top = masked.vocabulary[after.argmax()].strip()
    assert f"Now {top} has {after.max():.0%} instead of {before[after.argmax()]:.0%}" in told


def test_the_step_shows_what_training_draws_and_the_loss_is_the_mean_surprise(masked):
    ids = masked.pairs.encode(SENTENCE)
    step = masked_training_step(masked, torch.tensor(ids), STEP_SHARE, STEP_SEED)
    rows = picture(NAME, "step")["rows"]
    assert [token[3] for token in rows[1]["tokens"]] == step.places.astype(int).tolist()
    told = said_in(document(NAME, "step"))
    assert "with became from" in told and "as they are (Saul)" in told
    shown = [masked.vocabulary[i] for i in step.shown]
    drawn = np.flatnonzero(step.places)
    assert shown[drawn[-1]] == " from" and masked.vocabulary[step.ids[drawn[-1]]] == " with"
    with torch.inference_mode():
        logits = masked.network(torch.tensor(step.shown)[None])[0][0].double()
    mean = torch.nn.functional.cross_entropy(logits[drawn], torch.tensor(ids)[drawn]).item()
    assert f"Here it is {mean:.2f} for {len(drawn)} tokens" in said_in(document(NAME, "loss"))
    assert f"{np.mean(step.shown == step.ids):.0%} right" in said_in(document(NAME, "loss"))


@pytest.mark.parametrize("hide", NAMED)
def test_the_more_is_hidden_the_larger_is_the_surprise(masked, hide):
    ids = masked.pairs.encode(SENTENCE)
    places = NAMED[hide] or range(len(ids))
    p = by_torch(masked, ids, places)[1, ids[1]]
    told = document(NAME, "hiding", hide=hide)["done"]
    assert f"<strong>{-np.log2(p):.1f} bits</strong>" in told
    assert ("worse than" in told) == (hide == "all")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("The king said", "because nothing is in brackets"),
        ("[] x", "because nothing is in brackets"),
        ("He went [home]", "Nothing follows"),
        ("早上[好] 🦜", "Hidden is"),
        ("The [king] said to his servants, Go.", "rank <strong>1</strong>"),
    ],
)
def test_an_own_gap_gets_a_sentence_that_fits_it(line, told):
    assert told in document(NAME, "own", line=line)["done"]


def test_what_is_marked_is_found_in_the_line_without_its_brackets():
    text, (start, stop) = read_marked("And [David] said [x]")
    assert text == "And David said x" and text[start:stop] == "David"


# The lab.


def shared_steps(app):
    return next(view["shared"] for view in views(app) if "frames" in view)["tokens"]


def test_each_gap_has_both_models_own_probabilities_and_the_sentence_is_that_of_the_table(masked, causal):
    app = opened(hidden="2 6 13")
    assert not app.exception
    ids = masked.pairs.encode(SENTENCE)
    places = [1, 5, 12]
    found = from_both_sides(masked, ids, places), from_the_left(causal, ids, places)
    gaps = sent(app, "gaps")["gaps"]
    for i, gap in enumerate(gaps):
        for model, filled in zip(gap["models"], found, strict=True):
            own = next(row for row in model["rows"] if row["hidden"])
            assert own["p"] == pytest.approx(np.exp(filled.ln_p_hidden[i]), rel=1e-4)
            assert own["rank"] == filled.ranks[i]
            assert sum(row["hidden"] for row in model["rows"]) == 1
            listed = [row["p"] for row in model["rows"]]
            assert listed == sorted(listed, reverse=True)
    table = table_with(app, "masked model: its rank")
    right = [int((table[f"{name}: its rank"] == 1).sum()) for name in ("masked model", "causal model")]
    assert (
        f"Of 3 hidden tokens, the masked model guesses {right[0]} and the causal model {right[1]}."
        in said(app)
    )
    bits = [float(each.bits.mean()) for each in found]
    assert f"costs the masked model {bits[0]:.2f} bits on average and the causal model {bits[1]:.2f}" in said(
        app
    )
    assert ("the masked model, which also sees what follows" in said(app)) == (bits[0] < bits[1])
    assert "Here “␣David” alone is hidden" in said(app)


def test_another_ending_moves_the_masked_model_alone_and_the_page_says_how_much(masked):
    app = opened()
    ids = masked.pairs.encode(SENTENCE)
    before, after = (
        np.exp(from_both_sides(masked, each, [1]).ln_p[0])
        for each in (ids, [*ids[:2], *masked.pairs.encode(ENDING)])
    )
    moved = total_variation(before, after)
    assert moved > 0.2
    assert f"{moved:.1%} of the masked model's probability moved, and none of the causal model's" in said(app)
    rest = masked.pairs.decode(ids[2:])
    assert "What follows is the same as before" in said(opened(ending=rest))


def test_a_click_hides_a_word_and_shows_it_again(monkeypatch):
    kept = {}
    monkeypatch.setattr(type(LESSON), "set_state", lambda self, name, value: kept.update({name: value}))
    toggle(4.0, [1])
    assert kept["hidden"] == "2 5"
    toggle(1.0, [1])
    assert kept["hidden"] == ""


def test_until_the_guess_the_view_has_the_gaps_and_no_answer():
    app = opened(predict="true")
    view = sent(app, "gaps")
    assert view["gaps"] == [] and [word["masks"] for word in view["words"][:3]] == [0, 1, 0]
    assert not any(word["guesses"] for word in view["words"])
    assert "of the masked model's probability moved" not in said(app)
    assert question(app).options == ["masked model", "causal model"]
    guess(app, "masked model")
    assert "Right." in said(app) and sent(app, "gaps")["gaps"]


def test_hiding_everything_is_measured_on_the_same_tokens(masked):
    app = opened(hidden="2 6", all="true")
    ids = masked.pairs.encode(SENTENCE)
    whole = from_both_sides(masked, ids, [1, 5]).bits.mean()
    everything = from_both_sides(masked, ids, range(len(ids)))
    shown = [value for label, value in metrics(app).items() if label.startswith("Bits per hidden token")]
    assert shown == [f"{whole:.2f}", f"{everything.bits[[1, 5]].mean():.2f}"]
    assert len(sent(app, "gaps")["gaps"]) == len(ids)
    kinds = len(set(everything.guesses.tolist()))
    many = f"It predicts {kinds} different tokens for {len(ids)} gaps."
    assert (many if kinds > 1 else f"The model predicts the same token at all {len(ids)} gaps.") in said(app)
    worse = everything.bits[[1, 5]].mean() > np.log2(everything.ln_p.shape[1])
    assert ("Its prediction is worse than" in said(app)) == worse
    assert "Neither has a word to attend to" in said(app)
    assert "sees what follows" not in said(app)


def test_of_one_token_that_is_guessed_everywhere_it_is_not_said_that_it_is_different(masked):
    text = "The cat sat on the mat. The dog sat on the log. The cat saw the dog and the dog saw the cat. Then the rain."
    app = opened(text, all="true")
    gaps = len(sent(app, "gaps")["gaps"])
    assert f"The model predicts the same token at all {gaps} gaps." in said(app)


def test_after_the_last_word_both_see_the_same_and_neither_is_said_to_see_more():
    app = opened(typed="And David said", hidden="3")
    assert "Nothing is shown after it, so both see the same" in said(app)
    assert "also sees what follows" not in said(app)


def test_a_word_of_several_pieces_is_several_gaps_and_what_they_spell_is_said(masked):
    app = opened(OWN, hidden="2")
    ids = masked.pairs.encode(OWN)
    assert masked.pairs.decode(ids[1:3]) == " river"
    view = sent(app, "gaps")
    assert view["words"][1]["masks"] == 2 and len(view["gaps"]) == 2
    assert "“␣river” is 2 byte pairs, so 2 gaps" in said(app)
    guesses = from_both_sides(masked, ids[:40], [1, 2]).guesses
    spelt = "".join(masked.vocabulary[i] for i in guesses).replace(" ", "␣")
    assert f"“{spelt}”, {'the word itself' if spelt == '␣river' else 'not the word'}" in said(app)


def test_a_step_of_training_counts_the_drawn_tokens_and_everywhere_all_of_them(masked, causal):
    app = opened(OWN, everywhere="true", share="30")
    ids = torch.tensor(masked.pairs.encode(OWN)[:IN_TRAINING])
    step = masked_training_step(masked, ids, 0.3, SEED)
    tokens = shared_steps(app)
    assert [token["drawn"] for token in tokens] == step.places.tolist()
    assert all(token["loss"] for token in tokens)
    assert (
        f"The loss is the mean over {len(ids)} tokens: {step.loss_everywhere:.3f}" in frames(app)[3]["said"]
    )
    copied = step.copied_right
    shares = [f"{copied[step.places].mean():.1%}", f"{copied.mean():.1%}"]
    assert [value for label, value in metrics(app).items() if label.startswith("Right by copying")] == shares
    change = "falls" if step.loss_everywhere < step.loss else "rises"
    assert f"loss {change} from {step.loss:.3f} to {step.loss_everywhere:.3f}" in said(app)
    measure = measure_gaps(masked, causal, torch.tensor(masked.pairs.encode(OWN)), 0.15, SEED)
    right = measure.right()
    assert f"Of {measure.n} hidden token" in said(app)
    assert f"guesses {right[0]} and the causal model {right[1]}" in said(app)
    assert ("That is too few" in said(app)) == (measure.n < 30)


def test_only_drawn_tokens_have_a_loss_otherwise():
    app = opened(PASTED)
    for token in shared_steps(app):
        assert bool(token["loss"]) == bool(token["guess"]) == token["drawn"]
    n = sum(token["drawn"] for token in shared_steps(app))
    assert f"The loss is the mean over {n} token{'s' if n > 1 else ''}" in frames(app)[3]["said"]


@pytest.mark.parametrize(
    "text, query",
    [
        (None, {"typed": ""}),
        (None, {"typed": "x", "all": "true", "hidden": "9"}),
        (None, {"typed": "早上好 مرحبا 👍🏽 <b>$a$ `c`</b>", "hidden": "1 2 3 4", "ending": ""}),
        (None, {"hidden": ""}),
        (None, {"typed": "word " * 390, "hidden": "1 128 999 x"}),
        ("Go.", {"everywhere": "true"}),
        ("", {"source": "from your text", "everywhere": "true"}),
    ],
    ids=str,
)
def test_no_text_and_no_end_of_a_control_breaks_the_page(text, query):
    app = opened(text, **query)
    assert not app.exception
    if query.get("typed") == "":
        assert "Your text has no token to hide yet" in said(app)
    if query.get("hidden") == "":
        assert "Click a word" in said(app) and sent(app, "gaps")["gaps"] == []
    if query.get("hidden") == "9":
        assert "all words were hidden already" in said(app)
    if text == "Go.":
        assert "drawn" in said(app)
