"""`python -m core.training.translation_outputs`: record what the course's translators write for held-out sentences.

The lesson on the quality of translations scores them. Only what differs from the reference is kept: the pairs themselves are
generated again from their seed. About a minute on one core.
"""

from __future__ import annotations

import json
import logging

import torch

from core.models.translation.recorded_outputs import COUNT, MODELS, RUN, references
from core.models.translation.translate import greedy, stored_translator

log = logging.getLogger(__name__)


def main() -> None:
    """Translate all sentences with each translator and write those that are not the reference, by their place."""
    torch.set_num_threads(1)
    outputs = {}
    for score, name in MODELS.items():
        translator = stored_translator(name)
        made = {}
        for place, pair in enumerate(references()):
            words = translator.target.decode(
                greedy(translator.model, translator.source.encode(pair.source)).words
            )
            if tuple(words) != tuple(pair.target):
                made[str(place)] = " ".join(words)
        outputs[score] = made
        log.info("%s: %d of %d differ", score, len(made), COUNT)
    RUN.write_text(json.dumps(outputs, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    main()
