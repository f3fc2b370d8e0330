"""Preferences: what its story shows of six sentences and 300 votes, and its lab that trains on the learner's ranking."""

from __future__ import annotations

from functools import cache

import numpy as np
import streamlit as st
from scipy.special import expit

from core.figures.layer_bars import join_panels
from core.figures.worked import Z
from core.lesson.settings import Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.generation.direct_preference import (
    Preferred,
    best_policy,
    divergence,
    dpo_loss,
    fit_dpo,
)
from core.models.generation.preferences import (
    draw_votes,
    feature_differences,
    fit_bradley_terry,
    information,
    rank_votes,
    standard_errors,
)
from core.models.generation.preferred_sentences import (
    COMPARED,
    EVERY,
    PROMPT,
    VOTERS,
    distinct_bigrams,
    expected_quality,
    reference,
    sentence_features,
    simulated_votes,
)
from core.models.self_attention.ablation import total_variation
from pages.generation.preferences import LESSON, SHOWN
from pages.generation.preferences.figures import (
    Moved,
    draw_moved,
    draw_votes_curve,
    policies_table,
    probability_panel,
    reward_panel,
)

WORDS = LESSON.words
GLAD, HARM = 0, 1  # the features
WEAK, STRONG = 0.03, 0.5  # β of the hacking at its worst, and of the break-it
BETAS = tuple(np.geomspace(0.02, 4, 60).tolist())
MINE = "he gave peace to his happy people."
RANKED = " / ".join(COMPARED[:5])
SENTENCES_AT_MOST = 8

BETA = Slider("beta", SHOWN, 0.05, 2.0, 0.05)
TIE = Slider("tie", 0.2, 0.02, 1.0, 0.01)
OWN = Text("mine", MINE, 80)
SENTENCES = Text("sentences", RANKED, 400)
SURE = Slider("sure", 90, 60, 95, 5)
UNTIED = Switch("untied")
LAB = (SENTENCES, BETA, SURE, UNTIED)


# The story: what each beat shows.


@cache
def item_rewards() -> np.ndarray:
    """Return a reward for each sentence that voters compared, (6,)."""
    return fit_bradley_terry(simulated_votes(), np.eye(len(COMPARED)))


@cache
def feature_weights() -> np.ndarray:
    """Return the weights of the reward model, (F,), fitted on the same votes."""
    return fit_bradley_terry(simulated_votes(), features_of(*COMPARED))


def features_of(*sentences: str) -> np.ndarray:
    """Return the features of each sentence, (N, F)."""
    return np.array([sentence_features(each) for each in sentences])


@cache
def glad_interval() -> tuple[float, float]:
    """Return the 95% interval of the weight of a glad word."""
    w = float(feature_weights()[GLAD])
    off = Z * float(standard_errors(simulated_votes(), features_of(*COMPARED), feature_weights())[GLAD])
    return w - off, w + off


def reward_of(*sentences: str) -> np.ndarray:
    """Return the reward model's reward of each sentence, (N,)."""
    return features_of(*sentences) @ feature_weights()


@cache
def trained_policy(beta: float) -> Preferred:
    """Return what DPO reaches on the story's votes."""
    return fit_dpo(lambda step: None, reference(COMPARED), simulated_votes(), beta)


def move(beta: float) -> Moved:
    """Return the best policy at β over all nine sentences: its KL, its mean reward, and its share of different bigrams."""
    start, rewards = reference(EVERY), reward_of(*EVERY)
    policy = best_policy(start, rewards, beta)
    mean = float(np.exp(policy) @ rewards)
    return Moved(beta, divergence(policy, start), mean, expected_quality(policy, EVERY).distinct)


@cache
def every_move() -> tuple[Moved, ...]:
    """Return the policies of BETAS, from the one nearest to the reference."""
    return tuple(move(beta) for beta in reversed(BETAS))


def top(sentences: tuple[str, ...], log_policy: np.ndarray) -> dict:
    """Return the most probable sentence and its probability."""
    i = int(log_policy.argmax())
    return {"text": sentences[i].rstrip("."), "p": float(np.exp(log_policy[i]))}


def describe_distance(log_policy: np.ndarray, exact: np.ndarray) -> dict:
    """Return the total variation between a trained policy and the closed form, and whether it is below a millionth."""
    distance = float(total_variation(np.exp(log_policy), np.exp(exact)))
    return {"distance": distance, "near": distance < 1e-6}


def before_and_after(beta: float) -> tuple[dict, dict]:
    """Return bars of the start and of the policy that DPO trained, and what the words say of both."""
    start, after = reference(COMPARED), trained_policy(beta).log_policy
    exact = best_policy(start, item_rewards(), beta)
    data = join_panels(
        probability_panel(WORDS.label("panel.start"), COMPARED, start, "start"),
        probability_panel(WORDS.label("panel.trained"), COMPARED, after, "trained"),
    )
    values = {
        "prompt": PROMPT,
        "sentences": COMPARED,
        "votes": int(sum(simulated_votes().of)),
        "beta": beta,
        "start": top(COMPARED, start),
        "trained": top(COMPARED, after),
        "KL": divergence(after, start),
        **describe_distance(after, exact),
    }
    return data, values


def show_trained(settings: Settings) -> Part:
    """The GPT's probabilities of six sentences, before and after it has learned from votes."""
    data, values = before_and_after(SHOWN)
    return Part("layer_bars", data, values, {"beta": SHOWN})


def show_votes(settings: Settings) -> Part:
    """Each pair's votes at the difference of its rewards, on the sigmoid."""
    votes, rewards = simulated_votes(), item_rewards()
    worst = votes.pairs.index((1, 5))  # the glad people against the dead men
    difference = float(rewards[1] - rewards[5])
    values = {
        "pairs": len(votes.pairs),
        "voters": VOTERS,
        "won": int(votes.won[worst]),
        "difference": difference,
        "p": float(expit(difference)),
    }
    return Part("figure", {"figure": draw_votes_curve(votes, rewards).to_dict()}, values)


def show_rewards(settings: Settings) -> Part:
    """The rewards of the sentences one by one, and as a sum over two features."""
    weights, rewards = feature_weights(), reward_of(*COMPARED)
    values = {"glad": float(weights[GLAD]), "harm": float(weights[HARM]), "interval": glad_interval()}
    values["votes"] = int(sum(simulated_votes().of))
    data = join_panels(
        reward_panel(WORDS.label("panel.items"), COMPARED, item_rewards(), "item"),
        reward_panel(WORDS.label("panel.features"), COMPARED, rewards, "reward"),
    )
    return Part("layer_bars", data, values)


def ask_new(settings: Settings) -> Part:
    """The rewards of the six sentences, and three that nobody compared; the answer draws these."""
    rewards = reward_of(*EVERY)
    best = int(rewards.argmax())
    values = {"glad": float(feature_weights()[GLAD])}
    hidden = () if settings.revealed else range(len(COMPARED), len(EVERY))
    if settings.revealed:
        values |= {
            "best": EVERY[best],
            "reward": float(rewards[best]),
            "before": float(rewards[: len(COMPARED)].max()),
            "times": float(rewards[best] / rewards[: len(COMPARED)].max()),
        }
    data = join_panels(reward_panel(WORDS.label("panel.features"), EVERY, rewards, "reward", hidden))
    choices = ("people", "joy_and", "great_joy", "joy_joy")
    answer = dict(zip((1, 6, 7, 8), choices, strict=True))[best]
    return Part("layer_bars", data, values, {}, choices, answer)


def show_dpo(settings: Settings) -> Part:
    """The policy that DPO trains at the learner's β, and how far it is from the closed form."""
    data, values = before_and_after(settings.beta)
    return Part("layer_bars", data, values, {"beta": settings.beta})


def show_hacking(settings: Settings) -> Part:
    """The reward and the share of different bigrams as the policy leaves the reference."""
    now, first = move(settings.tie), every_move()[0]
    policy = best_policy(reference(EVERY), reward_of(*EVERY), settings.tie)
    values = {
        "beta": settings.tie,
        "reward": now.reward,
        "distinct": now.distinct,
        "before": {"reward": first.reward, "distinct": first.distinct},
        "top": top(EVERY, policy),
        "repeated": float(np.exp(policy[len(COMPARED) :]).sum()),
        "perplexity": expected_quality(policy, EVERY).perplexity,
    }
    return Part("figure", {"figure": draw_moved(every_move(), now).to_dict()}, values)


def show_untied(settings: Settings) -> Part:
    """The best policy with the reference and without it, at one β."""
    start, rewards = reference(EVERY), reward_of(*EVERY)
    tied, untied = (best_policy(each, rewards, STRONG) for each in (start, np.zeros_like(start)))
    values = {
        "beta": STRONG,
        "tied": expected_quality(tied, EVERY).perplexity,
        "untied": expected_quality(untied, EVERY).perplexity,
        "top": top(EVERY, untied),
    }
    data = join_panels(
        probability_panel(WORDS.label("panel.tied"), EVERY, tied, "tied"),
        probability_panel(WORDS.label("panel.untied"), EVERY, untied, "untied"),
    )
    return Part("layer_bars", data, values, {"untied": True})


def do_own(settings: Settings) -> Part:
    """The reward of the learner's sentence, and what the GPT gives it among the others."""
    mine = settings.mine.strip()
    sentences = (mine, *COMPARED)
    rewards, start = reward_of(*sentences), reference(sentences)
    policy = best_policy(start, rewards, SHOWN)
    glad, harm = (int(each) for each in sentence_features(mine))
    values = {
        "glad": glad,
        "harm": harm,
        "reward": float(rewards[0]),
        "rank": int((rewards > rewards[0]).sum()) + 1,
        "of": len(sentences),
        "p": float(np.exp(start[0])),
        "after": float(np.exp(policy[0])),
        "beta": SHOWN,
    }
    data = join_panels(
        reward_panel(WORDS.label("panel.features"), sentences, rewards, "reward"),
        probability_panel(WORDS.label("panel.held", beta=SHOWN), sentences, policy, "held"),
    )
    return Part("layer_bars", data, values)


def show_answer(settings: Settings) -> Part:
    """Nine sentences at two ties: a strong one that holds the policy back, and a weak one."""
    start, rewards = reference(EVERY), reward_of(*EVERY)
    held, loose = (best_policy(start, rewards, beta) for beta in (SHOWN, WEAK))
    values = {
        "held": top(EVERY, held),
        "loose": top(EVERY, loose),
        "beta": SHOWN,
        "weak": WEAK,
    }
    data = join_panels(
        probability_panel(WORDS.label("panel.held", beta=SHOWN), EVERY, held, "held"),
        probability_panel(WORDS.label("panel.held", beta=WEAK), EVERY, loose, "loose"),
    )
    return Part("layer_bars", data, values)


STORY = (
    look("learned", show_trained),
    look("votes", show_votes),
    look("rewards", show_rewards),
    ask("unseen", ask_new),
    look("direct", show_dpo, BETA, beta=0.5),
    look("hacking", show_hacking, TIE, tie=0.05),
    look("without", show_untied),
    do("own", do_own, OWN),
    end("answer", show_answer),
)


# The lab: sentences in the learner's order, a β, and a training.


def read_ranking(typed: str) -> tuple[str, ...]:
    """Return the sentences between the strokes, each once, the best first.

    >>> read_ranking("a b. / c. / a b. / ")
    ('a b.', 'c.')
    """
    found = [" ".join(each.split()) for each in typed.split("/")]
    return tuple(dict.fromkeys(each for each in found if each))[:SENTENCES_AT_MOST]


def lab() -> None:
    """Rank, guess, train; the policy against its closed form; what it costs to leave out the reference."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        sentences = read_ranking(LESSON.draw(SENTENCES, width=520) or SENTENCES.default)
        beta = LESSON.draw(BETA)
        untied = LESSON.draw(UNTIED)
        with LESSON.options():
            sure = LESSON.draw(SURE)
    with stage:
        if len(sentences) < 2:
            st.info(WORDS.markdown("few"))
        else:
            show_training(sentences, beta, sure / 100, untied)
    LESSON.close_lab(
        code=[
            *(draw_votes, rank_votes, fit_bradley_terry, feature_differences, information),
            *(dpo_loss, fit_dpo, best_policy, divergence, distinct_bigrams),
        ],
        parameters={
            "sentences": list(sentences) if len(sentences) > 1 else list(COMPARED[:5]),
            "beta": beta,
            "sure": sure / 100,
            "untied": untied,
        },
        prompts={
            "weak": {"beta": 0.05},
            "chance": {"sure": 60},
            "untied": {"untied": True, "beta": 1.0},
        },
    )


def watch(reports: list) -> None:
    """Draw how far a training is."""
    if not reports:
        st.progress(0.0, WORDS.label("begins"))
        return
    now = reports[-1]
    st.progress(now.step / now.steps, WORDS.label("progress", step=now.step, loss=now.loss))


def show_training(sentences: tuple[str, ...], beta: float, sure: float, untied: bool) -> None:
    """Train on the learner's ranking; show the start and, after a guess, what was reached."""
    start, votes = reference(sentences), rank_votes(len(sentences), sure)
    rewards = fit_bradley_terry(votes, np.eye(len(sentences)))
    tied, loose = (best_policy(each, rewards, beta) for each in (start, np.zeros_like(start)))
    exact = loose if untied else tied
    given = (sentences, beta, sure, untied)
    bench = LESSON.train(fit_dpo, (start, votes, beta, not untied), given, watch)
    trained = bench.result.log_policy if bench.result is not None and bench.settings == given else None
    panels = [probability_panel(WORDS.label("panel.start"), sentences, start, "start")]
    tops = {"start": top(sentences, start), "trained": None}
    guess, answer = WORDS.label("guess"), sentences[int(exact.argmax())]
    told = LESSON.ask(guess, list(sentences), answer, f"{given}")
    if told and trained is not None:
        panels.append(probability_panel(WORDS.label("panel.trained"), sentences, trained, "trained"))
        tops["trained"] = top(sentences, trained)
    alt = WORDS.label("alt.policies", n=len(sentences), **tops)
    LESSON.view("layer_bars", join_panels(*panels), "policies", height=420, alt=alt)
    if not told:
        return
    values = {"ready": trained is not None, "best": sentences[int(rewards.argmax())]}
    if trained is not None:
        values |= {
            "top": top(sentences, trained),
            "KL": divergence(trained, start),
            "first": int(trained.argmax()) == 0,
            **describe_distance(trained, exact),
        }
    LESSON.say("says.trained", values)
    if untied:
        whole, broken = (expected_quality(each, sentences).perplexity for each in (tied, loose))
        LESSON.compare("untied", whole, broken, ".1f", more_is_better=False)
    LESSON.every_number(WORDS.label("table"), policies_table, sentences, start, rewards, exact, trained, beta)
