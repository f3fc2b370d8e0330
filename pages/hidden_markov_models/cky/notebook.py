# %% [markdown]
# CKY: a grammar counted from a small treebank, the triangle of a sentence, its best tree and all of its trees.

# %% parameters
sentence = "I saw the man with the telescope"
labels = None  # how many labels each cell keeps; None: all

# %%
from core.models.hidden_markov_models.cky import (
    count_grammar,
    count_parsed,
    fill_chart,
    follow_back,
    list_trees,
    read_treebank,
    score_tree,
)
from core.text.samples.treebank import TREEBANK

trees = read_treebank(TREEBANK)
grammar = count_grammar(trees)
chart = fill_chart(sentence.split(), grammar, labels)
for (i, j), entries in chart.cells.items():
    print(" ".join(chart.words[i:j]), {label: entry.best for label, entry in entries.items()})

# %%
if chart.whole:
    print("best tree", follow_back(chart))
    print("best", chart.whole.best, "inside", chart.whole.inside, "trees", chart.whole.trees)
    print("each tree", [score_tree(tree, grammar) for tree in list_trees(chart)])
print(
    "sentences with a tree:", count_parsed([tree.words for tree in trees], grammar, labels), "of", len(trees)
)

# %%
from core.figures.blank import blank
from core.figures.figure import heatmap
from core.figures.show import draw

n = len(chart.words)
filled = [[len(chart.cells.get((i, j), ())) for j in range(1, n + 1)] for i in range(n)]
figure = blank(340, "last word", "first word")
figure.add_trace(heatmap(z=filled))
draw(figure)
