"""Search long held-out sentences with beams of several widths, and record what is found.

    python -m core.training.translation_searches

The lesson "Beam search for translation" reads the record, because a search of so many sentences takes a while.
"""

from __future__ import annotations

import json
from itertools import islice

import torch

from core.models.translation.search_errors import RUNS, reference_log_probabilities, search_all
from core.models.translation.translate import stored_translator
from core.text.grammar.english_french import english_french

SENTENCES, LENGTHS, SEED = 400, tuple(range(18, 26)), 1
WIDTHS = {"translate_french_none": (1, 2, 4, 8), "translate_french_dot": (1, 4)}


def record_searches(name: str, widths: tuple[int, ...], sentences: int = SENTENCES) -> dict[str, object]:
    """Return the searches of a stored translator, numbers rounded to four digits."""
    translator = stored_translator(name)
    pairs = list(islice(english_french(SEED, held_out=True, lengths=LENGTHS), sentences))
    run: dict[str, object] = {
        "references": round_to_four_digits(reference_log_probabilities(translator, pairs))
    }
    alone = search_all(translator, pairs, 1)
    for width in widths:
        found = search_all(translator, pairs, width)
        run[str(width)] = {
            "ln_p": round_to_four_digits(found.log_probabilities),
            "right": found.right.astype(int).tolist(),
            "words": [len(text) + 1 for text in found.texts],
            "changed": [int(a != b) for a, b in zip(found.texts, alone.texts, strict=True)],
        }
    return run


def round_to_four_digits(values) -> list[float]:
    """Return numbers rounded to four digits."""
    return [round(float(value), 4) for value in values]


def main() -> None:
    """Record all searches."""
    torch.set_num_threads(1)
    runs = {name: record_searches(name, widths) for name, widths in WIDTHS.items()}
    RUNS.write_text(json.dumps(runs) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
