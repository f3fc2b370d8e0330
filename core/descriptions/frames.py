"""Steps of an algorithm: the step that is shown, its sentence, and its picture, of each kind that the view "steps" draws."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from core.descriptions.description import (
    Cell,
    Description,
    cut_text,
    describe_table,
    end_sentence,
    number_cell,
    number_of,
    numeral,
    once_stopped,
    say,
    tell_apart,
)
from core.descriptions.frame_tables import (
    describe_bars,
    describe_decoder,
    describe_lens,
    describe_matrices,
    describe_sliding,
    describe_surface,
    ends_of,
    join_descriptions,
    pick,
    write_amount,
    write_value,
)
from core.figures.packed import unpacked_shares

APART = re.compile(r" {3,}")  # what stands apart in a line
DIFFER_AT_MOST = 6  # words on which taggers disagree that a sentence names
CONTEXT_AT_MOST = 12  # tokens of a context that are told; of a longer one the last
LEADS_TO_FORMULA = re.compile(r"[^.!?]*:\s*$")
LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
SEEN_AT_MOST = 40  # characters of a context that are told
SHOWN, PREDICTED, COUNTED = 2, 3, 4  # from which step of a masked model's training on something is told


def describe_steps(data: Mapping) -> Description:
    """Return the description of the step at which the view begins: its sentence, its picture, the one below, its remarks."""
    frames = data["frames"]
    if not frames:
        return describe_table(say("steps.none"), "", (say("column.step"), say("steps.said")), ())
    at = min(max(0, data["start"]), len(frames) - 1)
    frame, total = frames[at], data["total"]
    step = say("steps.step", number=at + 1, total=total, name=frame["name"])
    told = [step, *map(in_one_line, [frame["said"] or frame["alt"]])]
    remarks = [*frame["notes"], *(note for note, _ in frame.get("parts", ()))]
    remarks = [LEADS_TO_FORMULA.sub("", each) for each in remarks]
    pictures = [each for each in (frame["picture"], frame.get("below")) if each]
    found = [describe_frame(each, data["shared"]) for each in pictures]
    found = [each for each in found if each.columns]
    made = join_descriptions(*found) if found else list_steps(frames)
    formulas = len(frame["formulas"]) + sum(len(each) for _, each in frame.get("parts", ()))
    follow = say("steps.formulas", count=formulas) if formulas else ""
    sentence = " ".join(filter(None, (*told, made.sentence, *map(in_one_line, remarks), follow)))
    return replace(made, sentence=once_stopped(sentence))


def in_one_line(text: str) -> str:
    """Return a text that stands on the page as it is, as a sentence.

    >>> in_one_line("x: A     p = 0.04"), in_one_line("")
    ('x: A; p = 0.04.', '')
    """
    joined = "; ".join(" ".join(each.split()) for each in APART.split(text.strip()))
    return end_sentence(joined) if joined else ""


def describe_frame(picture: Mapping, shared: Mapping | None) -> Description:
    """Return the description of a step's picture; an empty one of a kind that no function describes."""
    kind = FRAMES.get(picture["kind"])
    return kind(picture, shared or {}) if kind else Description("", "", (), ())


def list_steps(frames: Sequence[Mapping]) -> Description:
    """Return the description of a step without a picture: the steps by name, each with what it says."""
    rows = [
        (number_of(number), frame["name"], in_one_line(frame["said"] or " ".join(frame["notes"])))
        for number, frame in enumerate(frames)
    ]
    columns = (say("column.step"), say("steps.name"), say("steps.said"))
    return describe_table("", "", columns, rows)


def tell_context(tokens: Sequence[str]) -> str:
    """Return a context as one text; of a long one its end.

    >>> tell_context(["a", "b"]), tell_context(list("abcdefghijklmn"))
    ('a b', '… c d e f g h i j k l m n')
    """
    last = tokens[-CONTEXT_AT_MOST:]
    return " ".join([*(["…"] if len(last) < len(tokens) else []), *last])


def describe_window(picture: Mapping, shared: Mapping) -> Description:
    """Return the description of a window on a sentence: a token a row, with its part in the window."""
    tokens, place, order = shared["tokens"], picture["place"], shared["order"]
    context = tokens[max(0, place - order + 1) : place]
    rows = []
    for at, token in enumerate(tokens):
        near = place - order < at < place
        part = say("steps.next") if at == place else say("steps.context") if near else ""
        rows.append((number_of(at), token, part))
    columns = (say("column.position"), say("column.token"), say("steps.part"))
    sentence = say(
        "steps.window",
        order=order,
        tokens=len(tokens),
        context=tell_context(context),
        next=pick(tokens, place, ""),
    )
    return describe_table(sentence, "", columns, rows)


def describe_examples(picture: Mapping, shared: Mapping) -> Description:
    """Return the description of a window as training examples: a row for each prefix, with its target and its loss."""
    tokens, lit = shared["tokens"], []
    columns = (
        say("column.example"),
        say("steps.context"),
        say("steps.target"),
        say("steps.later"),
        "p(y)",
        "−ln p",
    )
    rows, compared = [], {"p(y)": [], "−ln p": []}
    for t, (p, loss) in enumerate(zip(shared["probabilities"], shared["losses"], strict=False)):
        target = pick(tokens, t + 1, "")
        later = tell_context(tokens[t + 2 : -1]) if shared["peek"] else ""
        name = say("steps.example", number=t + 1, target=target)
        rows.append((name, tell_context(tokens[: t + 1]), target, later, numeral(p), numeral(loss)))
        compared["p(y)"].append((rows[-1][4], name))
        compared["−ln p"].append((rows[-1][5], name))
        lit += [rows[-1]] if t == picture["at"] else []
    more = [
        say("steps.lit", context=each[1], target=each[2], later=each[3], p=each[4].text, loss=each[5].text)
        for each in lit
    ]
    sentence = say("steps.examples", examples=len(rows), peek=shared["peek"])
    return describe_table(sentence, "", columns, rows, compared, [each[0] for each in lit], more)


def describe_factors(picture: Mapping, shared: Mapping) -> Description:
    """Return the description of a sentence's factors: a row for each token, with p and its surprisal."""
    names = tell_apart(shared["tokens"]) if shared["tokens"] else []
    columns = (say("column.token"), say("steps.bits"), "p")
    rows, never = [], []
    for name, bits, p in zip(names, shared["bits"], shared["p"], strict=False):
        rows.append((name, number_cell(bits, "" if bits is not None else say("steps.endless")), p))
        never += [name] if bits is None else []
    lit = [names[picture["at"]]] if picture["at"] < len(names) else []
    compared = {columns[1]: [(row[1], row[0]) for row in rows]}
    more = [say("written", name=row[0], text=f"p = {row[2]}") for row in rows if row[0] in lit]
    more += [say("steps.never", names=never)] if never else []
    ticks = shared["ticks"]
    axes = say("scale", name=columns[1], least=ticks[0], most=ticks[-1]) if ticks else ""
    sentence = say("steps.factors", tokens=len(rows))
    return describe_table(sentence, axes, columns, rows, compared, lit, more)


def describe_masking(picture: Mapping, shared: Mapping) -> Description:
    """Return the description of a masked model's training step, as far as it has come: a token a row."""
    reached, tokens = picture["reached"], shared["tokens"]
    names = tell_apart([each["token"] for each in tokens]) if tokens else []
    columns = (
        say("column.token"),
        say("steps.drawn"),
        say("steps.shown"),
        say("steps.predicted"),
        "p",
        "−ln p",
    )
    rows, compared = [], {}
    for name, each in zip(names, tokens, strict=True):
        drawn = say("yes") if each["drawn"] else ""
        shown = each["shown"] if reached >= SHOWN else ""
        guess, p = (each["guess"] or "", each["p"] or "") if reached >= PREDICTED else ("", "")
        loss = (each["loss"] or "").removeprefix("−ln p").strip() if reached >= COUNTED else ""
        rows.append((name, drawn, shown, guess, numeral(p), numeral(loss)))
        for at in (4, 5):
            compared.setdefault(columns[at], []).append((rows[-1][at], name))
    drawn = [name for name, each in zip(names, tokens, strict=True) if each["drawn"]]
    sentence = say("steps.masking", tokens=len(tokens), drawn=len(drawn))
    return describe_table(sentence, "", columns, rows, compared, drawn)


def describe_chances(picture: Mapping, shared: Mapping) -> Description:
    """Return the description of what a token was drawn from: the most probable tokens end to end from 0 to 1."""
    ids, others = picture["ids"], picture.get("others", 0)
    names = [pick(shared["names"], each, "") for each in ids]
    names = [*(tell_apart(names) if names else []), *([say("steps.others", count=others)] if others else [])]
    lengths = [*picture["p"], *([picture.get("rest", 0.0)] if others else [])]
    rows, begins = [], 0.0
    for at, (name, p) in enumerate(zip(names, lengths, strict=False)):
        cell = number_cell(p)  # what is left over is no token: it is compared with none
        ends = [f"{begins:.3f}", f"{begins + p:.3f}"]
        rows.append((name, cell if at < len(ids) else Cell(cell.text), *ends))
        begins += p
    columns = (say("column.token"), "p", say("steps.from"), say("steps.to"))
    compared = {"p": [(row[1], row[0]) for row in rows]}
    pieces, place = shared["pieces"], picture["place"]
    more = [say("steps.rest", name=rows[-1][0], p=rows[-1][1].text)] if others and rows else []
    written = cut_end(shared["before"] + "".join(pieces[: place + 1]))
    more.append(say("steps.text", text=written))
    if later := "".join(pieces[place + 1 :]).strip():
        more.append(say("steps.goes_on", text=cut_text(later)))
    lit = [names[picture["drawn"]]] if picture["drawn"] < len(names) else []
    sentence = say("steps.chances", tokens=len(ids), others=others)
    return describe_table(sentence, "", columns, rows, compared, lit, more)


def cut_end(text: str, most: int = 60) -> str:
    """Return a text in one line; of a long one its last words.

    >>> cut_end("to be or not to be", 12)
    '… not to be'
    """
    joined = " ".join(text.split())
    return joined if len(joined) <= most else f"… {joined[-most:].partition(' ')[2]}"


def describe_merging(picture: Mapping, _shared: Mapping) -> Description:
    """Return the description of a passage after a merge: a row for each piece, then the pairs that were counted."""
    fresh, place, rows, lit = set(picture["fresh"]), 0, [], []
    words = [each for each in picture["words"] if each]
    names = tell_apart(["".join(tokens) for tokens in words]) if words else []
    made = []
    for name, tokens in zip(names, words, strict=True):
        new = [token for at, token in enumerate(tokens, start=place) if at in fresh]
        place += len(tokens)
        rows.append((name, " | ".join(tokens), str(len(tokens)), " | ".join(new)))
        lit += [name] if new else []
        made += new
    columns = (say("steps.piece"), say("column.pieces"), say("column.tokens"), say("steps.new"))
    more = [say("steps.merged", token=made[0], times=len(made))] if made else []
    sentence = say("steps.merging", pieces=len(rows), tokens=place)
    passage = describe_table(sentence, "", columns, rows, {}, lit, more)
    rivals = picture["rivals"]
    return join_descriptions(passage, describe_bars(rivals)) if rivals else passage


def describe_shifted(picture: Mapping, shared: Mapping) -> Description:
    """Return the description of a window of characters above its target: a position a row."""
    x, y, losses, at = shared["x"], shared["y"], shared["losses"], picture["at"]
    columns = (say("column.position"), "x", "y", "−ln p (nats)")
    rows, compared = [], {columns[3]: []}
    for t in range(max(len(x), len(y))):
        character, target = (pick(row, t, ("",))[0] for row in (x, y))
        loss = Cell(write_amount(losses[t], 3), losses[t]) if t < len(losses) else Cell("")
        rows.append((number_of(t), character, target, loss))
        compared[columns[3]].append((loss, say("shifted_text.at", number=t + 1, target=target)))
    first = at if shared["forgetful"] else 0
    seen = "".join(character for character, *_ in x[first : at + 1])
    seen = seen if len(seen) <= SEEN_AT_MOST else f"…{seen[-SEEN_AT_MOST:]}"
    values = {"T": shared["T"], "number": at + 1, "seen": seen, "target": pick(y, at, ("",))[0]}
    more = [] if shared["mean"] is None else [say("steps.mean", value=write_value(shared["mean"], 3))]
    return describe_table(say("steps.shifted", **values), "", columns, rows, compared, more=more)


def describe_two_ways(picture: Mapping, shared: Mapping) -> Description:
    """Return the description of a sentence read in both directions: a word a row, with the states and tags known so far."""
    words, units, read = shared["words"], shared["units"], picture["read"]
    n = len(words)
    names = tell_apart(words) if words else []
    heads = [say("steps.unit", number=at + 1) for at in range(units)]
    columns = [say("column.word")]
    cells = [[name] for name in names]
    compared = {}
    for arrow, packed, known in (
        (say("steps.ahead"), shared["ahead"], range(min(read, n))),
        (say("steps.back"), shared["back"], range(max(0, n - read), n)),
    ):
        states = unpacked_shares(packed)[: n * units].reshape(n, units)
        columns += [say("steps.largest", title=arrow), say("steps.smallest", title=arrow)]
        for t, row in enumerate(cells):
            ends = ends_of(states[t], heads, 3) if t in known else (Cell(""), Cell(""))
            row.extend(ends)
            compared.setdefault(arrow, []).extend((each, names[t]) for each in ends)
    told = [False] * n
    tags: list[list[str]] = [[] for _ in names]
    for tagger in shared["rows"]:
        columns.append(tagger["name"])
        for t, row in enumerate(cells):
            ahead, both = t < read, t < read and t >= n - read
            known = {"ahead": ahead, "both": both}.get(tagger["needs"], read >= n)
            told[t] |= known
            cell = Cell("")
            if known:
                p = tagger["sure"][t]
                cell = Cell(f"{tagger['tags'][t]} {p}")
                tags[t].append(say("steps.tagged", name=tagger["name"], tag=tagger["tags"][t]))
            row.append(cell)
    more = [
        say("steps.differ", name=name, tags=each)
        for name, differ, known, each in zip(names, shared["differ"], told, tags, strict=False)
        if differ and known and len(each) > 1
    ]
    left = len(more) - DIFFER_AT_MOST
    more = [*more[:DIFFER_AT_MOST], *([say("steps.differ.more", count=left)] if left > 0 else [])]
    sentence = say("steps.two_ways", words=n, units=units)
    return describe_table(sentence, "", columns, cells, compared, more=more)


def describe_unrolled(picture: Mapping, shared: Mapping) -> Description:
    """Return the description of an unrolled network: a state a row, with the gradient as far back as it has come."""
    characters, reached, kept = shared["characters"], picture["reached"], shared["kept"]
    T, norms = len(characters), shared["norms"]
    rows = []
    for t, character in enumerate(characters):
        place = t - (T - len(norms))  # what is sent is of the last states only
        known = t >= T - reached and place >= 0
        norm, ratio = (norms[place], pick(shared["ratios"], place, "")) if known else ("", "")
        rows.append((name_state(t), character, numeral(norm), ratio))
    columns = (say("column.state"), say("steps.input"), say("steps.norm"), say("steps.factor"))
    compared = {columns[2]: [(row[2], row[0]) for row in rows]}
    more = [say("steps.cut", state=name_state(T - kept))] if kept < T else []
    here = name_state(max(0, T - reached)) if T and reached else ""
    sentence = say("steps.unrolled", states=T, target=shared["target"], state=here)
    return describe_table(sentence, "", columns, rows, compared, more=more)


def name_state(t: int) -> str:
    """Return the name of a hidden state, counted from 0.

    >>> name_state(11)
    'h₁₂'
    """
    return f"h{t + 1}".translate(LOWERED)


FRAMES: dict[str, Callable[[Mapping, Mapping], Description]] = {
    "bars": describe_bars,
    "chances": describe_chances,
    "decoder": describe_decoder,
    "examples": describe_examples,
    "factors": describe_factors,
    "lens": describe_lens,
    "masking": describe_masking,
    "matrices": describe_matrices,
    "merging": describe_merging,
    "shifted": describe_shifted,
    "sliding": describe_sliding,
    "surface": describe_surface,
    "twoWays": describe_two_ways,
    "unrolled": describe_unrolled,
    "window": describe_window,
}
