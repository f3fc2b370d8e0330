"""No text that is accepted may take more than 500 MB or hold the interpreter for more than a second, whatever is in it.

Each case runs in a process of its own, which nothing before it has filled. Seconds are the processor's: on a busy machine
the clock says nothing.
"""

import json
import subprocess
import sys

import pytest

from tests.browser.conftest import ROOT

MEGABYTES, SECONDS = 500, 1.0
MEASURE = """
import json, resource, sys, threading, time
from core.models.n_grams.ngram import kneser_ney
from core.models.n_grams.ngram_text import count_text
from core.models.n_grams.written_text import writing
from core.text.reading.documents import read_document, read_pasted
from core.text.tokenization.tokens import characters, sentences, words

MB = 1 << 20
longest, over = 0.0, False

def watch():
    global longest
    last = time.process_time()
    while not over:
        time.sleep(0.005)
        now = time.process_time()
        longest, last = max(longest, now - last), now

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

{text}
before, thread = peak(), threading.Thread(target=watch)
thread.start()
try:
    {do}
finally:
    over = True
    thread.join()
print(json.dumps([peak() - before, longest]))
"""
READ = "document = read_pasted(text); words(document.text); characters(text[:MB]); sentences(text[:MB])"
DRAW = (
    "counted = count_text(read_pasted(text).text, order=5, hold_out=0); model = kneser_ney(counted.counts, 3, 0.75); "
    "drawn = list(writing(model, counted.encode('w1 w2', end=False), 30, seed=1)); assert len(drawn) == 30"
)
# A lesson on its own example first, so that what comes on top is the text's; then with types that are seen once.
A_LESSON = (
    'from tests.lessons.lesson_page import open_lesson; open_lesson("ngram_perplexity"); '
    'text = " ".join(f"w{i:x}" for i in range(1_000_000))'
)
READ_IN_IT = (
    'app = open_lesson("ngram_perplexity", text, timeout=120); assert not app.exception; '
    'rare = app.slider(key="ngram_perplexity_min_count"); rare.set_value(rare.min).run(timeout=120); '
    "assert not app.exception"
)
CASES = {
    "apostrophes": ('text = "a\'" * (5 * MB)', READ),
    "figures and points": ('text = "a b " + "1." * (2 * MB)', READ),
    "marks": ('text = "a b " + "e\\u0301" * MB', READ),
    "a table of short rows": ('text = b"ab,c\\n" * (2 * MB)', "read_document('a.csv', text)"),
    "a million types": ('text = " ".join(f"w{i:x}" for i in range(1_000_000))', DRAW),
    "a million types in a lesson": (A_LESSON, READ_IN_IT),
    "a sentence without an end": (
        'text = "word " * (2 * MB); from pages.hidden_markov_models.tagging.page import text_lines',
        "text_lines.__wrapped__(text)",  # without what keeps it for a page
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_worst_texts_that_are_known_stay_within_the_budget(case):
    text, do = CASES[case]
    script = MEASURE.replace("{text}", text).replace("{do}", do)
    ran = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    memory, held = json.loads(ran.stdout)
    assert memory < MEGABYTES
    assert held < SECONDS
