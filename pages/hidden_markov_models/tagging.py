"""Tag your text: parts of speech for any text, and how often the tagger is wrong, measured on held-out text."""

import streamlit as st

from core.figures.hidden_markov_models.tagged_text import tagged_text_payload
from core.lesson.break_it import break_it, consequence
from core.lesson.browser_view import browser_view
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.hidden_markov_models.suffix_model import SuffixModel
from core.models.hidden_markov_models.tagger import most_frequent_tags, tag_sentences, viterbi_paths
from core.models.stored import load_card
from pages.hidden_markov_models.parts.confusion import confusions
from pages.hidden_markov_models.parts.hmm_choice import keep_sentence, shared_model
from pages.hidden_markov_models.parts.hmm_pictures import tagging as card_picture
from pages.hidden_markov_models.parts.hmm_take_away import SOURCES, model_cell
from pages.hidden_markov_models.parts.tagged_lines import tagged_lines, text_lines, usage
from pages.hidden_markov_models.parts.unseen_words import unseen_words
from pages.hidden_markov_models.viterbi import LESSON as VITERBI

LESSON = Lesson(
    __name__,
    title="Tag your text",
    question="How well does a model of neighbours name the parts of speech?",
    icon="🏷️",
)
LINES = 8  # sentences drawn at once


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    model, quality = shared_model("tagger"), load_card("tagger").quality
    LESSON.open(
        r"\text{tags} = \operatorname*{argmax}_{q_1 \dots q_n}\; \pi_{q_1} b_{q_1}(o_1) \prod_{t=2}^{n} "
        r"a_{q_{t-1} q_t}\, b_{q_t}(o_t) \qquad \text{accuracy} = \frac{\text{words tagged right}}{\text{words}}",
        "$q_t$: the tag of word $o_t$, one of 12. The tables were counted in nine tenths of the Brown corpus; accuracy is "
        "measured on the tenth that was held out.",
    )
    document = text_source()
    lines = text_lines(document.text)
    if not lines:
        st.warning("There is no word in this text to tag. Choose another text.")
        st.stop()
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        last = max(1, len(lines) - LINES + 1)
        start = st.number_input(
            f"First line shown, of {len(lines):,}", 1, last, key=f"{LESSON}_line", bind="query-params"
        )
        broken = break_it(
            LESSON,
            "usual",
            "Break it: no neighbours, each word its most frequent tag",
            "The baseline: a word's tag in most of its occurrences in Brown, whatever stands beside it.",
        )
        st.metric("Right, of held-out words", f"{quality['accuracy']:.1%}")
        st.metric("Most frequent tag instead", f"{quality['accuracy_of_most_frequent_tag']:.1%}")
        st.caption(f"{load_card('tagger').corpus['held_out_tokens']:,} words of Brown that were not counted.")
    shown = tagged_lines(lines[start - 1 : start - 1 + LINES])
    places = [(line, t) for line in shown for t in range(len(line.words))]
    with picture:
        view = f"{LESSON}_view"
        chosen = min(st.session_state.get(view, {}).get("chosen", 0), len(places) - 1)
        given = [(line.usual, line.tags) if broken else (line.tags, line.usual) for line in shown]
        browser_view(
            "tagged_text",
            tagged_text_payload(
                [line.words for line in shown],
                [tags for tags, _ in given],
                [line.unseen for line in shown],
                [others for _, others in given],
                chosen,
            ),
            view,
            {"chosen": chosen},
        )
        differ = sum(line.tags[t] != line.usual[t] for line, t in places)
        unseen = sum(line.unseen[t] for line, t in places)
        st.text(
            f"Of these {len(places)} words, {unseen} were never seen in training (wavy), and on {differ} the neighbours "
            "overrule the word's most frequent tag (≠)."
        )
        line, t = places[chosen]
        st.text(f"{line.words[t]}: {line.tags[t]} here. {usage(line, t)}")
        if st.button("Open the chosen word's line in the lattice", key=f"{LESSON}_open"):
            keep_sentence("tagger", line.words)
            st.switch_page(VITERBI.streamlit_page, query_params={"viterbi_model": "tagger"})
    if broken:
        consequence(
            "Held-out words right", quality["accuracy"], quality["accuracy_of_most_frequent_tag"], ".1%"
        )
        unseen_right = (
            quality["accuracy_on_unseen_words"],
            quality["accuracy_of_most_frequent_tag_on_unseen_words"],
        )
        consequence("Unseen words right", *unseen_right, ".1%")
    new = [line.words[t] for line, t in places if line.unseen[t]]
    if line.unseen[t]:
        new.insert(0, line.words[t])
    unseen_words(LESSON, model, {word: model.guess(word) for word in new})

    confusions(LESSON)
    code_that_ran(tag_sentences, viterbi_paths, most_frequent_tags, SuffixModel)
    take_away(
        LESSON,
        [
            model_cell("tagger"),
            "from core.models.hidden_markov_models.tagger import tag_sentences\nfrom core.text.samples.corpus_words import corpus_words\n\n"
            f"words = {list(line.words)!r}\nlist(zip(words, tag_sentences(model, [words])[0]))",
        ],
    )
    try_this(
        LESSON,
        [
            (
                "Change the text to a play: where do the neighbours overrule a word's usual tag?",
                {"line": 200},
            ),
            ("No neighbours: how much worse is it, and on which words?", {"usual": True}),
            ("Guess its commonest mistake first", {"predict": True}),
        ],
        SOURCES,
    )
