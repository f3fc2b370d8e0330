"""The largest number of each measure of a picture, found in the view's data without core.descriptions: the oracle."""

import base64
import re

import numpy as np

HIDDEN = ("", "?")
RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-", strict=True))


def number(text):
    """Return what a text that core formatted is as a number, None where it is none."""
    plain = "".join(RAISED.get(each, each) for each in text.strip().replace("−", "-").replace(",", ""))
    plain = re.sub(r"·10(?=-?\d+$)", "e", plain).lstrip("+")
    try:
        value = float(plain.removesuffix("%"))
    except ValueError:
        return None
    return value if np.isfinite(value) else None


def tops(groups):
    """Return the text of the largest number of each group {measure: [(number, text)]}."""
    found = []
    for cells in groups.values():
        known = [each for each in cells if each[0] is not None]
        if known:
            found.append(max(known, key=lambda each: each[0])[1])
    return found


def grouped(pairs):
    groups = {}
    for measure, *cell in pairs:
        groups.setdefault(measure, []).append(tuple(cell))
    return groups


def layer_bars(data):
    pairs = []
    for panel in data["panels"]:
        moving = len({row["from"] for row in panel["rows"]}) > 1
        for row in panel["rows"]:
            length = row["to"] - (row["from"] if moving else 0)
            pairs.append((panel["title"] or "Value", None if row["text"] == "?" else length, row["text"]))
    return grouped(pairs)


def next_token(data):
    pairs = []
    for panel in data["panels"]:
        title = f"{panel['prompt']} {panel['note']}".strip()
        for row in panel["rows"]:
            told = row["key"] != "rest" and row["text"] != "?"
            pairs.append((title, row["p"] if told else None, row["text"]))
    return grouped(pairs)


def score_weights(data):
    pairs = []
    for at, panel in enumerate(data["panels"]):
        for row in panel["rows"]:
            told = row["scoreText"] != "?"
            pairs.append(((at, "score"), row["score"] if told else None, row["scoreText"]))
            pairs.append(((at, "weight"), row["weight"], row["weightText"]))
    return grouped(pairs)


def tag_cards(data):
    return grouped(
        (panel["title"], None if row["text"] == "?" else row["share"], row["text"])
        for panel in data["panels"]
        for row in panel["rows"]
    )


def word_pairs(data):
    return grouped(
        (at, None if bar["text"] in HIDDEN else bar["share"], bar["text"])
        for row in data["rows"]
        for at, bar in enumerate(row["bars"])
    )


def tallies(data):
    return grouped(
        (panel["title"], row["added"] + (row["count"] if panel["unit"] else 0), row["text"] or row["p"])
        for panel in data["panels"]
        for row in panel["rows"]
    )


def token_rows(data):
    return {"": [(len(row["tokens"]), str(len(row["tokens"]))) for row in data["rows"] if row["tokens"]]}


def trellis(data):
    pairs = []
    for j in range(len(data["rows"])):
        for nodes in data["nodes"]:
            kind = nodes[j]["kind"]
            plain = kind in ("open", "filled", "now", "best")
            text = nodes[j]["text"]
            pairs.append(
                (number(text), text if plain else f"{text} ({ {'lost': 'dropped'}.get(kind, kind) })")
            )
    return {"": pairs}


def score_table(data):
    typed = {(each["t"], each["j"]) for each in data["fields"]}
    return {
        "": [
            (number(column[j]["text"]), column[j]["text"])
            for j in range(len(data["rows"]))
            for t, column in enumerate(data["cells"])
            if (t, j) not in typed
        ]
    }


def masked_scores(data):
    cells = [cell for row in data["cells"] for cell in row]
    shown = {"masked": " (masked)", "struck": " (masked)"}
    return {"": [(number(each["text"]), each["text"] + shown.get(each["kind"], "")) for each in cells]}


def word_matrix(data):
    return {"": [(number(cell["text"]), cell["text"]) for row in data["cells"] for cell in row]}


def text_tree(data):
    nodes = [each for each in data["nodes"] if each["kind"] != "prompt" or len(data["nodes"]) == 1]
    return {"": [(each["p"] if each["number"] not in HIDDEN else None, each["number"]) for each in nodes]}


def staircase(data):
    pairs = []
    for side in data["sides"]:
        for at, text in enumerate(side["texts"]):
            length = side["bars"][at] if side["bars"] else number(text)
            pairs.append((side["title"], None if text in HIDDEN else length, text))
    return grouped(pairs)


def word_line(data):
    if not data["rows"]:  # the hill of all words: counts, which have no text of core's
        return None
    return {"": [(row["at"], row["text"]) for row in data["rows"]]}


def parse_triangle(data):
    nodes = [node for panel in data["panels"] for node in panel["nodes"]]
    return {"": [(number(node["number"]), node["number"]) for node in nodes]}


def ranked_scenes(data):
    return {"": [(number(scene["line"]), scene["line"]) for scene in data["scenes"]]}


def clock_hands(data):
    bars = data["bars"]
    return {"": [(each["value"], each["text"]) for each in bars["values"]]} if bars else {}


def machine(data):
    return grouped(
        (
            "Value" if len(node["bars"]) == 1 else node["key"],
            None if bar["text"] in HIDDEN else bar["share"],
            bar["text"],
        )
        for node in data["nodes"]
        for bar in node["bars"]
    )


def shifted_text(data):
    return {"": [(each["loss"], each["number"]) for each in data["columns"]]} if not data["before"] else None


def gaps(data):
    if not data["gaps"]:
        return {}
    gap = data["gaps"][min(data["start"], len(data["gaps"]) - 1)]
    return grouped((model["name"], row["p"], row["text"]) for model in gap["models"] for row in model["rows"])


def lattice(data):
    """Scores that are filled after the first step: in a later window, those of the window before."""
    scores = data["log"]["scores"]
    first = [0] if data["steps"][0][0] == "initialise" else []
    known = range(len(data["states"])) if data["first"] else first
    return {"": [(scores[0][j], f"{scores[0][j]:.2f}".replace("-", "−")) for j in known if scores[0][j]]}


def ngram_tree(data):
    return grouped(
        (at, child["count"], f"{child['count']:,}")
        for at, column in enumerate(data["columns"])
        for child in column["children"]
        if child["share"]
    )


def surprise_text(data):
    return {"": [(bits, f"{bits:.2f}") for bits in data["models"][0]["bits"]]}


TOPS = {
    "clock_hands": clock_hands,
    "gaps": gaps,
    "lattice": lattice,
    "layer_bars": layer_bars,
    "machine": machine,
    "masked_scores": masked_scores,
    "next_token": next_token,
    "ngram_tree": ngram_tree,
    "parse_triangle": parse_triangle,
    "ranked_scenes": ranked_scenes,
    "score_table": score_table,
    "score_weights": score_weights,
    "shifted_text": shifted_text,
    "staircase": staircase,
    "surprise_text": surprise_text,
    "tag_cards": tag_cards,
    "tallies": tallies,
    "text_tree": text_tree,
    "token_rows": token_rows,
    "trellis": trellis,
    "word_line": word_line,
    "word_matrix": word_matrix,
    "word_pairs": word_pairs,
}

# Numbers without a text of core's: the description writes them with three digits, so values are compared.


def values(found):
    """Return the numbers of a list, without what is missing."""
    return [float(each) for each in found if each is not None and not isinstance(each, str) and each == each]


def arrows(data):
    rows = [row["bars"] for row in data["rows"] if any(bar["value"] or bar["text"] for bar in row["bars"])]
    bars = [[(bar["value"], number(bar["text"])) for bar in row if bar["text"] != "?"] for row in rows]
    weights = [each["weight"] for each in data["links"] if not each["open"]]
    if not data["rows"]:
        return [max(weights)] if weights else []
    most = [max(each, key=lambda bar: bar[0]) for each in bars if each]
    return [value if text is None else text for value, text in most]


def figure(data):
    traces = data["figure"]["data"]
    maps = [numbers_told(each) for each in traces if each.get("type") == "heatmap"]
    if maps:
        return [max(map(max, maps))]
    if len(traces) == 1 and traces[0].get("orientation") != "h" and traces[0].get("mode") != "text":
        found = values(decoded(traces[0]["y"]))
        shares = data["figure"]["layout"].get("yaxis", {}).get("tickformat", "").endswith("%")
        return [max(found) * (100 if shares else 1)] if found else []
    return []


def numbers_told(trace):
    """Return the numbers of a heat map: what is written in its cells where that is not what colours them."""
    coloured = (np.array(decoded(trace["z"]), float) * told_as(trace)).ravel()
    texts = [
        re.sub("<.*?>", " ", str(each).split("<br>")[-1]) for row in trace.get("text") or () for each in row
    ]
    written = [number(each) for each in texts]
    if len(texts) == len(coloured) and any(
        told is not None and abs(told - own) > 0.06 * max(1, abs(own))
        for told, own in zip(written, coloured, strict=True)
    ):
        return [each for each in written if each is not None]
    return values(coloured)


def told_as(trace):
    """Return how a heat map's key writes 1: its last tick's text by its place."""
    key = trace.get("colorbar", {})
    return number(key["ticktext"][-1]) / key["tickvals"][-1] if key.get("ticktext") else 1


def decoded(found):
    if not isinstance(found, dict):
        return found
    return np.frombuffer(base64.b64decode(found["bdata"]), found["dtype"])


def floats(text):
    """Return numbers that were sent as the base64 of their float32 bytes."""
    return np.frombuffer(base64.b64decode(text), "<f4")


def scores(data):
    typed = {(t, s): score for t, s, score in data["edits"]}
    return [typed.get((t, s), score) for t, row in enumerate(data["scores"]) for s, score in enumerate(row)]


def map_of_words(data):
    """Return the largest x and y of the last frame, and the largest nearness of a word to its nearest."""
    count, k, n = len(data["words"]) + len(data["points"]), data["k"], len(data["words"])
    places = np.frombuffer(base64.b64decode(data["places"]), "<f4")[-2 * count :]
    near = np.frombuffer(base64.b64decode(data["nearness"]), "<f4")[-n * k :] if k else []
    return [places[::2].max(), places[1::2].max(), *([near[::k].max()] if k else [])]


def hidden_state(data):
    """Return the largest value of the unit that colours the text, and of all units."""
    values = np.frombuffer(base64.b64decode(data["values"]), "<f4")
    at, count = [row["unit"] for row in data["rows"]].index(data["unit"]), len(data["characters"])
    return [values[at * count : (at + 1) * count].max(), values.max()]


def grown(data):
    if data.get("beam"):
        step = data["beam"]["steps"][data["start"]]
        kept = [each for each in step["level"] if each[5]]
        return [max(filter(None, (number(each[at]) for each in kept))) for at in (4, 3) if kept[0][at]]
    nodes = data["nodes"]
    totals = []
    for node in nodes:
        if node["end"]:
            total = 0
            while node["parent"] >= 0:
                total += np.log(node["p"])
                node = nodes[node["parent"]]
            totals.append(total)
    return [max(node["p"] for node in nodes[1:]), max(totals)]


def opened(data):
    sent = np.frombuffer(base64.b64decode(data["values"]), "<f4").reshape(len(data["rows"]), -1)
    reach = data["rows"][data["row"]]["reach"]
    return [max(max(row) for row, each in zip(sent, data["rows"], strict=True) if each["reach"] == reach)]


def sampled(data):
    V = len(data["tokens"])
    sent = np.frombuffer(base64.b64decode(data["logits"]), "<f8" if data["exact"] else "<f4")
    odds = np.exp(sent[data["start"] * V :][:V].astype(float) / data["settings"]["temperature"])
    return [odds.max() / odds.sum()]  # of an example that cuts nothing


VALUES = {
    "axis": lambda data: [max(each["standard"] for each in data["words"])],
    "figure": figure,
    "attention": lambda data: [
        np.nanmax(np.mean([floats(head["weights"]) for head in data["heads"]], axis=0))
    ],
    "hidden_state": hidden_state,
    "map": map_of_words,
    "generation_tree": grown,
    "opened_model": opened,
    "sampling": sampled,
    "training_replay": lambda data: [
        max(data["loss"]),
        max(data["heldOut"]),
        max(data["expected"][-1][:-1]),
    ],
    "attention_arrows": arrows,
    "attention_replay": lambda data: [floats(data["shots"][-1]["weights"]).max()],
    "causal_mask": lambda data: [max(scores(data))],
    "weight_row": lambda data: [max(data["weights"])],
    "batch": lambda data: [max(map(max, data["products"]))],
    "learning_curve": lambda data: [max(each["bits"] for each in data["curve"])],
    "vector_rows": lambda data: [max(value for row in data["rows"] for value in row["cells"])],
    "word_plane": lambda data: [
        max(point[axis] for point in panel["points"])
        for panel in data["panels"]
        if panel["points"]
        for axis in "xy"
    ],
    "soft_lookup": lambda data: [max(data["values"])],
}
