# %% [markdown]
# Edit distance: the table of two texts, a cheapest alignment, and what an alignment place by place costs.

# %% parameters
source = list("lamp")
target = list("plum")
costs = [1, 1, 1]  # of a deletion, an insertion, a substitution

# %%
from core.models.tokens.edit_distance import (
    Costs,
    align_positions,
    count_alignments,
    count_cheapest,
    fill_table,
    trace_back,
)

table = fill_table(source, target, Costs(*costs))
print(table.distances)
print("distance", table.distance)
print(
    count_alignments(len(source), len(target)), "alignments,", count_cheapest(table), "as cheap as possible"
)

# %%
for edit in trace_back(table):
    print(edit)
print("place by place:", sum(edit.cost for edit in align_positions(source, target, Costs(*costs))))

# %%
from core.figures.blank import blank
from core.figures.figure import heatmap
from core.figures.show import draw

figure = blank(340, "to", "from")
figure.add_trace(heatmap(z=table.distances.tolist()))
draw(figure)
