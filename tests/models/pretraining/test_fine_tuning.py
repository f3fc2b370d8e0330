"""Fine-tuning: the padded reading is the network's own, a step is torch's by hand, the layer is scikit-learn's."""

import numpy as np
import pytest
import torch
from scipy.stats import t as student
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from torch.nn import functional

from core.models.pretraining.fine_tuning import (
    FINE_TUNED,
    FROZEN,
    MODEL,
    SCRATCH,
    WAYS,
    classifier,
    last_vectors,
    padded,
    token_ids,
)
from core.models.pretraining.fine_tuning_measured import (
    SEEDS,
    SIZES,
    accuracy_difference,
    key_of,
    mean_interval,
    stored_runs,
)
from core.models.pretraining.fine_tuning_runs import (
    BODY_RATE,
    MEASURED_AT,
    STEPS,
    TASK_RATE,
    ClassificationTask,
    FineTuningSettings,
    embed_texts,
    fit,
    fit_three_ways,
    labelled,
    places_of,
    right_by_counting,
    share_of_rate,
    task_of,
)
from core.models.pretraining.forgetting import HIDDEN, TOKENS, masked_losses, passages
from core.models.self_attention.masked_language_model import stored_masked_model
from core.models.stored import load_card
from core.text.samples.feelings import FRAMES, WORDS, feelings
from core.text.samples.shelf import plays
from core.text.tokenization.tokens import words

TEXTS = ("And David said, I will go.", "Go.", "What is this to me, and to thee?")


@pytest.fixture(scope="module")
def few():
    """Twelve sentences to learn from and four held out."""
    documents = feelings(1, seed=3)
    ids = token_ids(documents.texts[:16])
    y = np.array([label == "thing" for label in documents.labels[:16]]).astype(int)
    return ClassificationTask(ids, y, np.arange(12), np.arange(12, 16))


@pytest.mark.parametrize("which", range(len(TEXTS)))
@torch.inference_mode()
def test_a_text_s_vectors_are_those_of_the_network_that_reads_it_alone(which):
    network, ids = stored_masked_model(MODEL).network, token_ids(TEXTS)
    h = last_vectors(network, *padded(ids))[which, : len(ids[which])]
    logits = functional.linear(h, network.token_embedding.weight)
    torch.testing.assert_close(logits, network(torch.tensor([ids[which]]))[0][0], atol=1e-4, rtol=1e-5)


def test_a_text_s_vector_is_the_mean_of_its_tokens_vectors_whatever_stands_beside_it():
    model, ids = classifier(FROZEN, 2, seed=1), token_ids(TEXTS)
    together = embed_texts(model, ids)
    for each, vector in zip(ids, together, strict=True):
        alone = last_vectors(model.body, *padded([each]))[0].mean(0)
        torch.testing.assert_close(vector, alone, atol=1e-5, rtol=1e-5)


def test_the_first_step_is_adam_s_by_hand(few):
    """The layer begins at zero, so no gradient reaches the body yet: it only decays, and the layer moves by its rate."""
    places, y = labelled(few, 12, seed=2)
    texts, target = [few.ids[place] for place in places], torch.tensor(y)
    model = classifier(FINE_TUNED, 2, seed=2)
    loss = functional.cross_entropy(model(texts), target)
    assert loss.item() == pytest.approx(np.log(2), abs=1e-6)
    loss.backward()
    assert max(p.grad.abs().max() for p in model.body.parameters() if p.grad is not None) == 0
    layer = (model.task.weight, model.task.bias)
    shorter = min(1.0, 1.0 / (torch.cat([p.grad.flatten() for p in layer]).norm().item() + 1e-6))
    with torch.no_grad():
        for parameter in layer:
            g = parameter.grad * shorter
            parameter.sub_(TASK_RATE * share_of_rate(0, 2) * g / (g.abs() + 1e-8))
        for parameter in model.body.parameters():
            parameter.mul_(1 - BODY_RATE * share_of_rate(0, 2) * 0.01)
        second = functional.cross_entropy(model(texts), target)
    run = fit(FINE_TUNED, few, FineTuningSettings(12), seed=2, steps=2)
    np.testing.assert_allclose(run.loss, [loss.item(), second.item()], atol=2e-4)
    assert run.loss[1] < run.loss[0] - 0.01


@pytest.mark.parametrize("rate", [0.1, 10.0])
def test_the_body_is_trained_at_its_own_rate_times_what_is_chosen(few, rate):
    """One AdamW of torch's with two rates takes the same four steps; twelve sentences are one batch."""
    places, y = labelled(few, 12, seed=2)
    texts, target = [few.ids[place] for place in places], torch.tensor(y)
    model = classifier(FINE_TUNED, 2, seed=2)
    groups = [{"params": model.task.parameters()}, {"params": model.body.parameters()}]
    adam, losses = torch.optim.AdamW(groups), []
    for step in range(4):
        for group, full in zip(adam.param_groups, (TASK_RATE, rate * BODY_RATE), strict=True):
            group["lr"] = full * share_of_rate(step, 4)
        loss = functional.cross_entropy(model(texts), target)
        adam.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        losses.append(loss.item())
    run = fit(FINE_TUNED, few, FineTuningSettings(12, rate=rate), seed=2, steps=4)
    np.testing.assert_allclose(run.loss, losses, rtol=1e-3)


def test_frozen_means_that_the_body_stays_and_the_layer_learns(few):
    run = fit(FROZEN, few, FineTuningSettings(12), seed=1)
    assert (run.vectors == run.vectors[0]).all()
    assert not run.masked.size
    assert run.loss[-1] < run.loss[0]


def test_freezing_every_layer_is_the_frozen_way(few):
    layers = len(stored_masked_model(MODEL).network.blocks)
    frozen = fit(FROZEN, few, FineTuningSettings(12), seed=4)
    all_layers = fit(FINE_TUNED, few, FineTuningSettings(12, frozen_layers=layers), seed=4)
    np.testing.assert_allclose(all_layers.loss, frozen.loss, atol=1e-6)


def test_frozen_layers_have_no_gradient_and_those_above_them_do():
    model = classifier(FINE_TUNED, 2, seed=1, frozen_layers=2)
    trained = {name for name, parameter in model.body.named_parameters() if parameter.requires_grad}
    assert {name.split(".")[1] for name in trained if name.startswith("blocks")} == {"2", "3"}
    assert not any("embedding" in name for name in trained)
    assert any("final_norm" in name for name in trained)


def test_training_changes_no_shared_model(few):
    network = stored_masked_model(MODEL).network
    before = [parameter.clone() for parameter in network.parameters()]
    fit(FINE_TUNED, few, FineTuningSettings(12), seed=1, steps=2)
    assert all(torch.equal(a, b) for a, b in zip(before, network.parameters(), strict=True))
    assert not any(parameter.requires_grad for parameter in network.parameters())


def test_from_scratch_begins_with_other_weights_at_every_seed_and_never_pretrained():
    one, two = (classifier(SCRATCH, 2, seed).body.token_embedding.weight for seed in (1, 2))
    assert not torch.equal(one, two)
    assert torch.equal(one, classifier(SCRATCH, 2, 1).body.token_embedding.weight)
    assert torch.equal(
        classifier(FINE_TUNED, 2, 1).body.token_embedding.weight,
        stored_masked_model(MODEL).network.token_embedding.weight,
    )


def test_the_same_seed_gives_the_same_run(few):
    one, two = (fit(SCRATCH, few, FineTuningSettings(8), seed=5, steps=3) for _ in range(2))
    np.testing.assert_array_equal(one.loss, two.loss)


def test_the_frozen_layer_comes_near_to_scikit_learn_s():
    """The layer's few steps are not the end of the way: logistic regression goes there, and is right about as often."""
    documents = feelings()
    task = task_of(documents.texts, documents.labels, documents.kinds)
    places, y = labelled(task, 64, seed=1)
    model = classifier(FROZEN, 2, seed=1)
    X, held = (embed_texts(model, [task.ids[i] for i in each]).numpy() for each in (places, task.held))
    peer = LogisticRegression(max_iter=1000).fit(X, y).score(held, task.y[task.held])
    ours = stored_runs()[key_of(FROZEN, FineTuningSettings(64))].accuracy[0, -1]
    assert ours == pytest.approx(peer, abs=0.06)


def test_counting_is_scikit_learn_s_naive_bayes():
    documents = feelings(3, seed=2)
    task = places_of(documents.labels)
    places, y = labelled(task, 40, seed=3)
    tokens = [words(text) for text in documents.texts]
    vocabulary = sorted({token for place in places for token in tokens[place]})
    X = np.array([[each.count(word) for word in vocabulary] for each in tokens])
    given = MultinomialNB().fit(X[places], y).predict(X[task.held])
    ours = right_by_counting(documents.texts, documents.labels, 40, seed=3)
    np.testing.assert_array_equal(ours, given == task.y[task.held])


def test_shuffling_keeps_the_numbers_of_the_labels_and_moves_some(few):
    (places, true), (same, dealt) = (labelled(few, 12, 3, shuffled) for shuffled in (False, True))
    np.testing.assert_array_equal(places, same)
    assert sorted(true) == sorted(dealt)
    assert (true != dealt).any()
    assert set(places) <= set(few.pool)


def test_held_out_sentences_are_never_learnt_from():
    documents = feelings()
    task = places_of(documents.labels)
    assert not set(task.pool) & set(task.held)
    held = {documents.texts[place] for place in task.held}
    assert not held & {documents.texts[place] for place in task.pool}


def test_a_sentence_has_three_words_of_its_label_and_frames_that_have_none():
    documents = feelings()
    assert len(set(documents.texts)) == len(documents.texts) == 600
    assert {len(set(words)) for words in WORDS.values()} == {60}
    assert not set.intersection(*map(set, WORDS.values()))
    every = {word for words in WORDS.values() for word in words}
    assert not every & {word for frame in FRAMES for word in words(frame)}
    for text, label, kind in zip(documents.texts, documents.labels, documents.kinds, strict=True):
        assert " ".join(sorted(every & set(words(text)))) == kind
        assert set(kind.split()) <= set(WORDS[label])


def test_a_kind_is_held_out_as_one():
    documents = feelings()
    task = places_of(documents.labels, documents.kinds)
    held, pool = ({documents.kinds[place] for place in each} for each in (task.held, task.pool))
    assert not held & pool
    assert (len(held), len(pool), len(task.held)) == (16, 24, 240)


@torch.inference_mode()
def test_the_masked_loss_is_cross_entropy_over_the_hidden_places():
    model = stored_masked_model(MODEL)
    ids, places = passages(MODEL)
    assert ids.shape[1] == TOKENS
    assert (places.sum(1) == HIDDEN).all()
    losses = masked_losses(model.network, ids[:3], places[:3], model.mask)
    for row in range(3):
        shown = ids[row].clone()
        shown[places[row]] = model.mask
        logits = model.network(shown[None])[0][0, places[row]]
        expected = functional.cross_entropy(logits, ids[row][places[row]])
        assert losses[row] == pytest.approx(expected.item(), abs=1e-4)


def test_forgetting_is_measured_on_text_that_the_masked_model_never_trained_on():
    ids, _ = passages(MODEL)
    texts = [play.text() for play in plays()[: len(ids)]]
    for row, text in zip(ids, texts, strict=True):
        passage = stored_masked_model(MODEL).pairs.decode(row.tolist())
        assert text.index(passage) >= len(text) * 9 // 10


def test_without_plays_nothing_is_measured():
    none = torch.zeros((0, TOKENS), dtype=torch.long)
    assert masked_losses(stored_masked_model(MODEL).network, none, none.bool(), 0).shape == (0,)


def test_student_s_interval_is_scipy_s():
    values = np.array([0.3, 0.5, 0.9, 0.2, 0.4])
    low, high = student.interval(
        0.95, len(values) - 1, values.mean(), values.std(ddof=1) / np.sqrt(len(values))
    )
    assert mean_interval(values) == pytest.approx((values.mean(), low, high))


def test_the_difference_is_paired_over_the_texts():
    one, two = (np.array(right) for right in ([[1, 1, 0, 1], [1, 0, 0, 1]], [[0, 1, 0, 1], [0, 1, 0, 0]]))
    assert accuracy_difference(one, two) == pytest.approx(mean_interval(np.array([1.0, -0.5, 0.0, 0.5])))


def test_a_training_that_is_stopped_leaves_out_what_is_not_finished():
    documents = feelings(1, seed=1)
    seen = []

    def stop(progress):
        seen.append(progress)
        return len(seen) < STEPS + 2

    found = fit_three_ways(stop, documents.texts, documents.labels, FineTuningSettings(8), seeds=1)
    assert [len(found[way]) for way in WAYS] == [0, 1, 0]
    assert len(found[FROZEN][0].right) == len(MEASURED_AT)


def test_too_few_texts_are_said():
    documents = feelings(1)
    with pytest.raises(ValueError, match="fewer than 16"):
        fit_three_ways(
            lambda _: True, documents.texts[:10], documents.labels[:10], FineTuningSettings(16), seeds=1
        )


def test_the_stored_runs_are_whole():
    runs, held = stored_runs(), len(places_of(feelings().labels, feelings().kinds).held)
    for n in SIZES:
        for way in WAYS:
            assert runs[key_of(way, FineTuningSettings(n))].right.shape == (
                len(SEEDS),
                len(MEASURED_AT),
                held,
            )


def test_a_stored_run_is_what_training_gives_now():
    documents = feelings()
    task = task_of(documents.texts, documents.labels, documents.kinds)
    run = fit(FROZEN, task, FineTuningSettings(16), seed=1)
    stored = stored_runs()[key_of(FROZEN, FineTuningSettings(16))]
    assert np.abs(run.right.mean(1) - stored.accuracy[0]).max() <= 0.02


def test_what_the_card_says_of_the_three_ways():
    """With the fewest labels both that were pretrained are far ahead of the one from scratch."""
    quality = load_card("fine_tuned").quality
    fewest = {way: quality[f"right, {key_of(way, FineTuningSettings(SIZES[0]))}"] for way in WAYS}
    assert min(fewest[FINE_TUNED], fewest[FROZEN]) > fewest[SCRATCH] + 0.15
