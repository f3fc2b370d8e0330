# %% [markdown]
# The scores of a translation: exact match, BLEU with its precisions and its penalty, chrF.

# %% parameters
reference = ["ses", "frères", "ont", "travaillé", "parce", "qu'", "ils", "ont", "ri", "."]
translation = ["ses", "frères", "ont", "ri", "parce", "qu'", "ils", "ont", "ri", "."]

# %%
from core.models.translation.bleu import sentence_bleu
from core.models.translation.chrf import corpus_chrf

bleu = sentence_bleu(translation, reference)
print("exact match:", translation == reference)
print("BLEU:", bleu.score, "precisions:", bleu.precisions, "brevity penalty:", bleu.brevity_penalty)
print("without clipping:", sentence_bleu(translation, reference, clipped=False).score)
print("without the brevity penalty:", bleu.mean_precision)
print("chrF:", corpus_chrf([" ".join(translation)], [" ".join(reference)]).score)

# %%
from core.figures.blank import blank
from core.figures.figure import bar
from core.figures.show import draw

figure = blank(340, "n", "clipped precision")
figure.add_trace(bar(x=list(range(1, len(bleu.precisions) + 1)), y=list(bleu.precisions)))
draw(figure)
